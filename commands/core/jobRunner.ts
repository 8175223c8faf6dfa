/**
 * Runs the jobs that are due. Any number of workers share the table: each claims some jobs (`jobClaims.ts`), and takes over
 * those of a worker that was killed or only stood still. In that case both run it, which does no harm: everything that a job
 * does is safe to repeat. Jobs that fail are retried with a growing backoff, and parked in the end unless they are urgent.
 * Urgent jobs have room of their own.
 */

import { HOUR_MS, isBefore } from '../../domain/core/instants.ts';
import { storableText } from '../../domain/core/storable.ts';
import { derivedId } from '../../infra/ids.ts';
import { listen } from '../../infra/listen.ts';
import { metrics } from '../../infra/metrics.ts';
import type { Pool } from '../../infra/postgres.ts';
import { sleep, spread } from '../../infra/retry.ts';
import type { CoreDeps } from './deps.ts';
import type { CommandContext } from './handle.ts';
import { HANGS_AFTER_MS, reportHanging } from './hangingJobs.ts';
import { JOBS_CHANNEL, keyOf } from './jobChanges.ts';
import { type ClaimedJob, claim, createClaimKeeper, endJob, failJob, repeatJob, untilNext } from './jobClaims.ts';
import { countParkedJobs, type JobDefinition, type JobSignals } from './jobs.ts';
import { overdueHurry } from './overdueJobs.ts';

/** So many urgent jobs run at once, and so many others: urgent ones never wait for those. */
const AT_ONCE = 32;
/** While there is no room for other jobs, the table is read this often for urgent ones. */
const URGENT_LOOK_MS = 1_000;
/** Parked jobs are counted at most this often. */
const PARKED_REPORT_MS = 10_000;
const MAX_BACKOFF_MS = HOUR_MS;
/** After this many failures, which with the backoff take about a day, the job is parked. */
const MAX_ATTEMPTS = 35;

/** Milliseconds until the next attempt; `null`: the job is parked until an operator retries it. */
const backoffMs = (attempts: number, urgentMs: number | undefined): number | null =>
  attempts >= MAX_ATTEMPTS && urgentMs === undefined
    ? null
    : spread(Math.min(urgentMs ?? MAX_BACKOFF_MS, 1_000 * 2 ** (attempts - 1)));

/**
 * Runs a claimed job and records the outcome: done, again later, or parked.
 * @returns whether it is done, and was not set anew meanwhile
 */
export const runJob = async <Deps extends CoreDeps>(
  deps: Deps,
  jobs: ReadonlyMap<string, JobDefinition<never, Deps>>,
  job: ClaimedJob,
  signals: JobSignals = {},
): Promise<boolean> => {
  const { kind, id, data, attempts, correlation_id: correlationId, due_at: dueAt } = job;
  const now = deps.now();
  // A job that was set again for the same time is another command. With the ids of the first, the store would take what
  // it appends on a stale state for a repetition and drop it.
  const commandId = derivedId('job', kind, id, dueAt, attempts, job.claim);
  const context: CommandContext = {
    correlationId,
    causationId: commandId,
    commandId,
    actor: { kind: 'system', id: `job:${kind}`, role: 'system' },
    ip: null,
    at: isBefore(now, dueAt) ? dueAt : now,
  };
  try {
    const next = await jobs
      .get(kind)
      ?.run({ id, data: data as never, attempt: attempts, ...signals }, { deps, context });
    if (!next) return await endJob(deps.pool, job);
    await repeatJob(deps.pool, job, next.againAt);
  } catch (error) {
    const urgentMs = jobs.get(kind)?.urgentMs;
    const wait = backoffMs(attempts, urgentMs);
    deps.log[wait === null || urgentMs !== undefined ? 'error' : 'warn'](
      { err: error, kind, id, correlation_id: correlationId, attempts, parked: wait === null },
      'job failed',
    );
    await failJob(deps.pool, job, wait, storableText(error instanceof Error ? error.message : String(error)));
  }
  return false;
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

  const claims = createClaimKeeper(deps.pool, deps.log);
  const begin = (job: ClaimedJob) => {
    const lane = urgent.kinds.includes(job.kind) ? urgent : ordinary;
    const longestMs = byKind.get(job.kind)?.longestMs ?? HANGS_AFTER_MS;
    const signals = { stopping: signal, lost: claims.keep(job, longestMs) };
    const work = reportHanging(job, deps.log, runJob(deps, byKind, job, signals), longestMs)
      .catch((err: unknown) => {
        deps.log.warn({ err, kind: job.kind }, 'the outcome of a job was not recorded, it will run again');
        return false;
      })
      .then((isDone) => {
        // Nothing else is due earlier than is known, unless there was no room for it.
        if (!isDone || !hasRoom(lane)) readIn(0);
        claims.letGo(job);
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
  await claims.stop();
};
