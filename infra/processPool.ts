/**
 * Work that cannot be trusted to end, such as reading foreign bytes, in processes of its own. A process does one job at a
 * time, is killed at the limits of that job, and is replaced. It gets no settings and no secrets of this process.
 *
 * One account has at most one place, and rests after a job that took long, so that some accounts cannot have all places
 * all the time. The jobs that wait for a place are one of each account, oldest first: so an account waits for others,
 * never behind several jobs of one.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobAnswer, JobLimits, JobMessage, Watched } from './jobProcess.ts';
import { createKeyedQueue, Overloaded } from './keyedQueue.ts';
import type { Logger } from './log.ts';

/** The process was killed at a limit, or it ended by itself in the middle of the job. */
export class JobKilled extends Error {
  override readonly name = 'JobKilled';
}

export interface ProcessPoolOptions {
  /** The compiled module of the process, which calls `serveJobs`. */
  readonly entry: string;
  /** How many processes run at the same time: at least two, so that one account cannot have all of them. */
  readonly places: number;
  readonly limits: JobLimits;
  readonly log: Logger;
  /** How many jobs wait for a place. */
  readonly waiting?: number;
  /** How long a job waits for its account, and then for a place, in milliseconds. */
  readonly patienceMs?: number;
  /** A job that takes more than so many milliseconds of CPU is a long one. */
  readonly longMs?: number;
}

export interface ProcessPool {
  /**
   * @param account whose job it is
   * @param outputs the files that the job writes, which together have a limit
   * @returns what the process answered: whatever reads foreign bytes can be taken over, so that the answer has to be checked
   * @throws JobKilled at a limit or after a crash
   * @throws Overloaded when too many jobs wait, or no process can be started
   */
  run(account: string, job: unknown, outputs: readonly string[]): Promise<unknown>;
  /** The processes that run now, for tests. */
  pids(): readonly number[];
}

/** Jobs of one account that wait. An account cannot send more uploads at once. */
const WAITING_OF_ACCOUNT = 10;
const WAITING = 50;
const PATIENCE_MS = 30_000;
/** An ordinary photo or voice message takes less than a second. */
const LONG_MS = 2_000;
/**
 * So many times what a job took beyond that, its account rests: it has a third of a place, however much it sends. Its next
 * job is not refused for that: with the limits of uploads, an account rests for less than `PATIENCE_MS`.
 */
const RESTS = 2;
/** A process without work ends after so long: its libraries take some 100 MB. */
const IDLE_MS = 60_000;
/** Megabytes of JavaScript objects, without buffers and native memory, which `memoryBytes` also counts. */
const HEAP_MB = 256;

/** `MALLOC_ARENA_MAX`: threads of native libraries keep less of what they have freed. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', VIPS_DISC_THRESHOLD: '8g' };

const start = (entry: string, limits: JobLimits): ChildProcess =>
  fork(entry, [JSON.stringify({ ...limits, parent: process.pid } satisfies Watched)], {
    env: ENVIRONMENT,
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    // What a library prints would be of foreign bytes.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });

/** A process that waits does not keep this one running. It ends when the channel between them closes. */
const hold = (child: ChildProcess, isHeld: boolean): void => {
  child[isHeld ? 'ref' : 'unref']();
  child.channel?.[isHeld ? 'ref' : 'unref']();
};

/** Sends the job and waits for its answer. @throws JobKilled, Overloaded when the process did not start */
const answerOf = async (child: ChildProcess, job: JobMessage, wallMs: number): Promise<JobAnswer> => {
  const settled = new AbortController();
  const { signal } = settled;
  const late = setTimeout(() => child.kill('SIGKILL'), wallMs);
  try {
    const answered = once(child, 'message', { signal }); // rejects when the process cannot be started
    const exited = once(child, 'exit', { signal }).then(([code, killedBy]) => {
      throw new JobKilled(`ended with ${killedBy ?? code}`);
    });
    exited.catch(() => undefined); // `answered` may have failed before
    child.send(job, () => undefined); // a process that is gone is told by `exit`
    const [answer] = await Promise.race([answered, exited]);
    return answer as JobAnswer;
  } catch (error) {
    if (error instanceof JobKilled) throw error;
    throw new Overloaded('no process could be started', { cause: error });
  } finally {
    clearTimeout(late);
    settled.abort();
  }
};

export const createProcessPool = (options: ProcessPoolOptions): ProcessPool => {
  const { entry, places, limits, log, waiting = WAITING, patienceMs = PATIENCE_MS, longMs = LONG_MS } = options;
  const ofAccount = createKeyedQueue({ atOnce: 1, waiting: WAITING_OF_ACCOUNT, patienceMs });
  const forPlace = createKeyedQueue({ atOnce: places, waiting, patienceMs });
  const running = new Set<ChildProcess>();
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  /** Accounts after a long job: when their next one may begin. */
  const resting = new Map<string, Promise<void>>();

  const end = (child: ChildProcess) => {
    clearTimeout(idle.get(child));
    idle.delete(child);
    running.delete(child);
    child.kill('SIGKILL');
  };
  const take = (): ChildProcess => {
    const [waiting] = idle;
    if (waiting) {
      const [child, timer] = waiting;
      clearTimeout(timer);
      idle.delete(child);
      return child;
    }
    const child = start(entry, limits);
    child.on('error', () => end(child));
    child.once('exit', () => end(child));
    running.add(child);
    return child;
  };
  const keep = (child: ChildProcess) => {
    hold(child, false);
    idle.set(child, setTimeout(end, IDLE_MS, child).unref());
  };

  const rest = (account: string, cpuMs: number): void => {
    const ms = RESTS * (cpuMs - longMs);
    if (ms <= 0) return;
    const rested = sleep(ms, undefined, { ref: false });
    resting.set(account, rested);
    void rested.then(() => resting.delete(account));
  };

  const runNow = async (account: string, job: JobMessage): Promise<unknown> => {
    const child = take();
    hold(child, true);
    const began = performance.now();
    try {
      const answer = await answerOf(child, job, limits.wallMs);
      rest(account, answer.cpuMs);
      if (answer.isLast) end(child);
      else keep(child);
      if ('failed' in answer) throw new Error(`a job in a process of its own failed: ${answer.failed}`);
      return answer.value;
    } catch (error) {
      end(child);
      if (error instanceof JobKilled) {
        const ms = Math.round(performance.now() - began);
        rest(account, Math.min(ms, limits.cpuMs));
        log.warn({ why: error.message, ms }, 'a job was killed');
      }
      throw error;
    }
  };

  return {
    run: (account, job, outputs) =>
      ofAccount.run(account, async () => {
        const rested = resting.get(account);
        if (rested) await rested;
        return forPlace.run('processes', () => runNow(account, { job, outputs }));
      }),
    pids: () => [...running].flatMap(({ pid }) => pid ?? []),
  };
};
