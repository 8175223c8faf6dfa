/** The line of funnels over what apps report. */
import { createAnalyticsStore } from '../../../commands/analytics/postgres.ts';
import type { FunnelQuery } from '../../../commands/analytics/store.ts';
import { analyticsMigrations } from '../../../commands/analytics/tables.ts';
import { migrateOps } from '../../../infra/migrations.ts';
import { createPool, type Pool } from '../../../infra/postgres.ts';
import type { Goal, Line } from '../line.ts';
import { once } from '../rounds.ts';
import { type BenchStores, log, query, startStores } from '../stores.ts';

const DAYS = 30;
/** What takes longer is refused. */
const MOST_S = 30;
/** The period of the events, which are always the same. */
const BEGIN = Date.parse('2026-10-01T00:00:00Z');
const day = (n: number): string => new Date(BEGIN + n * 86_400_000).toISOString().slice(0, 10);
const STEPS = ['home', 'search', 'hotel_card', 'offer'] as const;
const ROUNDS = 3;

/**
 * A fifth of the events are steps, half of those the first, by as many people as a fiftieth of the events. The others have
 * names that nobody asks for.
 */
const FILL = `
  insert into ops.analytics_events
    (account_id, event_id, session_id, occurred_at, received_at, at, day, seq, kind, name, properties)
  select account, gen_random_uuid(), account, at, at + interval '1 second', at, at::date, n % 500, kind, name,
    jsonb_build_object('source', (array['search', 'mail', 'push', 'friend', 'map'])[1 + n % 5], 'position', n % 40)
  from (
    select n, ('00000000-0000-4000-8000-' || lpad(to_hex((random() * $3)::int), 12, '0'))::uuid as account,
      $2::timestamptz + random() * interval '1 day' as at, case when n % 3 = 0 then 'click' else 'screen_view' end as kind,
      case n % 10 when 0 then 'home' when 1 then (array['search', 'hotel_card', 'offer'])[1 + n / 10 % 3]
        else 'screen_' || n % 97 end as name
    from generate_series(1, $1::int) as n
    order by at
  ) made`;

const fill = async (pool: Pool, events: number): Promise<void> => {
  process.stderr.write(`making ${events} events of apps, once\n`);
  for (let n = 0; n < DAYS; n += 1) {
    const partition = `ops.analytics_events_${day(n).replaceAll('-', '')}`;
    await pool.query(
      `create table ${partition} partition of ops.analytics_events for values from ('${day(n)}') to ('${day(n + 1)}')`,
    );
    await pool.query(FILL, [Math.round(events / DAYS), `${day(n)}T00:00:00Z`, events / 50]);
  }
  await pool.query('vacuum analyze ops.analytics_events');
};

/** A database with these events and nothing else, made at the first use. */
const openEvents = async ({ postgres, emptyDatabase }: BenchStores, events: number): Promise<Pool> => {
  const name = `app_events_${events}`;
  const made = await query(postgres.url, 'select from pg_database where datname = $1', [name]);
  const url =
    made.length > 0 ? Object.assign(new URL(postgres.url), { pathname: name }).href : await emptyDatabase(name);
  const pool = createPool(url, { max: 3, applicationName: 'bench', log, statementTimeoutMs: 600_000 });
  if (made.length > 0) return pool;
  try {
    await migrateOps(pool, [analyticsMigrations]);
    await fill(pool, events);
    return pool;
  } catch (error) {
    await pool.end();
    await query(postgres.url, `drop database ${name} with (force)`);
    throw error;
  }
};

const asked: FunnelQuery = {
  steps: STEPS,
  windowS: 7 * 86_400,
  from: `${day(0)}T00:00:00Z`,
  to: `${day(DAYS)}T00:00:00Z`,
  mode: 'any',
};
const questions: readonly (readonly [string, FunnelQuery])[] = [
  ['all together', asked],
  ['by kind', { ...asked, groupBy: { by: 'kind' } }],
  ['by a property', { ...asked, groupBy: { by: 'property', name: 'source' } }],
];

export const funnel: Line = {
  name: 'funnel',
  work: 'a funnel of four steps over a month of 10,000,000 events, of which 2,000,000 are steps; divided by kind and by a property, too',
  peer: null,
  goal: '≤ 30 s each: what takes longer is refused',
  run: async ({ size: { appEvents: events }, stopResort }) => {
    await stopResort();
    const stores = await startStores('analytics');
    try {
      const pool = await openEvents(stores, events);
      const store = createAnalyticsStore(pool);
      const processes = { postgres: stores.postgres.pid, api: process.pid };
      const results = [];
      for (const [name, question] of questions) {
        await store.funnel(question);
        results.push(
          await once(name, processes, async () => {
            const begun = performance.now();
            for (let n = 0; n < ROUNDS; n += 1) await store.funnel(question);
            return { operations: ROUNDS, seconds: (performance.now() - begun) / 1_000 };
          }),
        );
      }
      await pool.end();
      const goals = results.map(
        ({ name, rate }): Goal => ({ what: `s, ${name}`, value: 1 / rate.median, limit: MOST_S, is: 'at most' }),
      );
      return [{ name: 'funnel', results, goals, note: `${events} events` }];
    } finally {
      await stores.stop();
    }
  },
};
