/** What an account has done by day, week and season. Days are summed up from sessions, or taken from the device. */
import type { Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import { type Period, type PeriodKind, periodOf } from '../../domain/tracking/periods.ts';
import { DayTotals } from '../../domain/tracking/summary.ts';
import { snakeSchema } from '../../infra/naming.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { reportedDays } from './reportedDays.ts';
import { trackingSessions } from './sessions.ts';

export const Totals = snakeSchema(DayTotals);
export type Totals = Static<typeof Totals>;

const { max_speed_kmh: _, ...counted } = Totals.properties;
/** What is added up. Of speeds the highest counts. */
const counts = Object.keys(counted) as (keyof typeof counted)[];

export type Day = Totals & {
  readonly day: string;
  /** Whether it was computed from points. */
  readonly verified: boolean;
  readonly sessions: number;
};

/** Days, both included. */
export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The days of an account, the newest first. A day with sessions is what its sessions come to; what a device has reported
 * counts only where there are none.
 */
export const daysOf = async (
  db: ReadDb,
  accountId: string,
  { from = '-infinity', to = 'infinity' }: Days = {},
): Promise<Day[]> => {
  // Where another device recorded the same time, a session adds less than it comes to.
  const added = (name: keyof Totals) => sql`coalesce((adds->>${sql.lit(name)})::numeric, ${sql.ref(name)})`;
  const sums = sql.join(counts.map((name) => sql`sum(${added(name)})::bigint as ${sql.ref(name)}`));
  const columns = sql.join(counts.map((name) => sql.ref(name)));
  const { rows } = await sql<Day>`
    with tracked as (
      select day, true as verified, count(*) as sessions, ${sums}, max(max_speed_kmh) as max_speed_kmh
      from ${tableOf(trackingSessions)}
      where account_id = ${accountId} and status = 'finished' and points > 0
        and day between ${from}::date and ${to}::date
      group by day
    )
    select * from tracked
    union all
    select day, false, 0, ${columns}, max_speed_kmh from ${tableOf(reportedDays)} as reported
    where account_id = ${accountId} and day between ${from}::date and ${to}::date
      and not exists (select from tracked where tracked.day = reported.day)
    order by day desc`.execute(db);
  return rows;
};

/** `verified`: whether all of its days are. */
export type Sum = Totals & { readonly days: number; readonly sessions: number; readonly verified: boolean };

const ofAll = (days: readonly Day[], of: (day: Day) => number): number => days.reduce((sum, day) => sum + of(day), 0);

export const sumOf = (days: readonly Day[]): Sum => ({
  ...(Object.fromEntries(counts.map((name) => [name, ofAll(days, (day) => day[name])])) as Pick<
    Totals,
    keyof typeof counted
  >),
  max_speed_kmh: Math.max(0, ...days.map(({ max_speed_kmh }) => max_speed_kmh)),
  days: days.length,
  sessions: ofAll(days, ({ sessions }) => sessions),
  verified: days.every(({ verified }) => verified),
});

/** Days by their periods, in the order of the days. @param seasonBegins `MM-DD` */
export const sumsByPeriod = (days: readonly Day[], kind: PeriodKind, seasonBegins: string): (Period & Sum)[] => {
  const periods = new Map<string, { readonly period: Period; readonly days: Day[] }>();
  for (const day of days) {
    const period = periodOf(kind, day.day, seasonBegins);
    const known = periods.get(period.startsOn);
    if (known) known.days.push(day);
    else periods.set(period.startsOn, { period, days: [day] });
  }
  return [...periods.values()].map(({ period, days: within }) => ({ ...period, ...sumOf(within) }));
};
