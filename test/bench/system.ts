/** The product as `npm start` runs it, every role in its own process, on the stores of the benchmark. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { UNFINISHED } from './count.ts';
import type { Processes } from './cpu.ts';
import type { Counts } from './rounds.ts';
import type { BenchStores } from './stores.ts';

export const rootOfProduct = path.resolve(import.meta.dirname, '../../../../..');
const READY_WITHIN_MS = 300_000;

/** Limits are counted as in production, and high enough that no request is refused. */
export const SETTINGS = { RATE_LIMITS: '1000000', LOG_LEVEL: 'warn', METRICS_PORT: '0' } as const;

export interface System {
  readonly api: string;
  readonly realtime: string;
  /** The providers that it talks to. */
  readonly sandbox: { readonly url: string; readonly pid: number };
  /** Of the roles and both stores. */
  readonly processes: () => Processes;
  readonly counts: () => Promise<Counts>;
  stop(): Promise<void>;
}

const callsIn = (directory: string): number =>
  readdirSync(directory)
    .filter((file) => !file.endsWith(UNFINISHED))
    .reduce((sum, file) => sum + Number(readFileSync(path.join(directory, file), 'utf8')), 0);

/** The text of the line that starts with `ready`. */
const ready = (child: ReturnType<typeof spawn>): Promise<string> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the system was not ready in time')), READY_WITHIN_MS);
    child.once('exit', (code) => reject(new Error(`the system ended with ${code} before it was ready`)));
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('ready')) process.stderr.write(/^\s/.test(line) ? '' : `${line}\n`);
      else {
        clearTimeout(timer);
        resolve(line);
      }
    });
  });

/** Starts the compiled product (`dist/`) on the stores. */
export const startSystem = async (stores: BenchStores, env: NodeJS.ProcessEnv = {}): Promise<System> => {
  const { directory, postgres, node } = stores;
  // Not the folder of the stores: the system makes its own private, and the server of Postgres may have another user.
  const dataDir = path.join(directory, 'system');
  const counts = path.join(directory, 'counts');
  mkdirSync(dataDir, { recursive: true });
  rmSync(counts, { recursive: true, force: true });
  mkdirSync(counts, { recursive: true });
  const child = spawn(process.execPath, [path.join(rootOfProduct, 'dist/bundle/main.mjs')], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...SETTINGS,
      PORT: '0',
      REALTIME_PORT: '0',
      SANDBOX_PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      ESDB_CONNECTION_STRING: node.connectionString,
      NODE_OPTIONS: `--import=${new URL('./count.js', import.meta.url)}`,
      BENCH_COUNTS: counts,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // However this process ends, nothing is left behind.
  const end = () => child.kill('SIGTERM');
  process.on('exit', end);
  await ready(child);
  const { api, realtime, sandbox, pids } = JSON.parse(readFileSync(path.join(dataDir, 'runtime.json'), 'utf8'));
  return {
    api,
    realtime,
    sandbox: { url: sandbox, pid: pids.sandbox },
    processes: () => ({
      api: pids.api,
      worker: pids.worker,
      realtime: pids.realtime,
      eventstore: node.pid,
      postgres: postgres.pid,
    }),
    counts: async () => {
      // The processes write their counts every half second: oftener would show in what they cost.
      await new Promise((resolve) => setTimeout(resolve, 700));
      return { ...(await stores.statements(postgres.url)), calls: callsIn(counts) };
    },
    stop: async () => {
      process.off('exit', end);
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
};
