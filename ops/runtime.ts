/** What is running now, in `$DATA_DIR/runtime.json`: how the command line and the tests find a system of this machine. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Runtime {
  /** Addresses of the roles that listen. */
  readonly api?: string;
  readonly realtime?: string;
  readonly sandbox?: string;
  readonly databaseUrl: string;
  readonly eventStore: string;
  /** Process ids by service: `supervisor`, `postgres`, `eventstore`, `worker`, `api`, `realtime`, `sandbox`. */
  readonly pids: Readonly<Record<string, number>>;
}

const fileOf = (dataDir: string): string => join(dataDir, 'runtime.json');

/** Private, because the database's address holds its password. */
export const writeRuntime = (dataDir: string, runtime: Runtime): void => {
  const next = `${fileOf(dataDir)}.next`;
  writeFileSync(next, `${JSON.stringify(runtime, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(next, fileOf(dataDir));
};

/** Only what this process wrote: a start that was refused must not hide the system that is running. */
export const removeRuntime = (dataDir: string): void => {
  if (readRuntime(dataDir)?.pids.supervisor === process.pid) rmSync(fileOf(dataDir), { force: true });
};

/** `undefined` when nothing runs on this data directory. */
export const readRuntime = (dataDir: string): Runtime | undefined => {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Runtime;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
