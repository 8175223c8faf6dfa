/** The hours of a plan: when the lifts run, until when everybody must be back, and when lunch is. */
import { instantIn, todayIn } from '../core/dates.ts';
import { instantOf, MINUTE_MS } from '../core/instants.ts';
import type { Span } from '../resort/schedule.ts';
import type { PlanConfig } from './config.ts';
import type { PlanLift } from './moves.ts';

/** Nobody skis longer. */
const MOST_MINUTES = 16 * 60;

/** The times at which at least one lift runs, in order. */
const sessionsOf = (lifts: readonly Pick<PlanLift, 'open'>[]): readonly Span[] => {
  const sessions: Span[] = [];
  for (const span of lifts.flatMap(({ open }) => open).toSorted((a, b) => a.from - b.from)) {
    const last = sessions.at(-1);
    if (last && span.from <= last.to)
      sessions[sessions.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else sessions.push(span);
  }
  return sessions;
};

/** In milliseconds since the epoch. */
export interface Hours {
  readonly from: number;
  /** null: until the lifts that run then, or next, close. */
  readonly until: number | null;
}

/**
 * The hours in which one is on the mountain: from the wished beginning, but not before the first lift opens, to the wished
 * end, but not later than this long before the last lift closes. Lifts that open again in the evening are another
 * session: it counts when the end is after its beginning.
 * @returns null when no lift runs in these hours
 */
export const hoursOf = (
  lifts: readonly Pick<PlanLift, 'open'>[],
  { from, until }: Hours,
  { back_margin_minutes }: Pick<PlanConfig, 'back_margin_minutes'>,
): { readonly from: number; readonly backBy: number } | null => {
  const sessions = sessionsOf(lifts).filter((session) => session.to > from);
  const session = until === null ? sessions[0] : sessions.findLast((each) => each.from < until);
  if (!session) return null;
  const closing = session.to - back_margin_minutes * MINUTE_MS;
  const begins = Math.max(from, session.from);
  const backBy = Math.min(closing, until ?? closing, begins + MOST_MINUTES * MINUTE_MS);
  return backBy > begins ? { from: begins, backBy } : null;
};

/** A minute of a day that begins at `from`: the last one that is not after the instant. */
export const minuteOf = (from: number, time: number): number => Math.floor((time - from) / MINUTE_MS);

/** Between which minutes lunch begins. @param timezone IANA name, of the resort */
export const lunchMinutes = (
  { lunch }: Pick<PlanConfig, 'lunch'>,
  timezone: string,
  from: number,
): { readonly from: number; readonly until: number } => {
  const date = todayIn(timezone, instantOf(from));
  const minute = (time: string): number => minuteOf(from, Date.parse(instantIn(timezone, date, time)));
  return { from: minute(lunch.from), until: minute(lunch.until) };
};
