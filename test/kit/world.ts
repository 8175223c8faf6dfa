/**
 * A whole system, as `npm start` runs it: real Postgres, the event node, every role in its own process, on free ports.
 * The suite shares one (`sharedWorld`); tests of faults start their own and kill parts of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import { waitUntilShownBy } from './http.ts';
import { until } from './until.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Only ends specs that wait in vain, before their hook ends. */
const START_MS = 200_000;
const STOP_MS = 30_000;

/** What a running system writes to `$DATA_DIR/runtime.json`. */
export interface Runtime {
  readonly api: string;
  readonly realtime: string;
  readonly sandbox: string;
  readonly metrics: string;
  readonly databaseUrl: string;
  readonly eventStore: string;
  /** Process ids by role: `api`, `worker`, `realtime`, `sandbox`, `eventstore`. */
  readonly pids: Readonly<Record<string, number>>;
}

export type DemoPerson =
  | 'tourist'
  | 'tourist2'
  | 'hotelier'
  | 'touroperator'
  | 'transfer'
  | 'instructor'
  | 'restaurant'
  | 'admin'
  | 'admin2';

/** What the first start writes to `$DATA_DIR/demo.json`. */
export interface Demo {
  readonly password: string;
  readonly accounts: Readonly<Record<DemoPerson, { id: string; email: string }>>;
  readonly partner_key: string;
}

export interface World {
  /** Also has `output.log`: all that the processes have logged. */
  readonly dataDir: string;
  readonly demo: Demo;
  /** As it is now: a restarted role has a new process id. */
  runtime(): Promise<Runtime>;
  /** The last of what the system has logged. */
  readonly output: readonly string[];
  stop(): Promise<void>;
}

const readJson = async <T>(file: string): Promise<T> => JSON.parse(await readFile(file, 'utf8')) as T;

/** Resolves at the line that starts with `ready`; rejects, with the last of the output, when the process ends first. */
const untilReady = (child: ChildProcess, output: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}\n${output.slice(-40).join('\n')}`));
    const timer = setTimeout(() => fail(`not ready after ${START_MS} ms`), START_MS);
    child.once('exit', (code) => fail(`ended with ${code} before it was ready`));
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        output.push(line);
        if (output.length > 5_000) output.shift();
        if (!line.startsWith('ready')) return;
        clearTimeout(timer);
        resolve();
      });
    }
  });

/** Everything that the processes write to their outputs, in the data directory. */
const OUTPUT_FILE = 'output.log';
/** The settings of processes in tests. */
const SETTINGS = { NODE_ENV: 'test', LOG_LEVEL: 'warn', RATE_LIMITS: '0' };
const MAIN = path.join(ROOT, 'dist/bundle/main.mjs');

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

/** Starts a system of its own. `env` overrides settings; `dataDir` starts on existing data, and then is kept. */
export const startWorld = async (env: NodeJS.ProcessEnv = {}, dataDir?: string): Promise<World> => {
  const directory = dataDir ?? (await mkdtemp(path.join(tmpdir(), 'resort-')));
  const child = spawn(process.execPath, [MAIN], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...SETTINGS,
      PORT: '0',
      REALTIME_PORT: '0',
      SANDBOX_PORT: '0',
      DATA_DIR: directory,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const logFile = createWriteStream(path.join(directory, OUTPUT_FILE), { flags: 'a' });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(logFile, { end: false });
  const output: string[] = [];
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended(child);
    clearTimeout(late);
    logFile.end();
    if (!dataDir) await rm(directory, { recursive: true, force: true });
  };
  try {
    await untilReady(child, output);
    const demo = await readJson<Demo>(path.join(directory, 'demo.json'));
    return { dataDir: directory, demo, runtime: () => readJson(path.join(directory, 'runtime.json')), output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Where a role finds its stores and the sandbox. */
export type RoleStores = Pick<Runtime, 'databaseUrl' | 'eventStore' | 'sandbox'>;
export interface RoleProcess {
  stop(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
}

/** Another process of one role, on the stores of a running system or on stores alone. */
export const startRole = (role: string, system: RoleStores, env: NodeJS.ProcessEnv = {}): RoleProcess => {
  const { databaseUrl, eventStore, sandbox } = system;
  const stores = { DATABASE_URL: databaseUrl, ESDB_CONNECTION_STRING: eventStore, SANDBOX_URL: sandbox };
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, ...SETTINGS, ROLE: role, ...stores, ...env },
    stdio: 'inherit',
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await ended(child);
  };
  return { stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
};

/** Waits until a process answers `GET /health` on this port of 127.0.0.1. */
export const healthy = (port: number): Promise<true> =>
  until(() =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );

export interface Shared {
  readonly dataDir: string;
  readonly demo: Demo;
  readonly runtime: Runtime;
}
declare module 'vitest' {
  interface ProvidedContext {
    world: Shared;
  }
}

/** The system that the whole run shares. Tests leave it as usable as they found it: they make what they need. */
export const sharedWorld = (): Shared => {
  const shared = inject('world');
  waitUntilShownBy(shared.runtime.api);
  return shared;
};
