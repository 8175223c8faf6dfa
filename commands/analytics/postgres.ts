/** Analytics in the schema `ops`. */
import type { Conversion } from '../../domain/analytics/event.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { gather } from '../../infra/gather.ts';
import { createKeyedQueue } from '../../infra/keyedQueue.ts';
import { inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import { countFunnel } from './funnel.ts';
import { groupedInserts } from './groupedInserts.ts';
import type { ActiveDay, ActivePeople, AnalyticsStore, Cohort, Dates, FunnelQuery, RecordedEvent } from './store.ts';

/** A group is inserted within some tens of milliseconds, so that those who wait for the next one wait no longer. */
const GROUPS = { group: 2_500, atOnce: 2, waiting: 50_000 };

/** Queries over many rows: few at a time, so that bookings find connections and memory. */
const HEAVY = { atOnce: 2, waiting: 8, patienceMs: 20_000 };

/** Has the database scan with several processes, and see one state of the data. */
const MANY_ROWS = `
  set transaction isolation level repeatable read; set local work_mem = '128MB';
  set local parallel_setup_cost = 0; set local parallel_tuple_cost = 0;
  set local min_parallel_table_scan_size = 0; set local min_parallel_index_scan_size = 0`;

/** The error of a statement that was ended after the time limit of its session. */
const TIMED_OUT = '57014';
const refuseTooMuch = (error: unknown): never => {
  if ((error as { code?: string }).code !== TIMED_OUT) throw error;
  throw new Rejected('invalid', 'Counting this takes too long. Ask for a shorter period.', { fields: ['from', 'to'] });
};

/** In the order of the primary key, so that two inserts of the same events wait for each other and never deadlock. */
const INSERT = `
  with added as (
    insert into ops.analytics_events
      (account_id, event_id, session_id, occurred_at, sent_at, received_at, at, day, seq, kind, name, properties)
    select account_id, event_id, session_id, occurred_at, sent_at, received_at, at, day, seq, kind, name, properties
    from rows from (
      unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
        $7::timestamptz[], $8::date[], $9::smallint[], $10::text[], $11::text[]),
      jsonb_array_elements($12::jsonb)
    ) as sent (account_id, event_id, session_id, occurred_at, sent_at, received_at, at, day, seq, kind, name, properties)
    order by account_id, event_id
    on conflict do nothing
    returning account_id, event_id, day
  ), visited as (
    insert into ops.analytics_visits (account_id, day, session_id)
    select * from unnest($13::uuid[], $14::date[], $15::uuid[]) as visits (account_id, day, session_id)
    order by account_id, day, session_id
    on conflict do nothing
  )
  select account_id || ' ' || event_id || ' ' || day as key from added`;

/** An array in the notation of the database, of what needs no quotes: ids, times and numbers. Half the time of quoting. */
const plainArray = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`;

/** The UTC day, which the time begins with. */
const dayOf = ({ occurredAt }: RecordedEvent): string => occurredAt.slice(0, 'YYYY-MM-DD'.length);
const keyOf = (event: RecordedEvent): string => `${event.accountId} ${event.eventId} ${dayOf(event)}`;

interface Visit {
  readonly accountId: string;
  readonly day: string;
  readonly sessionId: string;
}
const visitsIn = (events: readonly RecordedEvent[]): Visit[] => {
  const visits = new Map<string, Visit>();
  for (const { accountId, sessionId, localDate } of events)
    visits.set(`${accountId} ${sessionId} ${localDate}`, { accountId, day: localDate, sessionId });
  return [...visits.values()];
};

const insertEvents = async (pool: Pool, events: readonly RecordedEvent[]): Promise<readonly boolean[]> => {
  const column = <K extends keyof RecordedEvent>(name: K) => events.map((event) => event[name]);
  const visits = visitsIn(events);
  const { rows } = await pool.query<{ key: string }>(INSERT, [
    plainArray(column('accountId')),
    plainArray(column('eventId')),
    plainArray(column('sessionId')),
    plainArray(column('occurredAt')),
    plainArray(column('sentAt')),
    plainArray(column('receivedAt')),
    plainArray(column('at')),
    plainArray(events.map(dayOf)),
    plainArray(column('seq')),
    column('kind'),
    column('name'),
    `[${column('properties').join(',')}]`,
    plainArray(visits.map(({ accountId }) => accountId)),
    plainArray(visits.map(({ day }) => day)),
    plainArray(visits.map(({ sessionId }) => sessionId)),
  ]);
  const added = new Set(rows.map(({ key }) => key));
  // Of events with the same key, the first counts as the new one.
  return events.map((event) => added.delete(keyOf(event)));
};

interface CountedConversion {
  readonly conversion: Conversion;
  readonly accountId: string | null;
}

const INSERT_CONVERSIONS = `
  insert into ops.analytics_conversions (id, name, item_type, item_id, amount_minor, currency, at, account_id)
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::bigint[], $6::text[], $7::timestamptz[], $8::uuid[])
    as new (id, name, item_type, item_id, amount_minor, currency, at, account_id)
  order by id on conflict do nothing`;

const insertConversions = async (pool: Pool, counted: readonly CountedConversion[]): Promise<void> => {
  const column = <K extends keyof Conversion>(name: K) => counted.map(({ conversion }) => conversion[name]);
  await pool.query(INSERT_CONVERSIONS, [
    column('id'),
    column('name'),
    column('itemType'),
    column('itemId'),
    column('amountMinor'),
    column('currency'),
    column('at'),
    counted.map(({ accountId }) => accountId),
  ]);
};

const FORGET = [
  'delete from ops.analytics_events where account_id = $1',
  'delete from ops.analytics_visits where account_id = $1',
  'update ops.analytics_conversions set account_id = null where account_id = $1',
];

const ACTIVE_PEOPLE = `
  select count(distinct account_id) filter (where day = $1) as dau,
    count(distinct account_id) filter (where day > $1::date - 7) as wau,
    count(distinct account_id) as mau
  from ops.analytics_visits where day > $1::date - 30 and day <= $1`;

const COHORTS = `
  with people as (
    select account_id, date_trunc('week', min(day))::date as week from ops.analytics_visits group by account_id
  ), weeks as (
    select distinct p.week, p.account_id, (date_trunc('week', v.day)::date - p.week) / 7 as later
    from people p join ops.analytics_visits v using (account_id)
    where p.week between $1 and $2 and v.day <= $2
  )
  select week, later, count(*) as people from weeks group by week, later order by week, later`;

interface CohortRow {
  readonly week: string;
  readonly later: number;
  readonly people: number;
}
const cohortsOf = (rows: readonly CohortRow[]): Cohort[] => {
  const cohorts = new Map<string, number[]>();
  for (const { week, later, people } of rows) {
    const active = cohorts.get(week) ?? [];
    while (active.length < later) active.push(0);
    active.push(people);
    cohorts.set(week, active);
  }
  return [...cohorts].map(([week, active]) => ({ week, size: active[0] ?? 0, active }));
};

/** Nothing is asked of the database yet. @param patientPool for what counts much */
export const createAnalyticsStore = (pool: Pool, patientPool = pool): AnalyticsStore => {
  const queue = createKeyedQueue(HEAVY);
  const heavy = <R>(count: (client: PoolClient) => Promise<R>): Promise<R> =>
    queue.run('analytics', () => inTransaction(patientPool, count, [MANY_ROWS]).catch(refuseTooMuch));
  const insertConversion = gather(
    async (counted: readonly CountedConversion[]) => {
      await insertConversions(pool, counted);
      return counted;
    },
    GROUPS.group,
    1,
  );
  return {
    addEvents: groupedInserts((events: readonly RecordedEvent[]) => insertEvents(pool, events), GROUPS),
    addConversion: async (conversion: Conversion, accountId) => {
      await insertConversion({ conversion, accountId });
    },
    forgetWhose: async (conversionId: string) => {
      await pool.query('update ops.analytics_conversions set account_id = null where id = $1', [conversionId]);
    },
    funnel: (query: FunnelQuery) => heavy((client) => countFunnel(client, query)),
    forget: (accountId: string) =>
      inTransaction(pool, async (client) => {
        for (const statement of FORGET) await client.query(statement, [accountId]);
      }),
    visitsOf: async (accountId: string, { from, to }: Dates) => {
      const { rows } = await pool.query<{ visits: number }>(
        `select count(distinct session_id) as visits from ops.analytics_visits
         where account_id = $1 and day between $2 and $3`,
        [accountId, from, to],
      );
      return rows[0]?.visits ?? 0;
    },
    activeDays: async ({ from, to }: Dates) => {
      const { rows } = await patientPool.query<ActiveDay>(
        `select day, count(distinct account_id) as people, count(*) as visits from ops.analytics_visits
         where day between $1 and $2 group by day order by day`,
        [from, to],
      );
      return rows;
    },
    activePeople: async (day: string) => {
      const { rows } = await patientPool.query<ActivePeople>(ACTIVE_PEOPLE, [day]);
      return rows[0] ?? { dau: 0, wau: 0, mau: 0 };
    },
    cohorts: ({ from, to }: Dates) =>
      heavy(async (client) => cohortsOf((await client.query<CohortRow>(COHORTS, [from, to])).rows)),
  };
};
