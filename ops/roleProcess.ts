/**
 * A role as a child process, for both the parent and the child. The parent forks `ops/main.js` with `ROLE` set. The
 * child reports when it is ready, or in one sentence why it cannot start, and ends when its parent is gone.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { sleep, withTimeout } from '../infra/retry.ts';
import type { Service } from './supervisor.ts';

/** Messages of a child to its parent. */
export type ChildMessage =
  | { readonly kind: 'ready'; readonly address?: string }
  | { readonly kind: 'failed'; readonly why: string };

/** Milliseconds. `stop` is a little longer than a role takes to drain; after it the child is killed. */
export const ROLE_LIMITS = { start: 60_000, stop: 15_000 };

export interface RoleOptions {
  readonly limits?: typeof ROLE_LIMITS;
  /** Makes the process; by default a new one. */
  readonly fork?: (module: string, env: NodeJS.ProcessEnv) => ChildProcess;
  /** Called with every new child. */
  readonly onFork?: (child: ChildProcess, role: string) => void;
}

const forkChild = (module: string, env: NodeJS.ProcessEnv): ChildProcess =>
  fork(module, [], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

/** The address that the child reports when it is ready. Rejects when it fails before. `onExit` is told of every end. */
const untilReady = (
  role: string,
  child: ChildProcess,
  onExit: Parameters<Service['start']>[0],
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    child.on('message', (message: ChildMessage) => {
      if (message.kind === 'ready') resolve(message.address);
      if (message.kind === 'failed') reject(new Error(message.why));
    });
    child.on('error', reject);
    child.once('exit', (code, killedBy) => {
      reject(new Error(`${role} ended with ${killedBy ?? code} before it was ready`));
      onExit(`ended with ${killedBy ?? code}`);
    });
  });

/** Asks the child to end, and kills it after `patienceMs`. `exited` fires when it has ended. */
const stopChild = async (child: ChildProcess, patienceMs: number, exited: AbortSignal): Promise<void> => {
  child.kill('SIGTERM');
  await sleep(patienceMs, exited);
  if (exited.aborted) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};

/** Runs `module` (the compiled `ops/main.js`) as `role`. Its log lines go directly to our output. */
export const roleService = (
  role: string,
  module: string,
  env: NodeJS.ProcessEnv,
  options: RoleOptions = {},
): Service => ({
  name: role,
  start: async (onExit, signal) => {
    const child = (options.fork ?? forkChild)(module, { ...env, ROLE: role });
    const limits = options.limits ?? ROLE_LIMITS;
    options.onFork?.(child, role);
    const exited = new AbortController();
    child.once('exit', () => exited.abort());
    const kill = () => child.kill('SIGKILL');
    signal.addEventListener('abort', kill);
    try {
      const address = await withTimeout(
        untilReady(role, child, onExit),
        limits.start,
        `${role} was not ready within ${limits.start / 1_000} s`,
      );
      return {
        pid: child.pid ?? 0,
        ...(address === undefined ? {} : { address }),
        stop: () => stopChild(child, limits.stop, exited.signal),
      };
    } catch (error) {
      kill();
      throw error;
    } finally {
      signal.removeEventListener('abort', kill);
    }
  },
});

/** Whether this process was forked by a supervisor. */
export const isSupervised = (): boolean => process.send !== undefined;

/** Sends a message to the supervisor, if there is one. Resolves when the message was sent. */
export const tellParent = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, () => resolve());
    else resolve();
  });
