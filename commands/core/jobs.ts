/**
 * What is to happen later, kept in Postgres: deadlines, and work that may fail for a while (everything that asks someone
 * outside). At least once: a job that was taken and not finished is taken again. Any number of workers share the table.
 */
import { derivedId } from '../../infra/ids.ts';
import { metrics } from '../../infra/metrics.ts';
import { migrations } from '../../infra/migrations.ts';
import { listen, type Pool, type Queryable } from '../../infra/postgres.ts';
import { sleep } from '../../infra/retry.ts';
import type { CommandDeps } from './deps.ts';
import type { CommandContext } from './handle.ts';

export const jobMigrations = migrations('commands', {
  '0001_jobs': `
    create table ops.jobs (
      kind text not null,
      id text not null,
      due_at timestamptz not null,
      -- the next attempt: due_at at first, later after a backoff; infinity = parked, a person has to look
      run_at timestamptz not null,
      data jsonb not null,
      correlation_id text not null,
      attempts integer not null default 0,
      last_error text,
      primary key (kind, id)
    );
    create index jobs_run_at on ops.jobs (run_at);
  `,
});

/** NOTIFY channel: something is due earlier than was known. */
const JOBS_CHANNEL = 'jobs';
/**
 * After this long another worker takes a job over: the one that had it may be gone, and someone waits to see what they
 * paid for. Harmless when it is only slow, because whatever a job does is safe to repeat.
 */
const TAKEN_FOR = `interval '20 seconds'`;
const AT_ONCE = 32;
/** Looks again after so long even if nothing is known to be due: a notification may have been lost. */
const IDLE_MS = 30_000;
/** Due but just being taken by another worker: don't spin. */
const LEAST_WAIT_MS = 5;
const MAX_BACKOFF_MS = 3_600_000;
/** With the backoff this is about a day; then the job is parked. */
const MAX_ATTEMPTS = 35;

export interface Job<D> {
  readonly id: string;
  readonly data: D;
  /** 1 for the first. */
  readonly attempt: number;
}

export interface PolicyContext {
  readonly deps: CommandDeps;
  /** As the system; `at` is never before the due time. */
  readonly context: CommandContext;
}

/** May ask to be run again later, as a job of its own. */
export type Run<D> = (job: Job<D>, ctx: PolicyContext) => Promise<{ readonly againAt: string } | undefined>;

export interface JobDefinition<D = unknown> {
  /** Lies in the table: never renamed. */
  readonly kind: string;
  readonly run: Run<D>;
  /** Sets it, or moves it if it is set. One a kind and id. */
  schedule(db: Queryable, cause: { correlationId: string }, job: { id: string; dueAt: string; data: D }): Promise<void>;
  /** Sets it unless it is set. */
  scheduleOnce(
    db: Queryable,
    cause: { correlationId: string },
    job: { id: string; dueAt: string; data: D },
  ): Promise<void>;
  /** Runs it now, if it is set. */
  runNow(db: Queryable, id: string): Promise<void>;
  cancel(db: Queryable, id: string): Promise<void>;
}

const MOVE = `update set due_at = excluded.due_at, run_at = excluded.due_at, data = excluded.data,
  correlation_id = excluded.correlation_id, attempts = 0, last_error = null`;

const setter =
  <D extends object>(kind: string, ifSet: string): JobDefinition<D>['schedule'] =>
  async (db, { correlationId }, { id, dueAt, data }) => {
    await db.query(
      `with job as (
         insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id) values ($1, $2, $3, $3, $4, $5)
         on conflict (kind, id) do ${ifSet}
         returning 1)
       select pg_notify('${JOBS_CHANNEL}', '') from job`,
      [kind, id, dueAt, JSON.stringify(data), correlationId],
    );
  };

export const defineJob = <D extends object>(kind: string, run: Run<D>): JobDefinition<D> => ({
  kind,
  run,
  schedule: setter(kind, MOVE),
  scheduleOnce: setter(kind, 'nothing'),
  runNow: async (db, id) => {
    await db.query(
      `with job as (update ops.jobs set run_at = now(), due_at = least(due_at, now())
         where kind = $1 and id = $2 returning 1)
       select pg_notify('${JOBS_CHANNEL}', '') from job`,
      [kind, id],
    );
  },
  cancel: async (db, id) => {
    await db.query('delete from ops.jobs where kind = $1 and id = $2', [kind, id]);
  },
});

export interface ClaimedJob {
  readonly kind: string;
  readonly id: string;
  readonly due_at: string;
  /** Until then it is ours; it also tells whether somebody has set it anew meanwhile. Text: exact to the microsecond. */
  readonly ours_until: string;
  readonly data: object;
  readonly correlation_id: string;
  readonly attempts: number;
}

/** Takes what is due, by the database's clock, for `TAKEN_FOR`. */
export const claim = async (pool: Pool, kinds: readonly string[], most: number): Promise<ClaimedJob[]> => {
  const { rows } = await pool.query<ClaimedJob>(
    `update ops.jobs t set run_at = now() + ${TAKEN_FOR}, attempts = attempts + 1
     from (select kind, id from ops.jobs where run_at <= now() and kind = any ($1)
           order by run_at limit $2 for update skip locked) due
     where t.kind = due.kind and t.id = due.id
     returning t.kind, t.id, t.due_at, t.run_at::text as ours_until, t.data, t.correlation_id, t.attempts`,
    [kinds, most],
  );
  return rows;
};

const OURS = 'kind = $1 and id = $2 and run_at = $3::timestamptz';
const ours = ({ kind, id, ours_until }: ClaimedJob) => [kind, id, ours_until];

/** `null`: parked, until somebody sets it going again. */
const backoffMs = (attempts: number): number | null =>
  attempts >= MAX_ATTEMPTS ? null : Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** (attempts - 1));

/** Runs one that was taken, and settles it: done, again later, or parked. */
export const runJob = async (
  deps: CommandDeps,
  jobs: ReadonlyMap<string, JobDefinition<never>>,
  job: ClaimedJob,
): Promise<void> => {
  const { kind, id, data, attempts, correlation_id: correlationId, due_at: dueAt } = job;
  const now = deps.now();
  const commandId = derivedId('timer', kind, id, dueAt, attempts);
  const context: CommandContext = {
    correlationId,
    causationId: commandId,
    commandId,
    actor: { kind: 'system', id: `timer:${kind}`, role: 'system' },
    ip: null,
    at: Date.parse(now) < Date.parse(dueAt) ? dueAt : now,
  };
  try {
    const next = await jobs.get(kind)?.run({ id, data: data as never, attempt: attempts }, { deps, context });
    if (next)
      await deps.pool.query(`update ops.jobs set run_at = $4, due_at = $4, attempts = 0 where ${OURS}`, [
        ...ours(job),
        next.againAt,
      ]);
    else await deps.pool.query(`delete from ops.jobs where ${OURS}`, ours(job));
  } catch (error) {
    const wait = backoffMs(attempts);
    deps.log[wait === null ? 'error' : 'warn'](
      { err: error, kind, id, attempts, parked: wait === null },
      'timer failed',
    );
    const runAt = wait === null ? 'infinity' : new Date(Date.now() + wait).toISOString();
    await deps.pool.query(`update ops.jobs set run_at = $4, last_error = $5 where ${OURS}`, [
      ...ours(job),
      runAt,
      error instanceof Error ? error.message : String(error),
    ]);
  }
};

/** Milliseconds until something is due, by the database's clock. */
const untilNext = async (pool: Pool, kinds: readonly string[]): Promise<number> => {
  const { rows } = await pool.query<{ ms: number | null; parked: number }>(
    `select (extract(epoch from min(run_at) filter (where kind = any ($1) and run_at < 'infinity') - now()) * 1000)::float8 as ms,
            count(*) filter (where run_at = 'infinity') as parked
     from ops.jobs`,
    [kinds],
  );
  metrics.jobsParked.set(rows[0]?.parked ?? 0);
  return Math.ceil(Math.min(IDLE_MS, Math.max(LEAST_WAIT_MS, rows[0]?.ms ?? IDLE_MS)));
};

/** Runs what is due until `signal` fires, then finishes what it has begun. */
export const runJobs = async (
  deps: CommandDeps & { readonly databaseUrl: string },
  jobs: readonly JobDefinition<never>[],
  signal: AbortSignal,
): Promise<void> => {
  const byKind = new Map(jobs.map((each) => [each.kind, each]));
  const kinds = [...byKind.keys()];
  const running = new Set<Promise<void>>();
  let wake = new AbortController();
  const listener = await listen(deps.databaseUrl, [JOBS_CHANNEL], () => wake.abort(), {
    applicationName: 'jobs',
    log: deps.log,
    onReconnect: () => wake.abort(),
  });

  const begin = (job: ClaimedJob) => {
    const work = runJob(deps, byKind, job)
      .catch((err: unknown) => deps.log.warn({ err, kind: job.kind }, 'timer not settled, it will run again'))
      .finally(() => {
        running.delete(work);
        wake.abort();
      });
    running.add(work);
  };
  const round = async (): Promise<number> => {
    const free = AT_ONCE - running.size;
    const jobs = free > 0 ? await claim(deps.pool, kinds, free) : [];
    for (const job of jobs) begin(job);
    return running.size === AT_ONCE ? IDLE_MS : untilNext(deps.pool, kinds);
  };

  while (!signal.aborted) {
    wake = new AbortController();
    const wait = await round().catch((err: unknown) => {
      deps.log.warn({ err }, 'jobs cannot be read');
      return 1_000;
    });
    await sleep(wait, AbortSignal.any([signal, wake.signal]));
  }
  await listener.stop();
  await Promise.all(running);
};

export interface ParkedJob {
  readonly kind: string;
  readonly id: string;
  readonly due_at: string;
  readonly attempts: number;
  readonly last_error: string | null;
}

/** What has failed too often. */
export const parkedJobs = async (db: Queryable): Promise<ParkedJob[]> => {
  const { rows } = await db.query<ParkedJob>(
    `select kind, id, due_at, attempts, last_error from ops.jobs where run_at = 'infinity' order by kind, id`,
  );
  return rows;
};

/** Sets everything that is parked going again. @returns how many */
export const retryParkedJobs = async (db: Queryable): Promise<number> => {
  const { rowCount } = await db.query(
    `with retried as (update ops.jobs set run_at = now(), attempts = 0 where run_at = 'infinity' returning 1)
     select pg_notify('${JOBS_CHANNEL}', '') from retried`,
  );
  return rowCount ?? 0;
};
