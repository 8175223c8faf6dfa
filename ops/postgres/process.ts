/** The server process: finding it, stopping it, and cleaning up after an earlier start. */
import type { ChildProcess } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../infra/log.ts';
import { sleep } from '../../infra/retry.ts';
import { removeSockets } from './socket.ts';

/** SIGINT = fast shutdown, SIGQUIT = immediate shutdown (recovers at the next start), then SIGKILL. */
const ENDINGS = [
  { signal: 'SIGINT', waitMs: 15_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/** Stops the server that this process started. Resolves when it has ended. */
export const endServer = async (server: ChildProcess, exited: AbortSignal): Promise<void> => {
  for (const { signal, waitMs } of ENDINGS) {
    if (exited.aborted) return;
    server.kill(signal);
    await sleep(waitMs, exited);
  }
};

/**
 * Stops a server that outlived its owner. Call it only while owning the data directory: then no owner is alive. The caller
 * waits for its lock.
 */
export const stopOrphan = async (pid: number, data: string, log: Logger): Promise<void> => {
  log.warn({ server_pid: pid }, 'stopping the embedded PostgreSQL that an earlier start left behind');
  for (const { signal, waitMs } of ENDINGS) {
    const deadline = performance.now() + waitMs;
    if (!(await isServerOf(pid, data))) return;
    process.kill(pid, signal);
    while ((await isServerOf(pid, data)) && performance.now() < deadline) await sleep(20);
  }
};

const PID_FILE = 'postmaster.pid';

/** The process id of the server that runs on this directory; undefined when it is none that we see. */
export const findServer = async (data: string): Promise<number | undefined> => {
  const lines = await readFile(join(data, PID_FILE), 'utf8').catch(() => '');
  const pid = Number(lines.split('\n')[0]);
  return (await isServerOf(pid, data)) ? pid : undefined;
};

/**
 * Removes what a server that was killed left. Its lock file names a process, whose id another one may have now. Call it
 * only while holding the lock of the server.
 */
export const removeServerMarks = async (data: string): Promise<void> => {
  await removeSockets(data);
  await rm(join(data, PID_FILE), { force: true });
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * The process id in the file may belong to another program by now. On Linux we check it: the server's working directory
 * is its data directory.
 */
const isServerOf = async (pid: number, data: string): Promise<boolean> => {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  return (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === (await realpath(data));
};
