/** A board: everybody who takes part, in one period. Its periods are days of the resort. */
import { addDays, instantIn } from '../core/dates.ts';
import { addMs, HOUR_MS, isAfter } from '../core/instants.ts';
import { type Period, type PeriodKind, periodKinds, periodOf } from '../tracking/periods.ts';
import { OFFLINE_HOURS } from '../tracking/session.ts';

/** What says when periods begin. */
export interface Calendar {
  /** IANA time zone of the resort. */
  readonly timezone: string;
  /** `MM-DD`. */
  readonly seasonBegins: string;
}

/** `day:2026-12-01`, `season:2026-10-01`. Stored: never changes. */
export const boardOf = (kind: PeriodKind, { startsOn }: Period): string => `${kind}:${startsOn}`;

/** The boards that a day counts for. */
export const boardsOf = (
  day: string,
  { seasonBegins }: Calendar,
): { readonly board: string; readonly period: Period }[] =>
  periodKinds.map((kind) => {
    const period = periodOf(kind, day, seasonBegins);
    return { board: boardOf(kind, period), period };
  });

/** For this long after its end, tracks of a period still count: devices may have been offline. */
const CLOSES_AFTER_HOURS = OFFLINE_HOURS;

/** When a period stops taking tracks, RFC 3339 UTC: 72 hours after it has ended at the resort. */
export const closesAt = ({ endsOn }: Pick<Period, 'endsOn'>, { timezone }: Pick<Calendar, 'timezone'>): string => {
  const end = instantIn(timezone, addDays(endsOn, 1), '00:00');
  return addMs(end, CLOSES_AFTER_HOURS * HOUR_MS);
};

/** Whether a period takes no more tracks at an instant (RFC 3339). */
export const isClosed = (period: Pick<Period, 'endsOn'>, at: string, calendar: Pick<Calendar, 'timezone'>): boolean =>
  isAfter(at, closesAt(period, calendar));
