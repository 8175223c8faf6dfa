/**
 * Takes a backup while the system runs. The order makes the set consistent: first one snapshot of the schema `ops`, then
 * the log up to its head, then the keys of personal data. So no checkpoint or job is newer than the log, and no event
 * lacks its key. What happened in between is repeated by policies and jobs after a restore, as after a crash.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { EventStore } from '../../eventstore/client/index.ts';
import { followedLogId } from '../../eventstore/identity.ts';
import { pagesOf } from '../../eventstore/pages.ts';
import type { Pool, PoolClient } from '../../infra/postgres.ts';
import { flush } from '../../infra/wholeFiles.ts';
import { CommandFailed } from '../cli/failed.ts';
import { exportPages } from '../cli/logFile.ts';
import { VERSION } from '../version.ts';
import {
  copyFile,
  type LinesFile,
  type Manifest,
  nameOf,
  oldSetsIn,
  PRIVATE_FOLDER,
  type StoredFile,
  setsIn,
  verifySet,
  writeLines,
  writeManifest,
} from './set.ts';
import { keptTables, migrationsOf, type OpsTable, rowLines } from './tables.ts';

export interface BackupDeps {
  readonly pool: Pool;
  readonly store: EventStore;
  /** Its files are copied, not the stores in it. */
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (share: number, events: number) => void;
}

/** What is copied from the data folder, if it is there. */
const FILES = ['files', 'demo.json'];
/** Written last, because an event may need a key that was made after the snapshot of the other tables. */
const KEYS = 'vault_keys';
const PARTIAL = '.partial';

/** One snapshot for all tables: what other processes commit meanwhile is not seen. */
const inSnapshot = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    await client.query(`set local time zone 'UTC'`);
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    client.release(true); // also ends the transaction
    throw error;
  }
};

const writeTable = async (client: PoolClient, folder: string, table: OpsTable, signal: AbortSignal) => ({
  table: table.name,
  ...(await writeLines(folder, `ops.${table.name}.ndjson.gz`, rowLines(client, table), signal)),
});

const writeLog = async (
  { store, signal, onProgress }: BackupDeps,
  folder: string,
): Promise<LinesFile & { hash: string }> => {
  const head = await store.head();
  let [hash, events] = ['', 0];
  const lines = async function* () {
    if (!head) return;
    for await (const page of exportPages(pagesOf(store, head), true)) {
      events += page.lines.length;
      hash = page.hash ?? '';
      if (page.position) onProgress?.(Number(page.position.commit) / Number(head.commit), events);
      yield* page.lines;
    }
  };
  return { ...(await writeLines(folder, 'log.ndjson.gz', lines(), signal)), hash };
};

/** Uploaded files are deleted while the backup runs. */
const unlessDeleted = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT') return undefined;
  throw error;
};

const copyFiles = async (dataDir: string, folder: string): Promise<StoredFile[]> => {
  const copied: StoredFile[] = [];
  const copy = async (relative: string): Promise<void> => {
    const from = path.join(dataDir, relative);
    if (!existsSync(from)) return;
    const entries = await readdir(from).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR') return undefined;
      return unlessDeleted(error) ?? [];
    });
    if (!entries) {
      const stored = await copyFile(from, folder, relative).catch(unlessDeleted);
      if (stored) copied.push(stored);
      return;
    }
    await mkdir(path.join(folder, relative), { recursive: true, mode: PRIVATE_FOLDER });
    for (const entry of entries) await copy(path.join(relative, entry));
  };
  for (const relative of FILES) await copy(relative);
  return copied;
};

export interface Backup {
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * Takes a set, verifies it and gives it its name, which is the time. A set without a name is not complete.
 * @param collection the folder of all sets; it is created
 */
export const takeBackup = async (deps: BackupDeps, collection: string, at: Date): Promise<Backup> => {
  const folder = path.join(collection, nameOf(at));
  if (existsSync(folder)) throw new CommandFailed(`${folder} exists already`);
  const partial = `${folder}${PARTIAL}`;
  await mkdir(collection, { recursive: true, mode: PRIVATE_FOLDER });
  await mkdir(partial, { mode: PRIVATE_FOLDER });
  try {
    const { pool, signal } = deps;
    const logId = await followedLogId(pool);
    const { migrations, tables, keys } = await inSnapshot(pool, async (client) => {
      const kept = await keptTables(client);
      const tables = [];
      for (const table of kept.filter(({ name }) => name !== KEYS))
        tables.push(await writeTable(client, partial, table, signal));
      return { migrations: await migrationsOf(client), tables, keys: kept.find(({ name }) => name === KEYS) };
    });
    const log = await writeLog(deps, partial);
    if (keys) tables.push(await inSnapshot(pool, (client) => writeTable(client, partial, keys, signal)));
    const files = await copyFiles(deps.dataDir, partial);
    const contents = { release: VERSION, created_at: at.toISOString(), migrations, log, tables, files };
    const manifest = await writeManifest(partial, { ...contents, ...(logId !== undefined && { log_id: logId }) });
    await verifySet(partial, manifest);
    await flush(partial);
    await rename(partial, folder);
    await flush(collection);
    return { folder, manifest };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (deps.signal.aborted) throw new CommandFailed('interrupted: nothing was kept');
    throw error;
  }
};

/**
 * Deletes all but the newest `keep` sets, and what interrupted backups left behind. Never the one that was just taken, nor
 * one whose manifest cannot be read.
 * @param taken the name of the set that was just taken
 * @returns the names of what it deleted
 */
export const pruneBackups = async (collection: string, keep: number, taken?: string): Promise<string[]> => {
  const old = await oldSetsIn(collection, keep, taken);
  const newest = taken ?? (await setsIn(collection)).at(-1) ?? '';
  // A partial set that is older than a complete one is not being written any more.
  const partial = (await readdir(collection)).filter((name) => name.endsWith(PARTIAL) && name < newest);
  for (const name of [...old, ...partial]) await rm(path.join(collection, name), { recursive: true, force: true });
  return [...old, ...partial];
};
