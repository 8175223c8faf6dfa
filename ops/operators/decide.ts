/**
 * Whom to tell what, and when: pure. Operators hear of a concern once it has lasted, again once a day while it lasts, and
 * when it is over. What only happens (a counter that grew) has no end: of more of the same they hear an hour later.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { type AlertName, alertOf } from '../alerts/alerts.ts';
import type { Concern } from '../alerts/seen.ts';

/** A concern that goes on, or of which operators were told. All times in milliseconds since 1970. */
export interface Known extends Concern {
  readonly since: number;
  /** Since when it is not there any more. */
  readonly goneSince?: number;
  readonly toldAt?: number;
  /** It has happened again since then. */
  readonly again?: true;
}

export interface Memory {
  readonly known: readonly Known[];
  /** When messages were sent, of the last hour. */
  readonly sent: readonly number[];
}
export const EMPTY: Memory = { known: [], sent: [] };

/** What one message says. */
export interface Due {
  readonly begun: readonly Known[];
  readonly over: readonly Known[];
  /** It cannot wait: it is also sent by SMS. */
  readonly isUrgent: boolean;
}

/** A concern that comes back within this time has not been over. */
const OVER_AFTER_MS = 3 * MINUTE_MS;
/** Messages an hour. What more there is waits, and is then in one message. The last ones are for what cannot wait. */
export const MOST_AN_HOUR = 10;
const OF_THEM_URGENT = 4;

const keyOf = ({ alert, about }: Pick<Concern, 'alert' | 'about'>): string => `${alert} ${about}`;
const isUrgent = (alert: AlertName): boolean => alertOf(alert).severity === 'critical';
/** It happens, and does not last. */
const isEvent = (alert: AlertName): boolean => alertOf(alert).rule.is === 'grew' && (alertOf(alert).minutes ?? 0) === 0;
const patienceOf = (alert: AlertName): number => (alertOf(alert).minutes ?? 0) * MINUTE_MS;

const present = (concern: Concern, before: Known | undefined, now: number): Known => {
  if (before === undefined) return { ...concern, since: now };
  const { goneSince, ...rest } = before;
  const isBack = goneSince !== undefined && before.toldAt !== undefined && isEvent(concern.alert);
  return { ...rest, value: concern.value, ...(isBack && { again: true as const }) };
};

/** Whether there is a reason to remember what is gone. */
const isToRemember = ({ alert, toldAt, goneSince, again }: Known, now: number): boolean => {
  if (goneSince === undefined || again) return true;
  if (isEvent(alert)) return toldAt === undefined || now - toldAt < HOUR_MS;
  return toldAt !== undefined;
};

/** What is known from now on. @param found each concern once */
export const noted = ({ known, sent }: Memory, found: readonly Concern[], now: number): Memory => {
  const before = new Map(known.map((one) => [keyOf(one), one]));
  const there = new Set(found.map(keyOf));
  const gone = known.filter((one) => !there.has(keyOf(one))).map((one) => ({ goneSince: now, ...one }));
  const all = [...found.map((one) => present(one, before.get(keyOf(one)), now)), ...gone];
  return { known: all.filter((one) => isToRemember(one, now)), sent: sent.filter((at) => now - at < HOUR_MS) };
};

const isToTell = ({ alert, since, goneSince, toldAt, again }: Known, now: number): boolean => {
  if (toldAt === undefined) return isEvent(alert) || (goneSince === undefined && now - since >= patienceOf(alert));
  if (again) return now - toldAt >= HOUR_MS;
  return goneSince === undefined && now - toldAt >= DAY_MS;
};
const isOver = ({ alert, goneSince, toldAt }: Known, now: number): boolean =>
  toldAt !== undefined && goneSince !== undefined && !isEvent(alert) && now - goneSince >= OVER_AFTER_MS;

/** The message that is due now, if there is one and it may be sent. */
export const dueOf = ({ known, sent }: Memory, now: number): Due | undefined => {
  const begun = known.filter((one) => isToTell(one, now));
  const over = known.filter((one) => isOver(one, now));
  const urgent = [...begun, ...over].some(({ alert }) => isUrgent(alert));
  const most = urgent ? MOST_AN_HOUR : MOST_AN_HOUR - OF_THEM_URGENT;
  if (begun.length + over.length === 0 || sent.length >= most) return undefined;
  const urgentFirst = begun.toSorted((a, b) => Number(isUrgent(b.alert)) - Number(isUrgent(a.alert)));
  return { begun: urgentFirst, over, isUrgent: urgent };
};

/** What is known once operators have been told. */
export const told = ({ known, sent }: Memory, due: Due, now: number): Memory => {
  const begun = new Set(due.begun.map(keyOf));
  const over = new Set(due.over.map(keyOf));
  return {
    known: known
      .filter((one) => !over.has(keyOf(one)))
      .map((one) => {
        if (!begun.has(keyOf(one))) return one;
        const { again: _, ...rest } = one;
        return { ...rest, toldAt: now };
      }),
    sent: [...sent, now],
  };
};

/** Adds what another process has told on its own while it could not reach the database. */
export const withOthers = (memory: Memory, others: readonly Known[]): Memory => {
  const known = new Map(memory.known.map((one) => [keyOf(one), one]));
  for (const one of others) {
    const mine = known.get(keyOf(one));
    if (mine === undefined || (mine.toldAt ?? 0) < (one.toldAt ?? 0))
      known.set(keyOf(one), { ...one, ...(mine && { since: Math.min(mine.since, one.since) }) });
  }
  return { ...memory, known: [...known.values()] };
};
