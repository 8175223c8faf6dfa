/**
 * Jobs: work for later, kept in Postgres. Deadlines, and calls to other systems that may fail for a while. A job runs at
 * least once, in one process at a time: one that was claimed and not finished is claimed again. `jobRunner.ts` runs them.
 */
import { addMs } from '../../domain/core/instants.ts';
import { createKeyedQueue, Overloaded } from '../../infra/keyedQueue.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { CoreDeps } from './deps.ts';
import type { CommandContext } from './handle.ts';
import { changeJob, JOBS_CHANNEL, type JobSink } from './jobChanges.ts';

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
  '0002_indexes_of_next_and_parked': `
    create index jobs_next on ops.jobs (run_at) where run_at < 'infinity';
    create index jobs_parked on ops.jobs (kind, id) where run_at = 'infinity';
    drop index ops.jobs_run_at;
  `,
  '0003_done_jobs': `
    -- for whoever looks for what a request led to; nothing depends on it, so that a crash may empty it
    create unlogged table ops.done_jobs (
      kind text not null,
      id text not null,
      correlation_id text not null,
      attempts integer not null,
      -- of an attempt before the last one
      last_error text,
      done_at timestamptz not null
    );
    create index done_jobs_correlation_id on ops.done_jobs using hash (correlation_id);
    create index done_jobs_done_at on ops.done_jobs using brin (done_at);
  `,
  '0004_claims': `
    -- which process works on it, by a name of the claim, and until when: as run_at, unless the job was set anew since
    alter table ops.jobs add column claim uuid, add column claimed_until timestamptz;
    create index jobs_claimed on ops.jobs (claimed_until) where claimed_until is not null;
  `,
  personalData: {
    'ops.jobs': { nothing: 'ids of what is due', retention: { until: 'the job is done' } },
    'ops.done_jobs': { nothing: 'ids of what was done', retention: [{ after: 'done_at', days: 3 }] },
  },
});

export interface JobSignals {
  /** Fires when this process is told to end, which kills it soon: what waits for long leaves the rest to the next run. */
  readonly stopping?: AbortSignal | undefined;
  /** Fires when another process may run the job, because this one could not renew its claim. */
  readonly lost?: AbortSignal | undefined;
}

interface Job<D> extends JobSignals {
  readonly id: string;
  readonly data: D;
  /** 1 for the first. */
  readonly attempt: number;
}

/** What a policy handler or a job works with. `Deps`: what it needs. */
export interface PolicyContext<Deps = CoreDeps> {
  readonly deps: Deps;
  /** The actor is the system. In a job `at` is never before the due time. */
  readonly context: CommandContext;
}

/** Returns `againAt` to run again at that time, as a new job with no failed attempts. */
export type Run<D, Deps> = (job: Job<D>, ctx: PolicyContext<Deps>) => Promise<{ readonly againAt: string } | undefined>;

export interface JobDefinition<D = unknown, Deps = CoreDeps> {
  /** Stored in the table: never renamed. */
  readonly kind: string;
  readonly run: Run<D, Deps>;
  /**
   * It waits for no other jobs, is never parked, and is repeated at the latest this many milliseconds after a failure.
   * Operators are told.
   */
  readonly urgentMs?: number;
  /** How long a run may take before it counts as hanging, in milliseconds. By default ten minutes. */
  readonly longestMs?: number;
  /** So many run at once in a process, so that slow ones do not take all its room. By default as many as there is room for. */
  readonly atOnce?: number;
  /** What became of what jobs with these ids have handed over, such as e-mails: id → a few words. */
  readonly outcomes?: (db: Queryable, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Sets the job, or moves it if it is set. There is one job for each kind and id. */
  schedule(to: JobSink, cause: { correlationId: string }, job: { id: string; dueAt: string; data: D }): Promise<void>;
  /** Sets the job unless it is set. */
  scheduleOnce(
    to: JobSink,
    cause: { correlationId: string },
    job: { id: string; dueAt: string; data: D },
  ): Promise<void>;
  /** Makes the job due now, if it is set. */
  runNow(to: JobSink, id: string): Promise<void>;
  cancel(to: JobSink, id: string): Promise<void>;
}

const setter =
  <D>(kind: string, how: 'set' | 'set once'): JobDefinition<D>['schedule'] =>
  (to, { correlationId }, { id, dueAt, data }) =>
    changeJob(to, { how, kind, id, dueAt, data: JSON.stringify(data), correlationId });

/** What finds no place soon comes back after this time. */
const FULL_MS = 10_000;

const limited = <D, Deps>(run: Run<D, Deps>, atOnce: number): Run<D, Deps> => {
  const places = createKeyedQueue({ atOnce, waiting: 20, patienceMs: 500 });
  return (job, ctx) =>
    places
      .run('', () => run(job, ctx))
      .catch((error: unknown) => {
        if (!(error instanceof Overloaded)) throw error;
        return { againAt: addMs(ctx.context.at, FULL_MS) };
      });
};

/** @param kind stored in the table: never renamed */
export const defineJob = <D extends object, Deps = CoreDeps>(
  kind: string,
  run: Run<D, Deps>,
  options: Pick<JobDefinition, 'urgentMs' | 'longestMs' | 'atOnce' | 'outcomes'> = {},
): JobDefinition<D, Deps> => ({
  kind,
  run: options.atOnce === undefined ? run : limited(run, options.atOnce),
  ...options,
  schedule: setter(kind, 'set'),
  scheduleOnce: setter(kind, 'set once'),
  runNow: (to, id) => changeJob(to, { how: 'run now', kind, id }),
  cancel: (to, id) => changeJob(to, { how: 'cancel', kind, id }),
});

/** The ids of the jobs of one kind that are set, whenever they are due. */
export const jobIds = async (db: Queryable, kind: string): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>('select id from ops.jobs where kind = $1 order by id', [kind]);
  return rows.map(({ id }) => id);
};

export interface ParkedJob {
  readonly kind: string;
  readonly id: string;
  readonly due_at: string;
  readonly attempts: number;
  readonly last_error: string | null;
}

/** Jobs that failed too often and wait for an operator. */
export const parkedJobs = async (db: Queryable): Promise<ParkedJob[]> => {
  const { rows } = await db.query<ParkedJob>(
    `select kind, id, due_at, attempts, last_error from ops.jobs where run_at = 'infinity' order by kind, id`,
  );
  return rows;
};

/** How many jobs wait for an operator. */
export const countParkedJobs = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ count: number }>(`select count(*) from ops.jobs where run_at = 'infinity'`);
  return rows[0]?.count ?? 0;
};

export interface FailingJobs {
  readonly kind: string;
  readonly count: number;
  readonly last_error: string;
}

/** A single failure may be a restart of something. */
const FAILURES = 3;

/** Jobs of these kinds that have failed several times and are repeated. */
export const failingJobs = async (db: Queryable, kinds: readonly string[]): Promise<FailingJobs[]> => {
  const { rows } = await db.query<FailingJobs>(
    `select kind, count(*)::int as count, max(last_error) as last_error from ops.jobs
     where kind = any($1) and attempts >= ${FAILURES} and last_error is not null and run_at < 'infinity'
     group by kind order by kind`,
    [kinds],
  );
  return rows;
};

/** Makes all parked jobs due again. @returns how many */
export const retryParkedJobs = async (db: Queryable): Promise<number> => {
  const { rowCount } = await db.query(
    `with retried as (update ops.jobs set run_at = now(), attempts = 0 where run_at = 'infinity' returning 1)
     select pg_notify('${JOBS_CHANNEL}', '') from retried`,
  );
  return rowCount ?? 0;
};
