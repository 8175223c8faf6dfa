/** `backup` and `restore`: a consistent copy of everything that cannot be made again, and the way back. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { replayTombstones } from '../../commands/core/erasure.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { createTombstones } from '../../infra/tombstones.ts';
import { groups } from '../../projections/modules.ts';
import { pruneBackups, takeBackup } from '../backup/backup.ts';
import { findSet, openSet, restoreBackup } from '../backup/restore.ts';
import { filesLeftOut, isOfFuture, setsIn } from '../backup/set.ts';
import { readConfig, vaultKeysOf } from '../config.ts';
import { erasurePlan } from '../erasure.ts';
import { CommandFailed } from './failed.ts';
import { type Progress, progress, say, writeJson, writeLine } from './output.ts';
import { withStores, withStoresAtRest } from './stores.ts';

interface Options {
  readonly json?: true;
  /** Of `restore`. */
  readonly withoutTombstones?: true;
}

/**
 * How many erasures a restore can repeat.
 * @throws CommandFailed when it would bring erased people back, and nobody has said that this is meant
 */
const tombstonesFor = async ({ withoutTombstones }: Options, erasuresInSet: number): Promise<number> => {
  const { TOMBSTONES_DIR } = readConfig(process.env);
  const found = (await createTombstones(TOMBSTONES_DIR).list()).length;
  if (found === 0 && !withoutTombstones)
    throw new CommandFailed(
      `there are no tombstones in ${TOMBSTONES_DIR} (TOMBSTONES_DIR): whoever was erased after this backup would be back, and nobody would know. Set TOMBSTONES_DIR to where they are kept. If nobody was erased since, add --without-tombstones`,
    );
  say(`${found} tombstones of erased people in ${TOMBSTONES_DIR}; the backup knows of ${erasuresInSet} erasures`);
  if (found < erasuresInSet)
    say('Tombstones are missing: whoever was erased after this backup, and has none, is back. Look for them now.');
  return found;
};

const backup = (collection: string, { keep, json }: Options & { keep?: number }) =>
  withStores(async (cli) => {
    const { pool, store, config, signal } = cli;
    const bar = progress('backup', 'events');
    const onProgress = (share: number, events: number) => bar.update(share, events);
    const deps = { pool, store, dataDir: config.DATA_DIR, signal, onProgress };
    const { folder, manifest } = await takeBackup(deps, collection, new Date()).finally(() => bar.end());
    const deleted = keep === undefined ? [] : await pruneBackups(collection, keep, path.basename(folder));
    const ahead = (await setsIn(collection)).filter((name) => isOfFuture(name, Date.now()));
    for (const name of ahead) say(`${name} was taken with a clock that was ahead`);
    const bucket = config.S3_BUCKET ?? null;
    if (bucket !== null) say(filesLeftOut(bucket));
    const { log, tables, files } = manifest;
    const rows = tables.reduce((sum, { lines }) => sum + lines, 0);
    const bytes = [log, ...tables, ...files].reduce((sum, file) => sum + file.bytes, 0);
    const result = {
      folder,
      events: log.lines,
      rows,
      files: files.length,
      bytes,
      hash: log.hash,
      deleted,
      bucket_left_out: bucket,
    };
    if (json) return writeJson(result);
    const megabytes = (bytes / 1e6).toFixed(1);
    await writeLine(`${folder}: ${log.lines} events, ${rows} rows, ${files.length} files, ${megabytes} MB, verified`);
    for (const name of deleted) say(`deleted ${name}`);
  });

/** @throws CommandFailed where root would leave files that the user of the system cannot change: uploads would fail */
const refuseForeignUser = async (dataDir: string): Promise<void> => {
  const owner = await stat(dataDir).catch(() => undefined);
  if (owner && process.getuid?.() === 0 && owner.uid !== 0)
    throw new CommandFailed(
      `${dataDir} (DATA_DIR) belongs to uid ${owner.uid}: restore as that user, because the system could not change what root restores`,
    );
};

const restore = async (given: string, options: Options) => {
  const { json } = options;
  await refuseForeignUser(readConfig(process.env).DATA_DIR);
  const folder = await findSet(given);
  say(`verifying ${folder} …`);
  const manifest = await openSet(folder, vaultKeysOf(readConfig(process.env)));
  const erasuresInSet = manifest.tables.find(({ table }) => table === 'erasures')?.lines ?? 0;
  const tombstones = await tombstonesFor(options, erasuresInSet);
  await withStoresAtRest(
    async (cli) => {
      let bar: { readonly what: string; readonly shown: Progress } | undefined;
      const onProgress = (what: string, share: number, events: number) => {
        if (bar?.what !== what) {
          bar?.shown.end();
          bar = { what, shown: progress(`restore ${what}`, 'events') };
        }
        bar.shown.update(share, events);
      };
      const eraseAgain = () => replayTombstones<CommandDeps>(cli, erasurePlan(cli.config));
      const deps = { ...cli, groups, dataDir: cli.config.DATA_DIR, eraseAgain, onProgress };
      const restored = await restoreBackup(deps, folder, manifest).finally(() => bar?.shown.end());
      if (json) return writeJson({ folder, tombstones, ...restored });
      const { events, rows, files, read_models, unfinished_erasures: unfinished } = restored;
      if (unfinished > 0) say(`${unfinished} erased people are shown again until a worker has erased them anew`);
      await writeLine(
        `${events} events, ${rows} rows and ${files} files restored and compared, ${read_models} read models built.\nStart the system; everybody signs in again.`,
      );
    },
    { create: true, emptyDatabase: 'restored' },
  );
};

const sets = (text: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('not a number from 1 to 9999');
  return Number(text);
};
const asJson = ['--json', 'print JSON'] as const;

export const backupCommand = new Command('backup')
  .description('Back up the log, the ops schema, keys and files while the system runs, and verify the result')
  .argument('<folder>', 'where the sets are; each is a folder named by its time')
  .option('--keep <n>', 'delete all but the newest n sets afterwards', sets)
  .option(...asJson)
  .action(backup);

export const restoreCommand = new Command('restore')
  .description('Restore a backup into empty stores, build the read models, and compare; the system is stopped')
  .argument('<folder>', 'a set, or the folder of the sets: then the newest')
  .option('--without-tombstones', 'restore although there are none: whoever was erased after the backup is back')
  .option(...asJson)
  .action(restore);
