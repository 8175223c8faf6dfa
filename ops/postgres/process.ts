/** The server process: stopping it, guarding it, and cleaning up after an earlier start. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../infra/log.ts';
import { sleep } from '../../infra/retry.ts';
import { exists, type ServerUser } from './home.ts';
import { removeSockets } from './socket.ts';

/**
 * Stops the server when this process ends, even by `kill -9`: the pipe to a small shell closes, and the shell stops the
 * server. Returns the function that releases the guard. Windows has no such shell: there the next start stops the
 * orphan.
 */
export const guardServer = (pid: number, user: ServerUser, log: Logger): (() => void) => {
  if (process.platform === 'win32') return () => undefined;
  const guard = spawn('/bin/sh', ['-c', 'read _; kill -INT "$0"', String(pid)], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', (err) =>
    log.warn({ err }, 'PostgreSQL has no guard: after a kill -9 of this process it runs until the next start'),
  );
  guard.unref();
  return () => guard.kill();
};

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
 * Stops a server that outlived its owner, and removes the lock files of one that has ended. Call it only while holding
 * the lock on the data directory: then no owner is alive.
 */
export const stopOrphan = async (data: string, log: Logger): Promise<void> => {
  const lockFile = join(data, 'postmaster.pid');
  if (!(await exists(lockFile))) return;
  const pid = Number((await readFile(lockFile, 'utf8')).split('\n')[0]);
  if (!(await isServerOf(pid, data))) {
    // A lock file names a process, whose id another one may have now.
    await removeSockets(data);
    await rm(lockFile, { force: true });
    return;
  }
  log.warn({ server_pid: pid }, 'stopping the embedded PostgreSQL that an earlier start left behind');
  for (const { signal, waitMs } of ENDINGS) {
    const deadline = performance.now() + waitMs;
    if (!(await isServerOf(pid, data))) return;
    process.kill(pid, signal);
    while ((await isServerOf(pid, data)) && performance.now() < deadline) await sleep(20);
  }
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
