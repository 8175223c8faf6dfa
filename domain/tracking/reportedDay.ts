/**
 * A day as a device has counted it, without points to check it by. One stream for each account and day. It is never part
 * of a leaderboard.
 */
import { Type } from '@sinclair/typebox';
import { addDays } from '../core/dates.ts';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { DateOnly, Uuid } from '../core/schema.ts';
import { DayTotals } from './summary.ts';

const reportedDayEvents = {
  /** Again for the same day: it replaces what was reported before. */
  TrackingDayReported: { data: Type.Object({ accountId: Uuid, day: DateOnly, totals: DayTotals }) },
} as const satisfies EventDeclarations;
export type ReportedDayEvent = EventsOf<typeof reportedDayEvents>;

export interface ReportDay {
  readonly type: 'ReportDay';
  readonly accountId: string;
  readonly day: string;
  /** The day that it is at the resort. */
  readonly today: string;
  readonly totals: DayTotals;
}

/** Null: nothing was reported. */
export type ReportedDay = DayTotals | null;

const MAX_AGE_DAYS = 30;

const decide = ({ accountId, day, today, totals }: ReportDay, state: ReportedDay): ReportedDayEvent[] => {
  if (day > today)
    throw new Rejected('invalid', 'A day can be reported once it has begun at the resort.', { fields: ['day'] });
  if (day < addDays(today, -MAX_AGE_DAYS))
    throw new Rejected('invalid', `A day can be reported for ${MAX_AGE_DAYS} days.`, { fields: ['day'] });
  const names = Object.keys(totals) as (keyof DayTotals)[];
  if (state && names.every((name) => state[name] === totals[name])) return [];
  return [{ type: 'TrackingDayReported', data: { accountId, day, totals } }];
};

export const reportedDay: Decider<ReportedDay, ReportDay, ReportedDayEvent> = {
  category: 'reportedDay',
  short: 'a day is reported while it lasts',
  events: reportedDayEvents,
  initial: null,
  decide,
  evolve: (_, { data }) => data.totals,
};
