/**
 * `npm run dev`: the whole system, compiled and restarted on change. The compiler watches the sources and names each file
 * that it writes; when it reports no errors, the processes that load those files are restarted. Postgres, the event node
 * and all data stay. With errors nothing is restarted, so the last good build goes on answering.
 */
import { spawn } from 'node:child_process';
import { join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endWithNpm } from '../../infra/npm.ts';
import { endProcess, errorOutput, output } from '../../infra/output.ts';
import { readConfig } from '../config.ts';
import { guardProcess } from '../guard.ts';
import { ROLE_LIMITS } from '../roleProcess.ts';
import type { Supervisor } from '../supervisor.ts';
import { runSystem } from '../system.ts';
import { affectedRoles, needsNewStart } from './affected.ts';
import { spareProcesses } from './spare.ts';
import { removeStale } from './stale.ts';

const DIST = fileURLToPath(new URL('../..', import.meta.url));
const ROOT = join(DIST, '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
/** A role that is slow to drain is killed: every process survives that, and a developer is waiting. */
const STOP_MS = 3_000;

const say = (line: string): void => output.write(`dev    ${new Date().toISOString().slice(11, 23)}  ${line}\n`);

/** Calls `onBuild` with the files that were written, after each build without errors. Shows the compiler's errors. */
const compileOnChange = (onBuild: (files: string[]) => void): (() => void) => {
  const options = ['--watch', '--preserveWatchOutput', '--listEmittedFiles', '--pretty', 'false'];
  const compiler = spawn(process.execPath, [TSC, '-p', join(ROOT, 'tsconfig.build.json'), ...options], {
    cwd: ROOT,
    // A group of its own: Ctrl-C reaches this process, which then stops the compiler as well.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** Written since the last build without errors. */
  const written = new Set<string>();
  let errors = 0;
  createInterface({ input: compiler.stdout }).on('line', (line) => {
    const [, file] = /^TSFILE: (.*)$/.exec(line) ?? [];
    if (/(Starting .* in watch mode|File change detected)/.test(line)) errors = 0;
    else if (/: error TS/.test(line)) {
      errors += 1;
      say(line);
    } else if (file?.endsWith('.js')) written.add(relative(DIST, file).split(sep).join('/'));
    else if (file?.endsWith('.tsbuildinfo')) {
      // The last file of a build. The compiler's own summary comes some tenths of a second later.
      if (errors > 0) return say(`${errors} type error(s): the last build without errors keeps running`);
      onBuild([...written]);
      written.clear();
    }
  });
  if (compiler.pid !== undefined)
    guardProcess(-compiler.pid, { signals: ['TERM', 'KILL'], onError: ({ message }) => say(message) });
  let stopped = false;
  const stop = (): void => {
    const running = compiler.exitCode === null && compiler.signalCode === null;
    if (stopped || !running || compiler.pid === undefined) return;
    stopped = true;
    process.kill(-compiler.pid, 'SIGTERM');
  };
  compiler.on('exit', (code) => code && say(`the compiler ended with ${code}: stop, and start again`));
  process.on('exit', stop);
  return stop;
};

const restartChanged = async (supervisor: Supervisor, files: string[]): Promise<void> => {
  const fixed = files.filter(needsNewStart);
  if (fixed.length > 0) say(`press Ctrl-C and start again to run the changed ${fixed.join(', ')}`);
  const roles = affectedRoles(files);
  if (roles.length === 0) return;
  const since = performance.now();
  const before = supervisor.running();
  removeStale(ROOT, DIST);
  await Promise.all(roles.map((role) => supervisor.restart(role)));
  say(`restarting ${roles.join(', ')}`);
  for (const role of roles) await untilReplaced(supervisor, role, before.get(role)?.pid);
  say(`ready again after ${((performance.now() - since) / 1_000).toFixed(1)} s`);
};

/** Gives up after some seconds: a role that cannot start says why in the log, and is tried again. */
const untilReplaced = async (supervisor: Supervisor, role: string, before: number | undefined): Promise<void> => {
  for (const end = performance.now() + 10_000; performance.now() < end; ) {
    const pid = supervisor.running().get(role)?.pid;
    if (pid !== undefined && pid !== before) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

endWithNpm();
const config = readConfig(process.env);
const spares = spareProcesses();
let stopCompiler = (): void => undefined;
// Compiled code is cached by the processes that load it, which makes them start faster (Node 22 and later).
const env = { ...process.env, NODE_COMPILE_CACHE: join(config.DATA_DIR, 'compile-cache') };
try {
  const supervisor = await runSystem(config, env, {
    main: join(DIST, 'ops/main.js'),
    role: { fork: spares.fork, limits: { ...ROLE_LIMITS, stop: STOP_MS } },
    onStop: () => {
      stopCompiler();
      spares.stop();
    },
  });
  let restarts = Promise.resolve();
  stopCompiler = compileOnChange((files) => {
    restarts = restarts.then(() => restartChanged(supervisor, files));
  });
  say('watching the sources');
} catch (error) {
  errorOutput.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await endProcess(1);
}
