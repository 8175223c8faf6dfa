/**
 * The other side of `processPool.ts`: a process that does jobs. A thread beside it watches the limits, because the job may
 * never let this thread run again.
 */
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface JobLimits {
  /** Milliseconds from the start of the job to its answer, watched from outside. */
  readonly wallMs: number;
  /** Milliseconds of CPU, of all threads. */
  readonly cpuMs: number;
  /** All memory of the process. */
  readonly memoryBytes: number;
  /** What the files that the job writes may have together. */
  readonly outputBytes: number;
}

/** What the watchdog looks at. */
export interface Watched extends JobLimits {
  /** The process id of the parent, which may be gone before this process has started. */
  readonly parent: number;
}

export interface JobMessage {
  readonly job: unknown;
  /** The files that the job writes. */
  readonly outputs: readonly string[];
}

/** `isLast`: the process does no further job. `cpuMs`: what it has used for this one, of all threads. */
export type JobAnswer = { readonly isLast: boolean; readonly cpuMs: number } & (
  | { readonly value: unknown }
  | { readonly failed: string }
);

/** Jobs that one process does: whatever they leave behind in it does not add up. */
const MOST_JOBS = 200;

/** Does the jobs that the parent sends, one after the other, until the parent is gone. */
export const serveJobs = (work: (job: unknown) => Promise<unknown>): void => {
  const limits = JSON.parse(process.argv[2] ?? '') as Watched;
  // Who asks for something else must not wait for a processor.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const watchdog = new Worker(new URL('./watchdog.js', import.meta.url), { workerData: limits });
  let done = 0;
  const isWorn = () => done >= MOST_JOBS || process.memoryUsage.rss() > limits.memoryBytes / 2;

  process.on('disconnect', () => process.exit());
  process.on('message', async ({ job, outputs }: JobMessage) => {
    watchdog.postMessage(outputs);
    const before = process.cpuUsage();
    const result = await work(job).then(
      (value) => ({ value }),
      (error: unknown) => ({ failed: String(error) }),
    );
    watchdog.postMessage(null);
    done += 1;
    const { user, system } = process.cpuUsage(before);
    process.send?.({ ...result, isLast: isWorn(), cpuMs: (user + system) / 1_000 } satisfies JobAnswer);
  });
};
