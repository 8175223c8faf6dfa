/** Attempts at folders and the file store. They make no folder: what is missing, the system makes when it needs it. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileStoreOf, filesDirOf, incomingDirOf } from '../../commands/files/connect.ts';
import { FileMissing, type FileStore, FileStoreAway } from '../../commands/files/fileStore.ts';
import type { Logger } from '../../infra/log.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import type { Config } from '../config.ts';
import type { Attempt } from './check.ts';

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? (error as Error).name);

/** Whether there is a folder at this path. @throws OutsideFault: there is something else, or nobody may look */
const isFolder = async (folder: string): Promise<boolean> => {
  try {
    if ((await stat(folder)).isDirectory()) return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    if (codeOf(error) === 'ENOTDIR') throw new OutsideFault(`a part of ${folder} is a file and no folder`);
    throw new OutsideFault(`${folder} cannot be looked at (${codeOf(error)})`);
  }
  throw new OutsideFault(`${folder} is a file and no folder`);
};

/** The folder itself, or the one in which it would be made. @throws OutsideFault */
const nearest = async (folder: string): Promise<string> => {
  const absolute = path.resolve(folder);
  return (await isFolder(absolute)) ? absolute : nearest(path.dirname(absolute));
};

const MADE_LATER = 'it will be made when it is needed';

/** @returns what is worth knowing: that the folder will be made @throws OutsideFault */
const assertWritable = async (folder: string): Promise<string | undefined> => {
  const found = await nearest(folder);
  const isThere = found === path.resolve(folder);
  try {
    await access(found, constants.W_OK | constants.X_OK);
  } catch (error) {
    const what = isThere ? 'this process may not write into it' : `it is not there, and cannot be made in ${found}`;
    throw new OutsideFault(`${what} (${codeOf(error)})`);
  }
  return isThere ? undefined : MADE_LATER;
};

export const writableFolders = (config: Config): Attempt[] =>
  (['DATA_DIR', 'TOMBSTONES_DIR', 'BACKUP_DIR'] as const).flatMap((name) => {
    const folder = config[name];
    return folder === undefined ? [] : [{ part: `${name} ${folder}`, run: () => assertWritable(folder) }];
  });

/** @throws OutsideFault when both folders are on one file system, or would be made there */
export const assertOtherDisk = async ({ DATA_DIR, TOMBSTONES_DIR }: Config): Promise<void> => {
  const folders = await Promise.all([nearest(DATA_DIR), nearest(TOMBSTONES_DIR)]);
  const [data, tombstones] = await Promise.all(folders.map((folder) => stat(folder)));
  if (data?.dev === tombstones?.dev) throw new OutsideFault('it is on the same file system as DATA_DIR');
};

const MIB = 1024 * 1024;
/** With less room than this, uploads fail. */
const LEAST_ROOM_MIB = 16;

/** @returns that the folder will be made @throws OutsideFault */
export const assertRoom = async (folder: string): Promise<string | undefined> => {
  const note = await assertWritable(folder);
  const { bavail, bsize } = await statfs(await nearest(folder));
  if (bavail * bsize < LEAST_ROOM_MIB * MIB)
    throw new OutsideFault(`its disk has less than ${LEAST_ROOM_MIB} MiB left`);
  return note;
};

/** @throws FileStoreAway, OutsideFault */
export const tryFileStore = async (store: FileStore): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'file-check-'));
  const [file, key] = [path.join(folder, 'check'), randomUUID()];
  try {
    await writeFile(file, 'check');
    await store.put(key, file, 'text/plain');
    (await store.get(key)).destroy();
    await store.remove(key);
    await assertMissing(store, key);
  } catch (error) {
    // It may have been put although it could not be read: nobody else would delete it. The first fault says more.
    await store.remove(key).catch(() => undefined);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** A key without the right to list the bucket is told 403 for objects that are not there. */
const assertMissing = async (store: FileStore, key: string): Promise<void> => {
  try {
    (await store.get(key)).destroy();
  } catch (error) {
    if (error instanceof FileMissing) return;
    if (!(error instanceof FileStoreAway && error.isForGood)) throw error;
    throw new OutsideFault(
      'it does not say of a deleted object that it is not there; on Amazon S3, the key needs s3:ListBucket',
    );
  }
  throw new OutsideFault('an object can be read after it was deleted');
};

export const fileAttempts = (config: Config, log: Logger): Attempt[] => {
  const used = async (): Promise<void> => {
    const store = fileStoreOf(config, log);
    await tryFileStore(store).finally(() => store.close());
  };
  const folder = filesDirOf(config);
  const inFolder = async (): Promise<string | undefined> => {
    const note = await assertRoom(folder);
    if (note === undefined) await used();
    return note;
  };
  const incoming = incomingDirOf(config);
  return [
    config.S3_BUCKET === undefined
      ? { part: `the folder of files ${folder}`, run: inFolder }
      : { part: `the bucket ${config.S3_BUCKET}`, run: used },
    { part: `the folder of uploads that arrive ${incoming}`, run: () => assertRoom(incoming) },
  ];
};
