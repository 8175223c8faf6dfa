/**
 * The tables of analytics. Events are divided by the UTC day of `occurred_at` as it was sent, so that a repeated request
 * finds the same partition, and a day is dropped whole. What has no partition (yet) goes to `…_rest`, and moves when its day
 * gets one: an insert never fails for want of a partition, nor does a restore.
 */
import { analyticsPurpose } from '../../domain/analytics/event.ts';
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import { migrations } from '../../infra/migrations.ts';
import { withoutStatistics } from '../../infra/plannerStatistics.ts';
import { inTransaction, type Pool, type PoolClient, unbounded } from '../../infra/postgres.ts';

export const analyticsMigrations = migrations('analytics', {
  '0001_events': `
    create table ops.analytics_events (
      account_id uuid not null,
      -- chosen by the app
      event_id uuid not null,
      session_id uuid not null,
      -- by the clock of the device
      occurred_at timestamptz not null,
      sent_at timestamptz,
      received_at timestamptz not null,
      -- when it happened by our clock
      at timestamptz not null,
      -- of occurred_at as it was sent, in UTC
      day date not null,
      -- its place in the request
      seq smallint not null,
      kind text not null,
      name text not null,
      properties jsonb not null,
      primary key (account_id, event_id, day)
    ) partition by range (day);
    create index analytics_events_name on ops.analytics_events (name, at) include (account_id, received_at, seq, day);
    do $$ begin
      execute format('create table %s partition of %s default', 'ops.analytics_events_rest', 'ops.analytics_events');
    end $$;
    -- one row a session and day at the resort: what visits and active people are counted by
    create table ops.analytics_visits (
      account_id uuid not null,
      day date not null,
      session_id uuid not null,
      primary key (account_id, day, session_id)
    );
    create index analytics_visits_day on ops.analytics_visits (day, account_id);
  `,
  '0002_conversions': `
    create table ops.analytics_conversions (
      -- derived from the event of the log
      id uuid primary key,
      name text not null,
      item_type text not null,
      item_id uuid not null,
      amount_minor bigint not null,
      currency text not null,
      at timestamptz not null,
      -- null: the person did not consent, was erased, or it was too long ago
      account_id uuid
    );
    create index analytics_conversions_name on ops.analytics_conversions (name, at);
    create index analytics_conversions_account on ops.analytics_conversions (account_id) where account_id is not null;
  `,
  // Funnels by kind read the index alone.
  '0003_events_by_kind': `
    drop index ops.analytics_events_name;
    create index analytics_events_name on ops.analytics_events (name, at) include (account_id, received_at, seq, day, kind);
  `,
  personalData: {
    'ops.analytics_events': {
      whose: 'account_id',
      exported: ['event_id', 'session_id', 'occurred_at', 'sent_at', 'received_at', 'kind', 'name', 'properties'],
      erased: 'deleted',
      why: analyticsPurpose,
      retention: [{ after: 'day', isDay: true, days: 'ANALYTICS_RETENTION_DAYS', by: '`pruneAnalytics`' }],
    },
    'ops.analytics_visits': {
      whose: 'account_id',
      exported: ['day', 'session_id'],
      erased: 'deleted',
      why: analyticsPurpose,
      retention: [{ after: 'day', isDay: true, days: 'ANALYTICS_RETENTION_DAYS', by: '`pruneAnalytics`' }],
    },
    'ops.analytics_conversions': {
      whose: 'account_id',
      exported: ['name', 'item_type', 'item_id', 'amount_minor', 'currency', 'at'],
      erased: { kept: 'what was booked and paid; that it was this person is deleted' },
      why: analyticsPurpose,
      retention: [
        { after: 'at', days: 'ANALYTICS_RETENTION_DAYS', where: 'account_id is not null', by: '`pruneAnalytics`' },
      ],
    },
  },
});

/** The longest `ANALYTICS_RETENTION_DAYS`: each day is a table. */
export const MAX_RETENTION_DAYS = 730;
/** Partitions are made this many days ahead: nothing need be running in between. */
const DAYS_AHEAD = 3;
/** Taking a partition away waits for the queries that run, and everything else would wait behind it. */
const LOCK_WAIT = '5s';

export const utcDay = (ms: number): string => instantOf(ms).slice(0, 10);
const after = (day: string, days: number): string => utcDay(Date.parse(day) + days * DAY_MS);
const partitionOf = (day: string): string => `ops.analytics_events_${day.replaceAll('-', '')}`;
const dayOf = (partition: string): string | undefined => {
  const [, year, month, date] = /^analytics_events_(\d{4})(\d\d)(\d\d)$/.exec(partition) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${date}`;
};

const partitionDays = async (client: PoolClient): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'ops.analytics_events'::regclass order by 1`,
  );
  return rows.flatMap(({ name }) => dayOf(name) ?? []);
};

/** Gives a day its partition, with the events that came before it. */
const openDay = async (client: PoolClient, day: string): Promise<void> => {
  const partition = partitionOf(day);
  // First: an insert into the rest must not wait for us while we wait for it.
  await client.query('lock table ops.analytics_events_rest in access exclusive mode');
  await client.query(`create table ${partition} (like ops.analytics_events including all)`);
  await client.query(withoutStatistics(partition));
  await unbounded(
    client,
    `with moved as (delete from ops.analytics_events_rest where day = '${day}' returning *)
     insert into ${partition} select * from moved`,
  );
  await client.query(
    `alter table ops.analytics_events attach partition ${partition} for values from ('${day}') to ('${after(day, 1)}')`,
  );
};

/** One change of partitions at a time, in a transaction of its own. */
const change = (pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query(`set local lock_timeout = '${LOCK_WAIT}'`);
    await client.query(`select pg_advisory_xact_lock(hashtext('partitions of analytics'))`);
    await work(client);
  });

/** Makes the partitions that are needed and missing: of the next days, and of what has come without one. */
const openDays = async (pool: Pool, oldest: string, today: string): Promise<void> => {
  const { rows } = await pool.query<{ day: string }>(
    'select distinct day from ops.analytics_events_rest where day >= $1',
    [oldest],
  );
  const ahead = Array.from({ length: DAYS_AHEAD + 1 }, (_, n) => after(today, n));
  for (const day of new Set([...ahead, ...rows.map((row) => row.day)]))
    await change(pool, async (client) => {
      if (!(await partitionDays(client)).includes(day)) await openDay(client, day);
    });
};

/**
 * Deletes what is older than `ANALYTICS_RETENTION_DAYS`, and makes the partitions of the next days. Conversions stay, as
 * amounts.
 */
export const pruneAnalytics = async (
  pool: Pool,
  { analyticsRetentionDays }: { readonly analyticsRetentionDays: number },
  now = Date.now(),
): Promise<void> => {
  const oldest = utcDay(now - analyticsRetentionDays * DAY_MS);
  await openDays(pool, oldest, utcDay(now));
  await change(pool, async (client) => {
    for (const day of await partitionDays(client))
      if (day < oldest) await client.query(`drop table ${partitionOf(day)}`);
  });
  await pool.query('delete from ops.analytics_events_rest where day < $1', [oldest]);
  await pool.query('delete from ops.analytics_visits where day < $1', [oldest]);
  await pool.query('update ops.analytics_conversions set account_id = null where account_id is not null and at < $1', [
    oldest,
  ]);
};
