/** Processes that share leases: each has its part, and the others take over what one leaves behind. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type GroupLease, type LeaseGroupOptions, shareLeases } from '../../infra/leaseGroup.ts';
import { acquireLease, assertLease, LeaseLost } from '../../infra/leases.ts';
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

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** One process of a group with the leases `<group> 1` to `<group> n`. What it works with is in `held`. */
const member = (group: string, n: number, options: Partial<LeaseGroupOptions> = {}) => {
  const stopping = new AbortController();
  let held: readonly GroupLease[] = [];
  let busy: Promise<void> | undefined;
  const names = Array.from({ length: n }, (_, index) => `${group} ${index + 1}`);
  const running = shareLeases(
    pool,
    { group, names, signal: stopping.signal, log, roundMs: 50, ttlMs: 60_000, ...options },
    async (leases, signal) => {
      held = leases;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await busy;
      held = [];
    },
  );
  const stop = async () => {
    stopping.abort();
    await running;
  };
  stops.push(stop);
  return {
    names: () => held.map(({ name }) => name).toSorted(),
    leases: () => held,
    /** It is asked to stop its work, and goes on until the promise resolves. */
    goOnUntil: (done: Promise<void>) => {
      busy = done;
    },
    stop,
  };
};

it('one process has all leases, several have about equal parts, and each lease has one holder', async () => {
  const first = member('shared', 10);
  await until(() => first.names().length === 10);
  const second = member('shared', 10);
  await until(() => first.names().length === 5 && second.names().length === 5);
  const third = member('shared', 10);
  await until(() => third.names().length > 0);
  await until(() => [first, second, third].every((one) => one.names().length <= 4));
  const all = () => [first, second, third].flatMap((one) => one.names());
  await until(() => all().length === 10);
  expect(new Set(all()).size).toBe(10);
});

it('what a process leaves behind is taken over soon after it has stopped', async () => {
  const [first, second] = [member('left', 6), member('left', 6)];
  await until(() => first.names().length === 3 && second.names().length === 3);
  const began = performance.now();
  await second.stop();
  await until(() => first.names().length === 6);
  expect(performance.now() - began).toBeLessThan(30_000); // less than the leases last
});

it('the leases of a frozen process are taken over when they expire, and it can write nothing under them', async () => {
  const frozen = member('frozen', 4, { ttlMs: 600, roundMs: 60_000 });
  await until(() => frozen.names().length === 4);
  const [one] = frozen.leases();
  if (!one) throw new Error('a lease');
  const other = member('frozen', 4);
  await until(() => other.names().length === 4);
  await until(() => frozen.names().length === 0);
  const writing = inTransaction(pool, (client) => assertLease(client, one.name, one.token));
  await expect(writing).rejects.toThrow(LeaseLost);
});

it('a lease is given up only when the work under it has ended', async () => {
  const first = member('busy', 4);
  await until(() => first.names().length === 4);
  let finish = (): void => undefined;
  first.goOnUntil(
    new Promise((resolve) => {
      finish = resolve;
    }),
  );
  const second = member('busy', 4, { roundMs: 20 });
  const seen = await until(async () => {
    const { rows } = await pool.query(`select 1 from ops.leases where name like 'busy@%'`);
    return rows.length === 2;
  });
  expect(seen).toBe(true);
  for (const { name, token } of first.leases()) await inTransaction(pool, (client) => assertLease(client, name, token));
  expect(second.names()).toEqual([]);
  finish();
  await until(() => first.names().length === 2 && second.names().length === 2);
});

it('a lease that a process of an earlier release holds is waited for', async () => {
  const earlier = await acquireLease(pool, { name: 'mixed 1', signal: new AbortController().signal, log });
  const group = member('mixed', 2);
  await until(() => group.names().length === 1);
  expect(group.names()).toEqual(['mixed 2']);
  await earlier?.release();
  await until(() => group.names().length === 2);
});

it('what the work throws ends it, and frees the leases', async () => {
  const options = { group: 'failing', names: ['failing 1'], ttlMs: 60_000, signal: new AbortController().signal, log };
  await expect(shareLeases(pool, options, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const next = member('failing', 1);
  await until(() => next.names().length === 1);
});

it('what a process held that died before the clock was set back is taken over, and it counts as gone', async () => {
  await pool.query(
    `insert into ops.leases (name, holder, token, expires_at)
     select name, 'died', 3, clock_timestamp() + interval '1 hour'
     from unnest(array['back 1', 'back 2', 'back@died']) as name`,
  );
  const { leases } = member('back', 2, { ttlMs: 1_000 });
  await until(() => leases().length === 2);
  expect(leases().map(({ token }) => token)).toEqual([4, 4]);
});
