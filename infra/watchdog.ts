/** A thread that kills its process at the limits of a job, and when the parent is gone. */
import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { Watched } from './jobProcess.ts';

const EVERY_MS = 50;

const limits = workerData as Watched;
/** The job that runs: what it writes, and the CPU time at its start in milliseconds. */
let job: { readonly outputs: readonly string[]; readonly cpuMs: number } | undefined;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const sizeOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);

const isOver = (): boolean =>
  process.ppid !== limits.parent ||
  process.memoryUsage.rss() > limits.memoryBytes ||
  (job !== undefined && (cpuMs() - job.cpuMs > limits.cpuMs || sizeOf(job.outputs) > limits.outputBytes));

parentPort?.on('message', (outputs: readonly string[] | null) => {
  job = outputs === null ? undefined : { outputs, cpuMs: cpuMs() };
});
setInterval(() => {
  if (isOver()) process.kill(process.pid, 'SIGKILL');
}, EVERY_MS);
