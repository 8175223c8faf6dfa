/** The table of jobs when it is long: what one round of a worker reads of it. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { JobBatch } from '../../commands/core/jobChanges.ts';
import { type ClaimedJob, claim, createClaimKeeper, renewClaims, untilNext } from '../../commands/core/jobClaims.ts';
import { runJob, runJobs } from '../../commands/core/jobRunner.ts';
import { countParkedJobs, defineJob, failingJobs, type JobDefinition, parkedJobs } from '../../commands/core/jobs.ts';
import { jobsOfRequest } from '../../commands/core/jobsOfRequest.ts';
import { endOutlived, hurryOverdue } from '../../commands/core/overdueJobs.ts';
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import type { Pool } from '../../infra/postgres.ts';
import { statementsOf } from '../kit/counts.ts';
import { testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

const [LATER, PARKED, DUE] = [30_000, 500, 40];

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
  // Those that are always set: the statistics would have them or not, by chance, and lead to other plans.
  await stores.pool.query('delete from ops.jobs');
  const add = (id: string, count: number, runAt: string) =>
    stores.pool.query(
      `insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id)
       select 'expire', $1 || n, now(), ${runAt}, '{}', '' from generate_series(1, $2::int) n`,
      [id, count],
    );
  await add('later', LATER, `now() + n * interval '1 minute'`);
  await add('parked', PARKED, `'infinity'`);
  await add('due', DUE, `now() - n * interval '1 minute'`);
  await stores.pool.query('analyze ops.jobs');
});

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}
const rowsRead = (plan: Plan): number =>
  (plan['Relation Name'] ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0) +
  (plan.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0);

/** How many rows of the table the statements of `work` read, which are explained instead of run. */
const readBy = async (work: (pool: Pool) => Promise<unknown>): Promise<number> => {
  const plans: Plan[] = [];
  const explain = async (sql: string, values: unknown[]) => {
    const { rows } = await stores.pool.query(`explain (analyze, format json) ${sql}`, values);
    plans.push(rows[0]['QUERY PLAN'][0].Plan);
    return { rows: [], rowCount: 0 };
  };
  await work({ query: explain } as never);
  return plans.reduce((sum, plan) => sum + rowsRead(plan), 0);
};

const KINDS = ['expire', 'remind'];

it('a round reads the jobs that it claims, and the next one', async () => {
  // The next one, while others are due; then all that are due, each found and updated.
  expect(await readBy((pool) => untilNext(pool, KINDS))).toBe(1);
  expect(await readBy((pool) => claim(pool, KINDS, 32))).toBeLessThanOrEqual(3 * 32);
});

it('a job that has ended is deleted without reading the others', async () => {
  const columns = 'kind, id, due_at, gen_random_uuid() as claim, data, correlation_id, attempts';
  const { rows } = await stores.pool.query(`select ${columns} from ops.jobs where id = 'later7'`);
  const ended = defineJob('expire', async () => undefined);
  // It is found once to be locked, once to be deleted, and, as nothing is deleted here, once more.
  const deps = (pool: Pool) => ({ ...testDeps(stores), pool });
  expect(await readBy((pool) => runJob(deps(pool), new Map([['expire', ended]]), rows[0]))).toBeLessThanOrEqual(3);
});

it('urgent jobs are claimed without reading the others that are due', async () => {
  expect(await readBy((pool) => claim(pool, ['urgent'], 32))).toBe(0);
});

describe('a process', () => {
  let fresh: Stores;
  let stopping: AbortController;
  let running: Promise<void>;
  const cause = { correlationId: 'test' };
  const now = () => new Date().toISOString();
  const starts = (...jobs: JobDefinition<never>[]) => {
    running = runJobs(testDeps(fresh), jobs, stopping.signal);
  };
  beforeEach(async () => {
    fresh = await freshStores();
    await fresh.pool.query('delete from ops.jobs'); // those that are always set
    stopping = new AbortController();
  });
  afterEach(async () => {
    stopping.abort();
    await running;
    await fresh.stop();
  });

  it('runs urgent jobs while others take all the room', async () => {
    let end = (): void => undefined;
    const ended = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined);
    });
    let begun = 0;
    let isRescued = false;
    const slow = defineJob('slow', () => {
      begun += 1;
      return ended;
    });
    const rescue = defineJob(
      'rescue',
      async () => {
        isRescued = true;
        return undefined;
      },
      { urgentMs: 1_000 },
    );
    const dueAt = now();
    const ids = Array.from({ length: 40 }, (_, n) => String(n));
    await Promise.all(ids.map((id) => slow.schedule(fresh.pool, cause, { id, dueAt, data: {} })));
    starts(slow, rescue);
    try {
      await until(() => begun === 32);
      await rescue.schedule(fresh.pool, cause, { id: '1', dueAt: now(), data: {} });
      await until(() => isRescued);
      expect(begun).toBe(32);
    } finally {
      end();
    }
    await until(() => begun === 40);
  });

  it('runs an urgent job before others that are due earlier, while others of its kind take nearly all their room', async () => {
    let end = (): void => undefined;
    const ended = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined);
    });
    let begun = 0;
    let ran = 0;
    let ranBefore: number | undefined;
    const rescue = defineJob(
      'rescue',
      ({ id }: { id: string }) => {
        if (id === 'last') ranBefore = ran;
        else begun += 1;
        return id === 'last' ? Promise.resolve(undefined) : ended;
      },
      { urgentMs: 1_000 },
    );
    const plain = defineJob('plain', async () => {
      ran += 1;
      return undefined;
    });
    const waiting = Array.from({ length: 31 }, (_, n) => String(n));
    await Promise.all(waiting.map((id) => rescue.schedule(fresh.pool, cause, { id, dueAt: now(), data: {} })));
    starts(plain, rescue);
    try {
      await until(() => begun === 31);
      const batch = new JobBatch();
      const earlier = new Date(Date.now() - 60_000).toISOString();
      for (let n = 0; n < 500; n += 1) await plain.schedule(batch, cause, { id: String(n), dueAt: earlier, data: {} });
      await rescue.schedule(batch, cause, { id: 'last', dueAt: now(), data: {} });
      await batch.write(fresh.pool);
      await until(() => ranBefore !== undefined);
      expect(ranBefore).toBeLessThan(100);
    } finally {
      end();
    }
  });

  it('deletes jobs that end at the same time in one statement', async () => {
    const quick = defineJob('quick', async () => undefined);
    const ids = Array.from({ length: 30 }, (_, n) => String(n));
    await Promise.all(ids.map((id) => quick.schedule(fresh.pool, cause, { id, dueAt: now(), data: {} })));
    const statements = await statementsOf('test', async () => {
      starts(quick);
      await until(async () => (await fresh.pool.query('select 1 from ops.jobs')).rowCount === 0);
    });
    expect(statements.filter((text) => text.includes('delete from ops.jobs'))).toHaveLength(1);
    const found = await jobsOfRequest(fresh.pool, [quick], [cause.correlationId]);
    expect(new Set(found.map(({ id, state }) => `${state} ${id}`))).toEqual(new Set(ids.map((id) => `done ${id}`)));
  });

  it('shows the jobs of a request that wait, fail or are parked, with their error and their outcome', async () => {
    const failing = defineJob('failing', async () => undefined, {
      outcomes: async (_, ids) => new Map(ids.map((id) => [id, `outcome of ${id}`])),
    });
    const later = instantOf(Date.now() + DAY_MS);
    for (const id of ['waiting', 'failing', 'parked', 'other'])
      await failing.schedule(
        fresh.pool,
        { correlationId: id === 'other' ? id : 'request' },
        { id, dueAt: later, data: {} },
      );
    await fresh.pool.query(
      `update ops.jobs set attempts = 2, last_error = 'no gateway' where id in ('failing', 'parked')`,
    );
    await fresh.pool.query(`update ops.jobs set run_at = 'infinity' where id = 'parked'`);
    const found = await jobsOfRequest(fresh.pool, [failing], ['request']);
    const shown = found.map(({ state, at, last_error, outcome }) => [state, at, last_error, outcome]);
    expect(shown.toSorted()).toEqual([
      ['failing', later, 'no gateway', 'outcome of failing'],
      ['parked', null, 'no gateway', 'outcome of parked'],
      ['waiting', later, null, 'outcome of waiting'],
    ]);
  });

  it('deletes a job that has ended, and was locked then, once it is free: it does not run again', async () => {
    const client = await fresh.pool.connect();
    let ran = 0;
    const quick = defineJob('quick', async () => {
      // As the claim of another process does that began a moment before this one's.
      if (ran === 0) await client.query(`select from ops.jobs where id = 'held' for update`);
      ran += 1;
      return undefined;
    });
    await client.query('begin');
    try {
      await quick.schedule(fresh.pool, cause, { id: 'held', dueAt: now(), data: {} });
      starts(quick);
      await until(async () => {
        const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
        return (await fresh.pool.query(waiting)).rowCount;
      });
    } finally {
      await client.query('rollback');
      client.release();
    }
    await until(async () => (await fresh.pool.query('select 1 from ops.jobs')).rowCount === 0);
    expect(ran).toBe(1);
  });

  it('deletes a job that has ended while another one is being changed in a transaction', async () => {
    const client = await fresh.pool.connect();
    let lock = (): void => undefined;
    const locked = new Promise<void>((resolve) => {
      lock = resolve;
    });
    const quick = defineJob('quick', async ({ id }: { id: string }) => {
      if (id === 'held') await client.query(`select from ops.jobs where id = 'held' for update`).then(lock);
      await locked;
      return undefined;
    });
    const ids = async () =>
      (await fresh.pool.query<{ id: string }>('select id from ops.jobs')).rows.map(({ id }) => id);
    await client.query('begin');
    try {
      for (const id of ['held', 'free']) await quick.schedule(fresh.pool, cause, { id, dueAt: now(), data: {} });
      starts(quick);
      await locked;
      // Not as long as a statement may take.
      await until(async () => !(await ids()).includes('free'), 15_000);
      expect(await ids()).toEqual(['held']);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('asks once in each round for jobs of all kinds, while it has room', async () => {
    const ran: string[] = [];
    const telling = (kind: string, more = {}) =>
      defineJob(
        kind,
        async () => {
          ran.push(kind);
          return undefined;
        },
        more,
      );
    const [plain, rescue] = [telling('plain'), telling('rescue', { urgentMs: 1_000 })];
    for (const job of [plain, rescue]) await job.schedule(fresh.pool, cause, { id: '1', dueAt: now(), data: {} });
    let [claims, rounds] = [0, 0];
    const query = (text: string, values: unknown[]) => {
      if (text.startsWith('update ops.jobs t')) claims += 1;
      if (text.startsWith('select (extract(epoch from least')) rounds += 1; // until the next job, last in a round
      return fresh.pool.query(text, values);
    };
    running = runJobs({ ...testDeps(fresh), pool: { query } as never }, [plain, rescue], stopping.signal);
    await until(() => ran.length === 2 && rounds > 0);
    stopping.abort();
    await running;
    expect(ran.toSorted()).toEqual(['plain', 'rescue']);
    expect(claims).toBe(rounds);
  });

  it('runs jobs and can be stopped while it cannot listen to the database', async () => {
    let ran = 0;
    const counting = defineJob('counting', async () => {
      ran += 1;
      return undefined;
    });
    await counting.schedule(fresh.pool, cause, { id: '1', dueAt: now(), data: {} });
    const deps = { ...testDeps(fresh), databaseUrl: 'postgres://localhost:1/nothing' };
    running = runJobs(deps, [counting], stopping.signal);
    await until(() => ran === 1);
  });

  it('does not run a job again while it runs, but after it when it was set again meanwhile', async () => {
    const ends: (() => void)[] = [];
    const slow = defineJob('slow', () => new Promise<undefined>((end) => void ends.push(() => end(undefined))));
    const quick = defineJob('quick', async () => undefined);
    const set = (job: JobDefinition<object>) =>
      job.schedule(fresh.pool, cause, { id: '1', dueAt: new Date().toISOString(), data: {} });
    const quickIsDone = async () =>
      (await fresh.pool.query(`select 1 from ops.jobs where kind = 'quick'`)).rowCount === 0;
    starts(slow, quick);
    try {
      await set(slow);
      await until(() => ends.length === 1);
      await fresh.pool.query(`update ops.jobs set run_at = now(), claimed_until = now()`); // as when its claim has ended
      await set(quick);
      await until(quickIsDone);
      await set(slow);
      await set(quick);
      await until(quickIsDone);
      expect(ends).toHaveLength(1);
      ends[0]?.();
      await until(() => ends.length === 2);
    } finally {
      stopping.abort();
      for (const end of ends) end();
    }
  });
});

describe('a claimed job', () => {
  const add = async (kind: string): Promise<ClaimedJob> => {
    await stores.pool.query(
      `insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id) values ($1, '1', now(), now(), '{}', '')`,
      [kind],
    );
    const [claimed] = await claim(stores.pool, [kind], 1);
    return claimed!;
  };
  const endClaim = (kind: string) =>
    stores.pool.query(`update ops.jobs set run_at = now(), claimed_until = now() where kind = $1`, [kind]);
  const setAnew = (kind: string) =>
    defineJob(kind, async () => undefined).schedule(
      stores.pool,
      { correlationId: 'test' },
      { id: '1', dueAt: instantOf(Date.now()), data: {} },
    );
  /** Seconds that its claim still lasts, and until it is due. */
  const state = async (kind: string) => {
    const { rows } = await stores.pool.query<{ claimed: number | null; due: number; attempts: number }>(
      `select extract(epoch from claimed_until - now())::float8 as claimed,
         extract(epoch from run_at - now())::float8 as due, attempts from ops.jobs where kind = $1`,
      [kind],
    );
    return rows[0];
  };
  const ending = (kind: string, work = async (): Promise<undefined | { againAt: string }> => undefined) =>
    new Map([[kind, defineJob(kind, work) as never]]);

  it('stays with the process that is at work on it, however long that takes, but not when it hangs', async () => {
    const [long, hanging] = [await add('long'), await add('hanging')];
    const keeper = createClaimKeeper(stores.pool, testDeps(stores).log, 20);
    const signals = [keeper.keep(long, 60_000), keeper.keep(hanging, 0)];
    await endClaim('hanging');
    await endClaim('long');
    const { due } = await until(async () => {
      const seen = await state('long');
      return (seen?.claimed ?? 0) > 15 && seen;
    });
    expect(due).toBeGreaterThan(15);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    expect(await claim(stores.pool, ['long'], 1)).toEqual([]);
    expect(await claim(stores.pool, ['hanging'], 1)).toHaveLength(1);
    keeper.letGo(long);
    await keeper.stop();
  });

  it('is not renewed by a process that another one has replaced, nor ended or put off by it', async () => {
    const former = await add('replaced');
    await endClaim('replaced');
    const [present] = await claim(stores.pool, ['replaced'], 1);
    const before = await state('replaced');
    expect([...(await renewClaims(stores.pool, [former]))]).toEqual([]);
    for (const work of [
      async () => undefined,
      async () => ({ againAt: instantOf(Date.now() + DAY_MS) }),
      async () => Promise.reject(new Error('late')),
    ])
      await runJob(testDeps(stores), ending('replaced', work), former);
    const after = await state('replaced');
    expect(after?.attempts).toBe(before?.attempts);
    expect(after?.claimed).toBeGreaterThan(0);
    expect(await runJob(testDeps(stores), ending('replaced'), present!)).toBe(true);
  });

  it.each([
    ['ends', async () => undefined],
    ['is to run again', async () => ({ againAt: instantOf(Date.now() + DAY_MS) })],
    ['fails', async () => Promise.reject(new Error('not yet'))],
  ])('that was set anew runs in no other process before, and at once when the first run %s', async (how, work) => {
    const kind = `set anew ${how}`;
    const first = await add(kind);
    await setAnew(kind);
    expect(await claim(stores.pool, [kind], 1)).toEqual([]);
    expect(await untilNext(stores.pool, [kind])).toBeGreaterThan(10_000);
    expect([...(await renewClaims(stores.pool, [first]))]).toHaveLength(1);
    expect((await state(kind))?.due).toBeLessThanOrEqual(0);
    expect(await runJob(testDeps(stores), ending(kind, work), first)).toBe(false);
    expect(await claim(stores.pool, [kind], 1)).toMatchObject([{ attempts: 1 }]);
  });

  it('of the former release, which knows the end of a claim by run_at alone, is left to it, and its own is taken over', async () => {
    const kind = 'former release';
    await add(kind);
    await endClaim(kind);
    const formerly = `update ops.jobs set run_at = now() + interval '20 seconds' where kind = $1 and run_at <= now() returning 1`;
    expect((await stores.pool.query(formerly, [kind])).rowCount).toBe(1);
    expect(await claim(stores.pool, [kind], 1)).toEqual([]);
    await stores.pool.query('update ops.jobs set run_at = now() where kind = $1', [kind]);
    expect(await claim(stores.pool, [kind], 1)).toHaveLength(1);
    expect((await stores.pool.query(formerly, [kind])).rowCount).toBe(0);
  });

  it('that a wrong clock has claimed is free when a claim would have ended, unless somebody is at work on it', async () => {
    const [, working] = [await add('wrong clock'), await add('at work')];
    const kinds = ['wrong clock', 'at work'];
    await stores.pool.query(
      `update ops.jobs set run_at = now() + interval '1 hour', claimed_until = now() + interval '1 hour' where kind = any ($1)`,
      [kinds],
    );
    const end = endOutlived(stores.pool, kinds, 20);
    expect(await end()).toBe(0);
    await renewClaims(stores.pool, [working]);
    expect(await until(end)).toBe(1);
    expect((await claim(stores.pool, kinds, 2)).map(({ kind }) => kind)).toEqual(['wrong clock']);
  });
});

it('the parked jobs are counted and listed without reading the others', async () => {
  for (const read of [countParkedJobs, parkedJobs]) expect(await readBy(read)).toBe(PARKED);
  expect(await countParkedJobs(stores.pool)).toBe(PARKED);
  expect(await parkedJobs(stores.pool)).toHaveLength(PARKED);
});

it('the next job is waited for until it is due, by its kind', async () => {
  expect(await untilNext(stores.pool, KINDS)).toBeLessThanOrEqual(5);
  expect(await untilNext(stores.pool, ['remind'])).toBe(30_000);
});

it('an urgent job is never parked, and repeated soon', async () => {
  const fail = async () => Promise.reject(new Error('not yet'));
  const job = defineJob('urgent', fail, { urgentMs: 5_000 });
  await stores.pool.query(
    `insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id) values ('urgent', '1', now(), now(), '{}', '')`,
  );
  for (const attempt of [1, 36, 100_000]) {
    await stores.pool.query(`update ops.jobs set run_at = now(), attempts = $1 where kind = 'urgent'`, [attempt - 1]);
    const [claimed] = await claim(stores.pool, ['urgent'], 1);
    await runJob(testDeps(stores), new Map([[job.kind, job as never]]), claimed!);
    expect(await untilNext(stores.pool, ['urgent'])).toBeLessThanOrEqual(attempt === 1 ? 1_000 : 5_000);
    expect(await failingJobs(stores.pool, ['urgent'])).toHaveLength(attempt === 1 ? 0 : 1);
  }
});

it('a job that was due runs although a wrong clock had put it off; one that is planned waits', async () => {
  await stores.pool.query(
    `insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id) values
       ('put off', 'due', now() - interval '1 minute', now() + interval '1 year', '{}', ''),
       ('put off', 'claimed', now() - interval '1 minute', now() + interval '5 minutes', '{}', ''),
       ('put off', 'parked', now() - interval '1 minute', 'infinity', '{}', ''),
       ('put off', 'planned', now() + interval '1 year', now() + interval '1 year', '{}', '')`,
  );
  expect(await hurryOverdue(stores.pool, ['put off'])).toBe(1);
  expect((await claim(stores.pool, ['put off'], 10)).map(({ id }) => id)).toEqual(['due']);
});

it('a failed job is repeated later and later, by the clock of the database, and parked in the end', async () => {
  const job = defineJob('fail', async () => {
    throw new Error('not yet');
  });
  const jobs = new Map([[job.kind, job as never]]);
  // The clock of this process is a day ahead.
  const deps = { ...testDeps(stores), now: () => instantOf(Date.now() + DAY_MS) };
  await stores.pool.query(
    `insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id) values ('fail', '1', now(), now(), '{}', '')`,
  );
  const waits: (number | null)[] = [];
  /** Seconds that passed at most between the failure and the look at the job. */
  const late: number[] = [];
  for (const attempt of [1, 2, 3, 13, 34, 35]) {
    await stores.pool.query(`update ops.jobs set run_at = now(), attempts = $1 where kind = 'fail'`, [attempt - 1]);
    const [claimed] = await claim(stores.pool, ['fail'], 1);
    const begun = performance.now();
    await runJob(deps, jobs, claimed!);
    const { rows } = await stores.pool.query(
      `select last_error, case when run_at < 'infinity' then extract(epoch from run_at - now())::float8 end as wait
       from ops.jobs where kind = 'fail'`,
    );
    expect(rows[0].last_error).toBe('not yet');
    waits.push(rows[0].wait);
    late.push((performance.now() - begun) / 1_000);
  }
  // Up to a quarter less, so that all that failed together is not repeated together.
  for (const [n, longest] of [1, 2, 4, 3_600, 3_600].entries()) {
    expect(waits[n]).toBeGreaterThan(longest * 0.75 - (late[n] ?? 0));
    expect(waits[n]).toBeLessThanOrEqual(longest);
  }
  expect(waits.at(-1)).toBeNull();
});
