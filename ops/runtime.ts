/** Describes the running system in `$DATA_DIR/runtime.json`, so that the command line and tests find it. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Runtime {
  /** Addresses of the listening roles. */
  readonly api?: string;
  readonly realtime?: string;
  readonly sandbox?: string;
  /** Of all roles. */
  readonly metrics?: string;
  readonly databaseUrl: string;
  readonly eventStore: string;
  /** Process ids by service: `supervisor`, `postgres`, `eventstore`, `worker`, `api`, `realtime`, `sandbox`. */
  readonly pids: Readonly<Record<string, number>>;
}

const fileOf = (dataDir: string): string => join(dataDir, 'runtime.json');

/** The file is private because the database address contains the password. */
export const writeRuntime = (dataDir: string, runtime: Runtime): void => {
  const next = `${fileOf(dataDir)}.next`;
  writeFileSync(next, `${JSON.stringify(runtime, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(next, fileOf(dataDir));
};

/** Removes the file only if this process wrote it: a refused start must not hide the running system. */
export const removeRuntime = (dataDir: string): void => {
  if (readRuntime(dataDir)?.pids.supervisor === process.pid) rmSync(fileOf(dataDir), { force: true });
};

/** Reads the file; `undefined` when no system runs on this data directory. */
export const readRuntime = (dataDir: string): Runtime | undefined => {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Runtime;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
