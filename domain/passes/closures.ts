/**
 * The dates on which the mountain was closed: one stream, which all passes are judged by. So one event gives days back to
 * everybody, and no pass is changed.
 */
import { type Static, Type } from '@sinclair/typebox';
import { datesBetween, daysBetween } from '../core/dates.ts';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { markOf, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { DateOnly, Instant } from '../core/schema.ts';

export const MAX_CLOSED_AT_ONCE = 31;
/** Enough for many winters; every pass that is judged looks through them. */
const MAX_CLOSED = 1_000;

export const ClosedDate = Type.Object({
  date: DateOnly,
  /** When it was declared. Passes that were sold later get nothing for it. */
  at: Instant,
});
export type ClosedDate = Readonly<Static<typeof ClosedDate>>;

const passClosureEvents = {
  PassDaysGivenBack: {
    data: Type.Object({
      /** Ascending, without those that were declared before. */
      dates: Type.Array(DateOnly, { minItems: 1, maxItems: MAX_CLOSED_AT_ONCE }),
      declaredAt: Instant,
      reason: Type.String(),
    }),
  },
} as const satisfies EventDeclarations;
export type PassClosureEvent = EventsOf<typeof passClosureEvents>;

export interface PassClosures {
  /** Ascending by declaration. */
  readonly closed: readonly ClosedDate[];
  /** Date → why it was closed. */
  readonly reasons: Readonly<Record<string, WordsMark>>;
}

export interface GiveDaysBack {
  readonly type: 'GiveDaysBack';
  /** `YYYY-MM-DD`, both included. */
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly at: string;
}

const datesOf = ({ from, to }: Pick<GiveDaysBack, 'from' | 'to'>): string[] => [...datesBetween(from, to), to];

/** The dates of a closure that were not declared before. @throws Rejected `invalid` */
const newlyClosed = (
  { closed }: PassClosures,
  { from, to }: { readonly from: string; readonly to: string },
): string[] => {
  const days = daysBetween(from, to) + 1;
  if (days < 1) throw new Rejected('invalid', 'to must not be earlier than from.', { fields: ['to'] });
  if (days > MAX_CLOSED_AT_ONCE)
    throw new Rejected('invalid', `A closure has at most ${MAX_CLOSED_AT_ONCE} days. Declare it in parts.`, {
      fields: ['to'],
    });
  const known = new Set(closed.map(({ date }) => date));
  return datesOf({ from, to }).filter((date) => !known.has(date));
};

const decide = (command: GiveDaysBack, state: PassClosures): PassClosureEvent[] => {
  const dates = newlyClosed(state, command);
  if (dates.length === 0) {
    for (const date of datesOf(command))
      saidBefore(`${date} was declared before`, state.reasons[date] ?? null, command.reason);
    return [];
  }
  if (state.closed.length + dates.length > MAX_CLOSED)
    throw new Rejected('conflict', `Only ${MAX_CLOSED} closed dates can be kept.`);
  return [{ type: 'PassDaysGivenBack', data: { dates, declaredAt: command.at, reason: command.reason } }];
};

const evolve = ({ closed, reasons }: PassClosures, { data }: PassClosureEvent): PassClosures => ({
  closed: [...closed, ...data.dates.map((date) => ({ date, at: data.declaredAt }))],
  reasons: { ...reasons, ...Object.fromEntries(data.dates.map((date) => [date, markOf(data.reason)])) },
});

export const passClosures: Decider<PassClosures, GiveDaysBack, PassClosureEvent> = {
  category: 'passClosures',
  short: 'a closed day is given back once',
  events: passClosureEvents,
  initial: { closed: [], reasons: {} },
  decide,
  evolve,
};
