import { afterAll, beforeAll, expect, test } from 'vitest';
import { isClaimed } from '../../infra/claims.ts';
import { acquireLease, assertLease, type Lease, LeaseLost } from '../../infra/leases.ts';
import { createLogger } from '../../infra/log.ts';
import { createPool, inTransaction, type Pool } from '../../infra/postgres.ts';
import { type Database, freshDatabase } from '../kit/databases.ts';
import { until } from '../kit/until.ts';

const log = createLogger({ level: 'silent' });
let database: Database;
let pool: Pool;

beforeAll(async () => {
  database = await freshDatabase();
  pool = createPool(database.url, { max: 5, applicationName: 'spec', log });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const never = new AbortController().signal;
const acquire = async (name: string, times: { ttlMs?: number; renewEveryMs?: number } = {}): Promise<Lease> => {
  const lease = await acquireLease(pool, { name, signal: never, log, ...times });
  if (!lease) throw new Error('not acquired');
  return lease;
};
/** A holder that never renews, like a frozen process. */
const frozen = (name: string) => acquire(name, { ttlMs: 300, renewEveryMs: 60_000 });

test('a standby takes over as soon as the lease is released, with a higher token', async () => {
  const first = await acquire('clean', { ttlMs: 120_000 });
  const standby = acquire('clean');
  await inTransaction(pool, (client) => assertLease(client, 'clean', first.token));
  const releasedAt = performance.now();
  await first.release();
  const second = await standby;
  expect(performance.now() - releasedAt).toBeLessThan(30_000);
  expect(second.token).toBeGreaterThan(first.token);
  expect(first.lost.aborted).toBe(false);
  await first.release();
  await inTransaction(pool, (client) => assertLease(client, 'clean', second.token));
  await second.release();
});

test('a lease is renewed in the background beyond its time to live', async () => {
  const lease = await acquire('renewed', { ttlMs: 3_000, renewEveryMs: 50 });
  const first = await pool.query('select expires_at from ops.leases where name = $1', ['renewed']);
  await until(async () => {
    const { rows } = await pool.query('select clock_timestamp() > $1 as over', [first.rows[0].expires_at]);
    return rows[0].over;
  });
  expect(lease.lost.aborted).toBe(false);
  await inTransaction(pool, (client) => assertLease(client, 'renewed', lease.token));
  await lease.release();
});

test('a frozen holder notices the loss, and cannot commit after a takeover', async () => {
  const old = await frozen('frozen');
  const next = await acquire('frozen');
  await until(() => old.lost.aborted);
  const late = inTransaction(pool, (client) => assertLease(client, 'frozen', old.token));
  await expect(late).rejects.toThrow(LeaseLost);
  // Its late release must not end the lease of the new holder.
  await old.release();
  await inTransaction(pool, (client) => assertLease(client, 'frozen', next.token));
  const { rows } = await pool.query(
    `select expires_at > clock_timestamp() as held from ops.leases where name = 'frozen'`,
  );
  expect(rows).toEqual([{ held: true }]);
  await next.release();
});

test('no takeover happens during a transaction that has checked its lease', async () => {
  const old = await frozen('fenced');
  let taken = false;
  let next: Promise<Lease> | undefined;
  await inTransaction(pool, async (client) => {
    await assertLease(client, 'fenced', old.token);
    next = acquire('fenced').then((lease) => {
      taken = true;
      return lease;
    });
    await until(() => old.lost.aborted);
    // The standby finds the lease expired, and tries for several of its rounds.
    await until(async () => {
      const { rows } = await pool.query<{ over: boolean }>(
        `select clock_timestamp() > expires_at + interval '1 second' as over from ops.leases where name = 'fenced'`,
      );
      return rows[0]?.over;
    });
    expect(taken).toBe(false);
  });
  const lease = await next;
  expect(lease?.token).toBe(old.token + 1);
  await lease?.release();
});

test('a lease is kept while its own transaction is long and no connection of the pool is free', async () => {
  const connections = async () =>
    (
      await pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and application_name = 'leases'`,
      )
    ).rowCount;
  const before = await connections();
  const busy = createPool(database.url, { max: 1, applicationName: 'busy', log });
  const lease = await acquireLease(busy, { name: 'long', signal: never, log, ttlMs: 2_500, renewEveryMs: 50 });
  if (!lease) throw new Error('not acquired');
  const batch = inTransaction(busy, async (client) => {
    await assertLease(client, 'long', lease.token);
    await client.query('select pg_sleep(3.5)');
  });
  await batch;
  expect(lease.lost.aborted).toBe(false);
  await lease.release();
  await busy.end();
  await until(async () => (await connections()) === before);
});

test('a holder notices a takeover at its next renewal', async () => {
  const lease = await acquire('taken', { renewEveryMs: 20 });
  await pool.query(`update ops.leases set token = token + 1 where name = 'taken'`);
  await until(() => lease.lost.aborted);
});

test('a standby stops waiting when it is stopped', async () => {
  const held = await acquire('busy');
  const stopping = new AbortController();
  const waiting = acquireLease(pool, { name: 'busy', signal: stopping.signal, log });
  stopping.abort();
  expect(await waiting).toBeUndefined();
  await held.release();
});

test.each([
  ['an hour ahead', `clock_timestamp() + interval '1 hour'`],
  ['never', `'infinity'`],
])('a lease of a holder that died is honoured for its length only, also when it ends %s', async (end, sql) => {
  const name = `dead, ends ${end}`;
  await pool.query(`insert into ops.leases (name, holder, token, expires_at) values ($1, 'died', 7, ${sql})`, [name]);
  const lease = await acquire(name, { ttlMs: 1_000 });
  expect(lease.token).toBe(8);
  await lease.release();
});

test('a holder at work keeps its lease when the clock is set back', async () => {
  const lease = await acquire('at work', { ttlMs: 60_000, renewEveryMs: 20 });
  await pool.query(`update ops.leases set expires_at = expires_at + interval '1 hour' where name = 'at work'`);
  const ended = new AbortController();
  let isTaken = false;
  const standby = acquireLease(pool, { name: 'at work', ttlMs: 60_000, signal: ended.signal, log }).then((taken) => {
    isTaken = taken !== undefined;
  });
  await until(
    async () =>
      (await pool.query(`select from ops.leases where name = 'at work' and expires_at < now() + interval '2 minutes'`))
        .rowCount,
  );
  ended.abort();
  await standby;
  expect([isTaken, lease.lost.aborted]).toEqual([false, false]);
  await lease.release();
});

test('a claim is honoured until its end, unless that is further ahead than claims last', async () => {
  const claimed = async (until: string) => {
    const { rows } = await pool.query<{ is_claimed: boolean }>(
      `select ${isClaimed('claimed_until', `interval '1 minute'`)} as is_claimed
       from (select ${until} as claimed_until) as claim`,
    );
    return rows[0]?.is_claimed;
  };
  expect(await claimed(`now() + interval '55 seconds'`)).toBe(true);
  expect(await claimed(`now() - interval '1 second'`)).toBe(false);
  expect(await claimed(`now() + interval '1 hour'`)).toBe(false);
  expect(await claimed('null::timestamptz')).toBe(false);
});
