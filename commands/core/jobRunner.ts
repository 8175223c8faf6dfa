/**
 * Runs the jobs that are due. Any number of workers share the table: each claims some jobs for a short time. Jobs that
 * fail are retried with a growing backoff, and parked in the end unless they are urgent. Urgent jobs have room of their own.
 */

import { HOUR_MS, isBefore } from '../../domain/core/instants.ts';
import { storableText } from '../../domain/core/storable.ts';
import { gatherBy } from '../../infra/gather.ts';
import { derivedId } from '../../infra/ids.ts';
import { listen } from '../../infra/listen.ts';
import { metrics } from '../../infra/metrics.ts';
import type { Pool } from '../../infra/postgres.ts';
import { sleep, spread } from '../../infra/retry.ts';
import type { CoreDeps } from './deps.ts';
import type { CommandContext } from './handle.ts';
import { reportHanging } from './hangingJobs.ts';
import { IDLE_MS, JOBS_CHANNEL, keyOf } from './jobChanges.ts';
import { countParkedJobs, type JobDefinition } from './jobs.ts';
import { overdueHurry } from './overdueJobs.ts';

/**
 * How long a claim lasts. After it another process takes the job over, because the first may have died. If the first is
 * only slow, both run it, which does no harm: everything that a job does is safe to repeat. A process does not run a job
 * that it still runs: one that hangs would take all the room in time.
 */
const CLAIMED_FOR = `interval '20 seconds'`;
/** So many urgent jobs run at once, and so many others: urgent ones never wait for those. */
const AT_ONCE = 32;
/** While there is no room for other jobs, the table is read this often for urgent ones. */
const URGENT_LOOK_MS = 1_000;
/** Waits at least this long, so that a job which another worker is claiming does not cause a busy loop. */
const LEAST_WAIT_MS = 5;
/** Parked jobs are counted at most this often. */
const PARKED_REPORT_MS = 10_000;
const MAX_BACKOFF_MS = HOUR_MS;
/** After this many failures, which with the backoff take about a day, the job is parked. */
const MAX_ATTEMPTS = 35;

export interface ClaimedJob {
  readonly kind: string;
  readonly id: string;
  readonly due_at: string;
  /** The claim lasts until then. Also shows whether the job was set anew meanwhile. Text: exact to the microsecond. */
  readonly claimed_until: string;
  readonly data: object;
  readonly correlation_id: string;
  readonly attempts: number;
}

const notRunning = (parameter: string): string => `kind || ' ' || id <> all (${parameter}::text[])`;

/**
 * Claims due jobs, by the database's clock, for `CLAIMED_FOR`.
 * @param running the keys of those that this process still runs
 */
export const claim = async (
  pool: Pool,
  kinds: readonly string[],
  most: number,
  running: readonly string[] = [],
): Promise<ClaimedJob[]> => {
  const { rows } = await pool.query<ClaimedJob>(
    `update ops.jobs t set run_at = now() + ${CLAIMED_FOR}, attempts = attempts + 1
     from (select kind, id from ops.jobs where run_at <= now() and run_at < 'infinity' and kind = any ($1)
           and ${notRunning('$3')} order by run_at limit $2 for update skip locked) due
     where t.kind = due.kind and t.id = due.id
     returning t.kind, t.id, t.due_at, t.run_at::text as claimed_until, t.data, t.correlation_id, t.attempts`,
    [kinds, most, running],
  );
  return rows;
};

const STILL_CLAIMED = 'kind = $1 and id = $2 and run_at = $3::timestamptz';
const claimKey = ({ kind, id, claimed_until }: ClaimedJob) => [kind, id, claimed_until];

/** SQL: deletes jobs, and notes that they are done. @param chosen which ones, as `using …` or `where …` */
const deleteAndNote = (chosen: string): string => `
  with done as (
    delete from ops.jobs as job ${chosen}
    returning job.kind, job.id, job.correlation_id, job.attempts, job.last_error
  ), noted as (
    insert into ops.done_jobs (kind, id, correlation_id, attempts, last_error, done_at)
    select kind, id, correlation_id, attempts, last_error, clock_timestamp() from done
  )
  select kind, id from done`;
const DELETE_DONE = deleteAndNote(`using (
    select kind, id from ops.jobs
    where (kind, id, run_at) in (select * from unnest($1::text[], $2::text[], $3::timestamptz[]))
    for update skip locked) as claimed
  where job.kind = claimed.kind and job.id = claimed.id`);
const DELETE_LEFT = deleteAndNote(`where ${STILL_CLAIMED}`);

/**
 * Deletes a job that is done, and says whether it was still as it was claimed. Those that are done while others are being
 * deleted are deleted together. One that a transaction is just changing is left to it: the others would wait for it.
 */
const deleteDone = gatherBy(
  async (pool: Pool, done: readonly ClaimedJob[]) => {
    const { rows } = await pool.query<{ kind: string; id: string }>(DELETE_DONE, [
      done.map(({ kind }) => kind),
      done.map(({ id }) => id),
      done.map((job) => job.claimed_until),
    ]);
    const deleted = new Set(rows.map(keyOf));
    return done.map((job) => deleted.has(keyOf(job)));
  },
  2 * AT_ONCE,
  1,
);

/**
 * The same for one that was left because its row was locked: waits for whoever has locked it. That may be the claim of
 * another process, which changes nothing, so that the job would run again.
 */
const deleteLeft = async (pool: Pool, job: ClaimedJob): Promise<boolean> =>
  ((await pool.query(DELETE_LEFT, claimKey(job))).rowCount ?? 0) > 0;

/** Milliseconds until the next attempt; `null`: the job is parked until an operator retries it. */
const backoffMs = (attempts: number, urgentMs: number | undefined): number | null =>
  attempts >= MAX_ATTEMPTS && urgentMs === undefined
    ? null
    : spread(Math.min(urgentMs ?? MAX_BACKOFF_MS, 1_000 * 2 ** (attempts - 1)));

/**
 * Runs a claimed job and records the outcome: done, again later, or parked.
 * @param stopping fires when this process is told to end
 * @returns whether it is done, and was not set anew meanwhile
 */
export const runJob = async <Deps extends CoreDeps>(
  deps: Deps,
  jobs: ReadonlyMap<string, JobDefinition<never, Deps>>,
  job: ClaimedJob,
  stopping?: AbortSignal,
): Promise<boolean> => {
  const { kind, id, data, attempts, correlation_id: correlationId, due_at: dueAt, claimed_until: claimed } = job;
  const now = deps.now();
  // A job that was set again for the same time is another command. With the ids of the first, the store would take what
  // it appends on a stale state for a repetition and drop it.
  const commandId = derivedId('job', kind, id, dueAt, attempts, claimed);
  const context: CommandContext = {
    correlationId,
    causationId: commandId,
    commandId,
    actor: { kind: 'system', id: `job:${kind}`, role: 'system' },
    ip: null,
    at: isBefore(now, dueAt) ? dueAt : now,
  };
  try {
    const next = await jobs.get(kind)?.run({ id, data: data as never, attempt: attempts, stopping }, { deps, context });
    if (next)
      await deps.pool.query(`update ops.jobs set run_at = $4, due_at = $4, attempts = 0 where ${STILL_CLAIMED}`, [
        ...claimKey(job),
        next.againAt,
      ]);
    else return (await deleteDone(deps.pool, job)) || (await deleteLeft(deps.pool, job));
    return false;
  } catch (error) {
    const urgentMs = jobs.get(kind)?.urgentMs;
    const wait = backoffMs(attempts, urgentMs);
    deps.log[wait === null || urgentMs !== undefined ? 'error' : 'warn'](
      { err: error, kind, id, correlation_id: correlationId, attempts, parked: wait === null },
      'job failed',
    );
    // By the database's clock, like every comparison with `run_at`: the clock of this process may differ.
    const again = `coalesce(now() + $4::float8 * interval '1 millisecond', 'infinity')`;
    await deps.pool.query(`update ops.jobs set run_at = ${again}, last_error = $5 where ${STILL_CLAIMED}`, [
      ...claimKey(job),
      wait,
      storableText(error instanceof Error ? error.message : String(error)),
    ]);
    return false;
  }
};

/** Milliseconds until the next job is due, by the database's clock. @param running as for `claim` */
export const untilNext = async (
  pool: Pool,
  kinds: readonly string[],
  running: readonly string[] = [],
): Promise<number> => {
  const { rows } = await pool.query<{ ms: number }>(
    `select (extract(epoch from run_at - now()) * 1000)::float8 as ms from ops.jobs
     where run_at < 'infinity' and kind = any ($1) and ${notRunning('$2')} order by run_at limit 1`,
    [kinds, running],
  );
  return Math.ceil(Math.min(IDLE_MS, Math.max(LEAST_WAIT_MS, rows[0]?.ms ?? IDLE_MS)));
};

/** Reports the parked jobs, but not each round: there can be many rounds a second. */
const parkedReport = (pool: Pool) => {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<void> => {
    if (performance.now() - reportedAt < PARKED_REPORT_MS) return;
    metrics.jobsParked.set(await countParkedJobs(pool));
    reportedAt = performance.now();
  };
};

/** Jobs that share some room. */
interface Lane {
  readonly kinds: readonly string[];
  /** By `keyOf`. */
  readonly running: Map<string, Promise<void>>;
}
const roomIn = ({ running }: Lane): number => AT_ONCE - running.size;
const hasRoom = (lane: Lane): boolean => roomIn(lane) > 0;

/** Runs due jobs until `signal` fires, then finishes those that have begun. */
export const runJobs = async <Deps extends CoreDeps>(
  deps: Deps & { readonly databaseUrl: string },
  jobs: readonly JobDefinition<never, Deps>[],
  signal: AbortSignal,
): Promise<void> => {
  const byKind = new Map(jobs.map((each) => [each.kind, each]));
  const laneOf = (isUrgent: boolean): Lane => ({
    kinds: jobs.filter(({ urgentMs }) => (urgentMs !== undefined) === isUrgent).map(({ kind }) => kind),
    running: new Map(),
  });
  const [urgent, ordinary] = [laneOf(true), laneOf(false)];
  const lanes = [urgent, ordinary].filter(({ kinds }) => kinds.length > 0);
  /** When the table is read next, by `performance.now()`. */
  let nextAt = 0;
  let wake = new AbortController();
  const readIn = (ms: number) => {
    if (performance.now() + ms >= nextAt) return;
    nextAt = performance.now() + ms;
    wake.abort();
  };
  const listening = listen(deps.databaseUrl, [JOBS_CHANNEL], (_, dueInMs) => readIn(Number(dueInMs) || 0), {
    applicationName: 'jobs',
    log: deps.log,
    onReconnect: () => readIn(0),
    signal,
  });
  void listening.then(() => readIn(0)); // what was set before it listened

  const begin = (job: ClaimedJob) => {
    const lane = urgent.kinds.includes(job.kind) ? urgent : ordinary;
    const work = reportHanging(job, deps.log, runJob(deps, byKind, job, signal), byKind.get(job.kind)?.longestMs)
      .catch((err: unknown) => {
        deps.log.warn({ err, kind: job.kind }, 'the outcome of a job was not recorded, it will run again');
        return false;
      })
      .then((isDone) => {
        // Nothing else is due earlier than is known, unless there was no room for it.
        if (!isDone || !hasRoom(lane)) readIn(0);
        lane.running.delete(keyOf(job));
      });
    lane.running.set(keyOf(job), work);
  };
  const kindsOf = (some: readonly Lane[]): string[] => some.flatMap(({ kinds }) => kinds);
  const runningIn = (some: readonly Lane[]): string[] => some.flatMap(({ running }) => [...running.keys()]);
  /**
   * Begins jobs that are due, in one statement: no more than each lane with room has room for.
   * @returns whether more may be due
   */
  const take = async (some: readonly Lane[]): Promise<boolean> => {
    const open = some.filter(hasRoom);
    if (open.length === 0) return false;
    const most = Math.min(...open.map(roomIn));
    const due = await claim(deps.pool, kindsOf(open), most, runningIn(open));
    for (const job of due) begin(job);
    return due.length === most;
  };
  const reportParked = parkedReport(deps.pool);
  const hurry = overdueHurry(deps.pool, kindsOf(lanes), deps.log);
  const round = async (): Promise<number> => {
    await reportParked();
    await hurry();
    // Urgent ones may be due later than all that were taken.
    if (await take(lanes)) await take(lanes.filter((lane) => lane === urgent));
    if (!hasRoom(ordinary)) return URGENT_LOOK_MS;
    const open = lanes.filter(hasRoom);
    return untilNext(deps.pool, kindsOf(open), runningIn(open));
  };

  while (!signal.aborted) {
    wake = new AbortController();
    const waitMs = nextAt - performance.now();
    if (waitMs > 0) {
      await sleep(waitMs, signal, wake.signal);
      continue;
    }
    nextAt = Number.POSITIVE_INFINITY; // what is notified from here on may not be read by this round
    const next = await round().catch((err: unknown) => {
      deps.log.warn({ err }, 'the jobs cannot be read');
      return 1_000;
    });
    readIn(next);
  }
  await (await listening).stop();
  await Promise.all(lanes.flatMap(({ running }) => [...running.values()]));
};
