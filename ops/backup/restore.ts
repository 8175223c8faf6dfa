/**
 * Restores a backup into empty stores. The log comes first and is compared event by event; its positions may differ from
 * those in the backup, so checkpoints are moved to the same events. Then the schema `ops`, in one transaction. Until its end,
 * the same command continues after an interruption. Afterwards who was erased since is erased again, and the read models
 * are built anew from the log; a start of the system does that, too.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Position } from '../../domain/core/decider.ts';
import { parsePosition } from '../../eventstore/checkpoints.ts';
import { copyEvents, LogsDiffer, matchLogs } from '../../eventstore/copy.ts';
import { followLog } from '../../eventstore/identity.ts';
import { type MasterKeys, masterKeys } from '../../eventstore/masterKeys.ts';
import { eventsOf } from '../../eventstore/pages.ts';
import { unwrap, VaultError } from '../../eventstore/vault.ts';
import { inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import { isOfReadModels } from '../../projections/engine/groups.ts';
import { CommandFailed } from '../cli/failed.ts';
import { importLines } from '../cli/logFile.ts';
import { replaceFormerPositions } from '../formerPositions.ts';
import { allMigrations } from '../tables.ts';
import { type Completed, complete, migrate, type RestoreDeps } from './completion.ts';
import {
  contentOf,
  copyFile,
  type Manifest,
  PRIVATE_FOLDER,
  readLines,
  readManifest,
  setsIn,
  verifyFile,
  verifySet,
} from './set.ts';
import { keptTables, loadRows, migrationsOf, rowLines, tableInUse } from './tables.ts';

export interface Restored extends Completed {
  readonly events: number;
  readonly rows: number;
  readonly files: number;
}

/** The folder of a set: the given one, or the newest set in it. */
export const findSet = async (folder: string): Promise<string> => {
  const newest = (await setsIn(folder)).at(-1);
  return newest === undefined ? folder : path.join(folder, newest);
};

interface KeyRow {
  readonly person_id: string;
  /** `\\x` and hexadecimal digits. */
  readonly wrapped_key: string | null;
  /** Absent in a backup of release 0.1.0. */
  readonly master_key_id?: string | null;
}

const rowsOf = async function* <Row>(folder: string, { tables }: Manifest, name: string): AsyncGenerator<Row> {
  const stored = tables.find(({ table }) => table === name);
  if (stored) for await (const line of readLines(folder, stored)) yield JSON.parse(line) as Row;
};

/** Opens every key of personal data with the keys of the settings. @throws CommandFailed when they are others */
const openKeys = async (folder: string, manifest: Manifest, keys: MasterKeys): Promise<void> => {
  const { all, fingerprint } = masterKeys(keys);
  for await (const { name, value } of rowsOf<{ name: string; value: string }>(folder, manifest, 'vault'))
    if (name === 'fingerprint_key_id' && value !== fingerprint.id)
      throw new CommandFailed('VAULT_FINGERPRINT_KEY is not the key of this backup (unset, it is VAULT_MASTER_KEY)');
  try {
    for await (const { person_id, wrapped_key, master_key_id } of rowsOf<KeyRow>(folder, manifest, 'vault_keys'))
      unwrap(all, {
        person_id,
        wrapped_key: wrapped_key === null ? null : Buffer.from(wrapped_key.slice(2), 'hex'),
        master_key_id: master_key_id ?? null,
      });
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    throw new CommandFailed('VAULT_MASTER_KEY is not the key of this backup: its personal data could not be read', {
      cause: error,
    });
  }
};

/** Reads and verifies a set, and the keys in it, before anything is changed. @throws CommandFailed */
export const openSet = async (folder: string, keys: MasterKeys): Promise<Manifest> => {
  const manifest = await readManifest(folder);
  const known = new Set(allMigrations.flatMap(({ steps }) => Object.keys(steps)));
  const unknown = manifest.migrations.find((step) => !known.has(step));
  if (unknown !== undefined)
    throw new CommandFailed(
      `the backup was taken by release ${manifest.release}, which has ${unknown}: restore it with that release or a newer one`,
    );
  await verifySet(folder, manifest);
  await openKeys(folder, manifest, keys);
  return manifest;
};

/** The schema as it was when the backup was taken, without rows: those of the backup fit no other. */
const createSchema = async (deps: RestoreDeps, { migrations }: Manifest): Promise<void> => {
  const then = new Set(migrations);
  const steps = allMigrations.map(({ steps }) => ({
    steps: Object.fromEntries(Object.entries(steps).filter(([name]) => then.has(name))),
  }));
  await migrate(deps, steps);
  // Steps may have made rows: the backup has them as they were when it was taken.
  const tables = (await keptTables(deps.pool)).map(({ name }) => `ops.${name}`);
  await deps.pool.query(`truncate ${tables.join(', ')}`);
};

const refuseUsed = async (pool: Pool, { migrations }: Manifest): Promise<void> => {
  const { rows } = await pool.query<{ there: boolean }>(`select to_regclass('ops.migrations') is not null as there`);
  if (!rows[0]?.there) return;
  const used = await tableInUse(pool);
  const isOurs = used === undefined && JSON.stringify(await migrationsOf(pool)) === JSON.stringify(migrations);
  if (!isOurs)
    throw new CommandFailed(
      'this database has data already: restore into an empty DATA_DIR, or an empty database and log (DATABASE_URL, ESDB_CONNECTION_STRING). If a restore that did not end has written it, start the system: it does the rest',
    );
};

const fileOf = (folder: string, { log }: Manifest): string => path.join(folder, log.file);

const restoreLog = async (deps: RestoreDeps, folder: string, manifest: Manifest): Promise<void> => {
  const { store, signal, onProgress } = deps;
  const onCopied = (copied: number) => onProgress?.('log', copied / Math.max(1, manifest.log.lines), copied);
  try {
    await copyEvents(importLines(fileOf(folder, manifest)), store, { signal, onProgress: onCopied });
  } catch (error) {
    if (!(error instanceof LogsDiffer)) throw error;
    throw new CommandFailed(`this event store has another log: restore into an empty one (${error.message})`);
  }
  if (signal.aborted) throw new CommandFailed('interrupted: run the same command again to continue');
};

const CHECKPOINTS = 'checkpoints';
/** Tables about the log of the backup: this database follows the one that was restored, at positions of its own. */
const OF_THE_LOG: readonly string[] = [CHECKPOINTS, 'log'];

interface Checkpoint {
  readonly name: string;
  readonly commit: string;
  readonly prepare: string;
}

/** The rows of the checkpoints of the backup, without those of read models, which are built anew. */
async function* checkpointsOf(folder: string, { tables }: Manifest): AsyncGenerator<Checkpoint> {
  const stored = tables.find(({ table }) => table === CHECKPOINTS);
  if (!stored) return;
  for await (const line of readLines(folder, stored)) {
    // Positions are larger than what a number of JavaScript holds exactly.
    const row = JSON.parse(line.replace(/("(?:commit|prepare)":)(\d+)/g, '$1"$2"')) as Checkpoint;
    if (!isOfReadModels(row.name)) yield row;
  }
}

const marksOf = async (folder: string, manifest: Manifest): Promise<Map<string, Position>> => {
  const marks = new Map<string, Position>();
  for await (const { name, commit, prepare } of checkpointsOf(folder, manifest)) {
    const position = parsePosition(`${commit}/${prepare}`);
    if (position) marks.set(name, position);
  }
  return marks;
};

/** The same checkpoints at the positions that their events have now. */
async function* movedCheckpoints(folder: string, manifest: Manifest, marks: ReadonlyMap<string, Position>) {
  for await (const row of checkpointsOf(folder, manifest)) {
    const moved = marks.get(row.name);
    if (moved) yield JSON.stringify({ ...row, commit: `${moved.commit}`, prepare: `${moved.prepare}` });
  }
}

/** Rows as they are now must have the count and the hash of the manifest. */
const compareRows = async (client: PoolClient, { tables }: Manifest): Promise<void> => {
  for (const table of await keptTables(client)) {
    const stored = tables.find(({ table: name }) => name === table.name);
    if (!stored || OF_THE_LOG.includes(table.name)) continue;
    const { lines, content } = await contentOf(rowLines(client, table));
    if (lines !== stored.lines || content !== stored.content)
      throw new CommandFailed(`the rows of ops.${table.name} differ from the backup after the restore`);
  }
};

const restoreTables = (
  { pool, store }: RestoreDeps,
  folder: string,
  manifest: Manifest,
  marks: ReadonlyMap<string, Position>,
): Promise<number> =>
  inTransaction(pool, async (client) => {
    await client.query(`set local time zone 'UTC'`);
    let rows = 0;
    for (const stored of manifest.tables) {
      if (OF_THE_LOG.includes(stored.table)) continue;
      await loadRows(client, stored.table, readLines(folder, stored));
      rows += stored.lines;
    }
    await loadRows(client, CHECKPOINTS, movedCheckpoints(folder, manifest, marks));
    await compareRows(client, manifest);
    await replaceFormerPositions(client, await store.head());
    await followLog(client, store);
    return rows + marks.size;
  });

/** Copies the files. One that is there already must be the same: an earlier attempt copied it. */
const restoreFiles = async (folder: string, dataDir: string, { files }: Manifest): Promise<void> => {
  for (const stored of files) {
    const target = path.join(dataDir, stored.file);
    if (!existsSync(target)) continue;
    await verifyFile(dataDir, stored).catch(() => {
      throw new CommandFailed(`${target} is another file: restore into an empty DATA_DIR`);
    });
  }
  for (const { file } of files.filter(({ file }) => !existsSync(path.join(dataDir, file)))) {
    await mkdir(path.dirname(path.join(dataDir, file)), { recursive: true, mode: PRIVATE_FOLDER });
    await copyFile(path.join(folder, file), dataDir, file);
  }
};

/**
 * Restores the set in `folder`. Afterwards the system can be started.
 * @throws CommandFailed when the set is damaged, or the stores have data
 */
export const restoreBackup = async (deps: RestoreDeps, folder: string, manifest: Manifest): Promise<Restored> => {
  const { pool, store } = deps;
  await refuseUsed(pool, manifest);
  await restoreFiles(folder, deps.dataDir, manifest);
  await restoreLog(deps, folder, manifest);
  const source = importLines(fileOf(folder, manifest));
  const { events, marks } = await matchLogs(source, eventsOf(store), await marksOf(folder, manifest));
  await createSchema(deps, manifest);
  const rows = await restoreTables(deps, folder, manifest, marks);
  return { events, rows, files: manifest.files.length, ...(await complete(deps, events)) };
};
