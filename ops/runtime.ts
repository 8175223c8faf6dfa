/**
 * Describes the running system in `$DATA_DIR/runtime.json`, so that the command line and tests find it. The file is true
 * while its system holds the lock beside it; one that a killed system left means nothing.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '../infra/fileLock.ts';

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
const lockOf = (dataDir: string) => join(dataDir, 'runtime.lock');
/** Whoever reads the file holds its lock for a moment. */
const READERS_MS = 1_000;

/** The right to describe the system of a DATA_DIR. */
export interface RuntimeFile {
  write(runtime: Runtime): void;
  /** Safe to call again. */
  remove(): void;
}

/**
 * @returns undefined when another system of this DATA_DIR describes itself: several may share the folder where each has
 * stores of its own
 */
export const ownRuntime = async (dataDir: string): Promise<RuntimeFile | undefined> => {
  const lock = await lockFile(lockOf(dataDir), READERS_MS);
  if (!lock) return undefined;
  let removed = false;
  return {
    write: (runtime) => {
      if (!removed) writeRuntime(dataDir, runtime);
    },
    remove: () => {
      if (!removed) rmSync(fileOf(dataDir), { force: true });
      removed = true;
      lock.release();
    },
  };
};

/** The file is private because the database address contains the password. */
const writeRuntime = (dataDir: string, runtime: Runtime): void => {
  const next = `${fileOf(dataDir)}.next`;
  writeFileSync(next, `${JSON.stringify(runtime, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(next, fileOf(dataDir));
};

/** Reads the file; `undefined` when no system runs on this data directory. */
export const readRuntime = async (dataDir: string): Promise<Runtime | undefined> => {
  try {
    const runtime = JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Runtime;
    const unheld = await lockFile(lockOf(dataDir));
    unheld?.release();
    return unheld ? undefined : runtime;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
