/** Processes that share leases: each has its part, and the others take over what one leaves behind. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { isClaimed } from '../../infra/claims.ts';
import { type Lease, type LeaseOptions, shareLeases } from '../../infra/leases.ts';
import { createLogger } from '../../infra/log.ts';
import { createPool, inTransaction, type Pool, type Queryable } from '../../infra/postgres.ts';
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

/** Whether it is still the lease of its holder, as whoever writes under it asks in the transaction. */
const isHeld = async (client: Queryable, { name, token }: Lease): Promise<boolean> => {
  const held = 'select from ops.leases where name = $1 and token = $2 for key share';
  return (await client.query(held, [name, token])).rowCount === 1;
};

/** One process of a group with the leases `<group> 1` to `<group> n`. What it works with is in `held`. */
const member = (group: string, n: number, options: Partial<LeaseOptions> = {}, on: Pool = pool) => {
  const stopping = new AbortController();
  let held: readonly Lease[] = [];
  let busy: Promise<void> | undefined;
  const names = Array.from({ length: n }, (_, index) => `${group} ${index + 1}`);
  const running = shareLeases(
    on,
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
  expect(await isHeld(pool, one)).toBe(false);
  // Its late end must not end the leases of the new holder.
  await frozen.stop();
  for (const lease of other.leases()) expect(await isHeld(pool, lease)).toBe(true);
  expect(other.names()).toHaveLength(4);
});

it('a single lease has one holder, and another process takes it over when that stops, with a higher token', async () => {
  const first = member('single', 1);
  await until(() => first.names().length === 1);
  const [lease] = first.leases();
  const standby = member('single', 1);
  await until(async () => {
    const { rows } = await pool.query(`select 1 from ops.leases where name like 'single@%'`);
    return rows.length === 2;
  });
  expect(standby.names()).toEqual([]);
  await first.stop();
  await until(() => standby.names().length === 1);
  expect(standby.leases()[0]?.token).toBeGreaterThan(lease?.token ?? 0);
});

it('a lease is renewed beyond its length', async () => {
  const { leases } = member('renewed', 1, { ttlMs: 3_000 });
  await until(() => leases().length === 1);
  const [lease] = leases();
  const first = await pool.query('select expires_at from ops.leases where name = $1', ['renewed 1']);
  await until(async () => {
    const { rows } = await pool.query('select clock_timestamp() > $1 as over', [first.rows[0].expires_at]);
    return rows[0].over;
  });
  expect(leases()).toEqual([lease]);
  expect(await isHeld(pool, lease as Lease)).toBe(true);
});

it('no takeover happens during a transaction that has checked its lease', async () => {
  const old = member('fenced', 1, { ttlMs: 300, roundMs: 60_000 });
  await until(() => old.leases().length === 1);
  const [lease] = old.leases() as [Lease];
  let next: ReturnType<typeof member> | undefined;
  await inTransaction(pool, async (client) => {
    expect(await isHeld(client, lease)).toBe(true);
    next = member('fenced', 1);
    // The other finds the lease expired, and tries for several of its rounds.
    await until(async () => {
      const { rows } = await pool.query<{ over: boolean }>(
        `select clock_timestamp() > expires_at + interval '1 second' as over from ops.leases where name = 'fenced 1'`,
      );
      return rows[0]?.over;
    });
    expect(next.leases()).toEqual([]);
  });
  await until(() => next?.leases().length === 1);
  expect(next?.leases()[0]?.token).toBe(lease.token + 1);
});

it('a lease is kept while its own transaction is long and no connection of the pool is free', async () => {
  /** PostgreSQL ends those of the tests before a moment after they were closed. */
  const noConnectionIsLeft = () =>
    until(async () => {
      const ofLeases = `datname = current_database() and application_name = 'leases'`;
      return (await pool.query(`select 1 from pg_stat_activity where ${ofLeases}`)).rowCount === 0;
    });
  await noConnectionIsLeft();
  const small = createPool(database.url, { max: 1, applicationName: 'busy', log });
  const long = member('long', 1, { ttlMs: 2_500 }, small);
  await until(() => long.leases().length === 1);
  const [lease] = long.leases() as [Lease];
  await inTransaction(small, async (client) => {
    expect(await isHeld(client, lease)).toBe(true);
    await client.query('select pg_sleep(3.5)');
  });
  expect(long.leases()).toEqual([lease]);
  await long.stop();
  await small.end();
  await noConnectionIsLeft();
});

it('a holder notices a takeover at its next renewal', async () => {
  const { leases } = member('taken', 1);
  await until(() => leases().length === 1);
  const [lease] = leases();
  await pool.query(
    `update ops.leases set token = token + 1, expires_at = clock_timestamp() + interval '4 seconds' where name = 'taken 1'`,
  );
  // It may have it again by the time we look.
  await until(() => leases()[0]?.token !== lease?.token);
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
  for (const lease of first.leases()) expect(await isHeld(pool, lease)).toBe(true);
  expect(second.names()).toEqual([]);
  finish();
  await until(() => first.names().length === 2 && second.names().length === 2);
});

it('a lease that a process of an earlier release holds is waited for', async () => {
  await pool.query(
    `insert into ops.leases (name, holder, token, expires_at)
     values ('mixed 1', 'of before', 1, clock_timestamp() + interval '1 minute')`,
  );
  const group = member('mixed', 2);
  await until(() => group.names().length === 1);
  expect(group.names()).toEqual(['mixed 2']);
  await pool.query(`update ops.leases set expires_at = '-infinity' where name = 'mixed 1' and token = 1`);
  await until(() => group.names().length === 2);
});

it('what the work throws ends it, and frees the leases', async () => {
  const options = { group: 'failing', names: ['failing 1'], ttlMs: 60_000, signal: new AbortController().signal, log };
  await expect(shareLeases(pool, options, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const next = member('failing', 1);
  await until(() => next.names().length === 1);
});

it.each([
  ['an hour ahead', `clock_timestamp() + interval '1 hour'`],
  ['never', `'infinity'`],
])(
  'what a process held that died before the clock was set back, to end %s, is taken over, and it counts as gone',
  async (end, sql) => {
    const group = `back, ${end}`;
    await pool.query(
      `insert into ops.leases (name, holder, token, expires_at)
     select $1 || name, 'died', 3, ${sql} from unnest(array[' 1', ' 2', '@died']) as name`,
      [group],
    );
    const { leases } = member(group, 2, { ttlMs: 1_000 });
    await until(() => leases().length === 2);
    // More, if a busy machine did not renew them in time.
    for (const { token } of leases()) expect(token).toBeGreaterThan(3);
  },
);

it('a holder at work keeps its lease when the clock is set back', async () => {
  const working = member('at work', 1, { roundMs: 20 });
  await until(() => working.leases().length === 1);
  await pool.query(`update ops.leases set expires_at = expires_at + interval '1 hour' where name = 'at work 1'`);
  const standby = member('at work', 1);
  await until(
    async () =>
      (
        await pool.query(
          `select from ops.leases where name = 'at work 1' and expires_at < now() + interval '2 minutes'`,
        )
      ).rowCount,
  );
  expect([working.names().length, standby.names().length]).toEqual([1, 0]);
});

it('a claim is honoured until its end, unless that is further ahead than claims last', async () => {
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
