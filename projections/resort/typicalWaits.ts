/** What was reported of queues by quarter of an hour, and the waits that are typical by weekday. */
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { addDays, WEEKDAYS, type Weekday } from '../../domain/core/dates.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { Count, DateOnly, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { resortLifts } from './facilities.ts';

const QUARTER_MS = 15 * MINUTE_MS;

const keyOf = ({ streamId, data }: { readonly streamId: string; readonly data: { readonly measuredAt: string } }) => {
  const time = new Date(data.measuredAt);
  const day = time.toISOString().slice(0, 'YYYY-MM-DD'.length);
  const quarter = Math.floor((time.getTime() - Date.parse(`${day}T00:00:00Z`)) / QUARTER_MS);
  return { lift_id: streamId, day, quarter };
};

/** A row has no time zone and no capacity of the lift: both can be set anew, and count when waits are asked for. */
export const liftQueueQuarters = readModel('lift_queue_quarters', {
  version: 2,
  row: Type.Object({
    lift_id: Uuid,
    /** In UTC. */
    day: DateOnly,
    /** Of that day, from 0 to 95. */
    quarter: Type.Integer(),
    /** How many reports said minutes, and their sum; the same for those that said people. */
    minutes_reports: Count,
    minutes_total: Count,
    people_reports: Count,
    people_total: Count,
  }),
  key: ['lift_id', 'day', 'quarter'],
  indexes: ['day'],
  on: {
    LiftQueueReported: {
      // What is only a lower bound says nothing of what is typical.
      keys: (event) => (event.data.isAtLeast ? [] : [keyOf(event)]),
      fold: (row, event) => {
        const { minutes, people } = event.data;
        const none = { minutes_reports: 0, minutes_total: 0, people_reports: 0, people_total: 0 };
        const before = row ?? { ...keyOf(event), ...none };
        return {
          ...before,
          minutes_reports: before.minutes_reports + (minutes === null ? 0 : 1),
          minutes_total: before.minutes_total + (minutes ?? 0),
          people_reports: before.people_reports + (people === null ? 0 : 1),
          people_total: before.people_total + (people ?? 0),
        };
      },
    },
  },
});

/** So many weeks before today are looked at. */
export const TYPICAL_WEEKS = 12;

export const TypicalWait = Type.Object(
  {
    weekday: OneOf(WEEKDAYS),
    from: Type.String({
      description: 'When the quarter of an hour begins, in the time of the resort.',
      examples: ['09:15'],
    }),
    minutes: Type.Number({ minimum: 0, description: 'The mean of the days.' }),
    days: Type.Integer({ minimum: 1, description: 'On how many days something was reported.' }),
  },
  { $id: 'TypicalWait' },
);
export type TypicalWait = Static<typeof TypicalWait>;
interface OfLift extends TypicalWait {
  readonly lift_id: string;
}

interface Asked {
  /** IANA name, of the resort. */
  readonly timezone: string;
  /** The date of today there. */
  readonly today: string;
  /** undefined: of all lifts. */
  readonly liftId?: string;
}

/** In the order of the week, from Sunday. A day counts once, however often something was reported on it. */
const typicalWaits = async (db: ReadDb, { timezone, today, liftId }: Asked): Promise<readonly OfLift[]> => {
  const { rows } = await sql<Omit<OfLift, 'weekday'> & { readonly weekday: number }>`
    select lift_id, extract(dow from local)::int as weekday, to_char(local, 'HH24:MI') as "from",
      round(avg(minutes), 1)::float8 as minutes, count(*)::int as days
    from (
      select q.lift_id,
        ((q.day + q.quarter * interval '15 minutes') at time zone 'UTC') at time zone ${timezone} as local,
        (q.minutes_total + coalesce(q.people_total * 60.0 / l.capacity_per_hour, 0))
          / nullif(q.minutes_reports + case when l.capacity_per_hour is null then 0 else q.people_reports end, 0)
          as minutes
      from ${tableOf(liftQueueQuarters)} q join ${tableOf(resortLifts)} l on l.id = q.lift_id
      where q.day >= ${addDays(today, -7 * TYPICAL_WEEKS)}::date
        and ${liftId === undefined ? sql`true` : sql`q.lift_id = ${liftId}`}
    ) as quarters
    where minutes is not null
    group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows.map(({ weekday, ...row }) => ({ ...row, weekday: WEEKDAYS[weekday] as Weekday }));
};

/** Those of one lift. */
export const typicalWaitsOf = async (
  db: ReadDb,
  asked: Asked & { readonly liftId: string },
): Promise<readonly TypicalWait[]> => (await typicalWaits(db, asked)).map(({ lift_id: _, ...wait }) => wait);

/** The typical wait in minutes at a lift on a weekday, in the quarter of an hour that begins then: `09:15`. */
export type TypicalWaits = (liftId: string, weekday: Weekday, from: string) => number | undefined;

const KEPT_MS = 10 * MINUTE_MS;
interface Kept {
  readonly readAt: number;
  readonly asked: string;
  readonly waits: Promise<TypicalWaits>;
}
/** Of each process. What is typical changes slowly, so that it is not read at every report. */
const kept = new WeakMap<ReadDb, Kept>();

/** Those of all lifts, at most ten minutes old. @param at RFC 3339 */
export const typicalWaitsNow = (db: ReadDb, asked: Omit<Asked, 'liftId'>, at: string): Promise<TypicalWaits> => {
  const readAt = Date.parse(at);
  const name = `${asked.timezone} ${asked.today}`;
  const known = kept.get(db);
  if (known && known.asked === name && readAt - known.readAt < KEPT_MS) return known.waits;
  const waits = typicalWaits(db, asked).then((rows): TypicalWaits => {
    const byName = new Map(
      rows.map(({ lift_id, weekday, from, minutes }) => [`${lift_id} ${weekday} ${from}`, minutes]),
    );
    return (liftId, weekday, from) => byName.get(`${liftId} ${weekday} ${from}`);
  });
  const entry = { readAt, asked: name, waits };
  kept.set(db, entry);
  waits.catch(() => {
    if (kept.get(db) === entry) kept.delete(db);
  });
  return waits;
};
