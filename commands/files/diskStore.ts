/** Files in a folder. All processes that serve or delete files must see the same one. */
import { access, constants, copyFile, mkdir, open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { putFile } from '../../infra/wholeFiles.ts';
import { FileMissing, type FileStore, FileStoreAway } from './fileStore.ts';

/** Only for us: whoever may read a file gets it over HTTP. */
const PRIVATE = 0o700;

const orAway = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new FileMissing('there is no such file');
    throw new FileStoreAway('the folder of files cannot be used', { cause: error });
  }
};

/** With less room than this, uploads fail. */
const LEAST_ROOM_BYTES = 16 * 1024 * 1024;

/** Writes nothing. @throws Error when files cannot be written into the folder, or the disk has next to no room */
export const assertRoom = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: PRIVATE });
  await access(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < LEAST_ROOM_BYTES) throw new Error(`the disk of ${folder} is full`);
};

/** @param folder made when it is missing */
export const createDiskStore = (folder: string): FileStore => {
  // The last characters of an id are random: the folders fill evenly.
  const folderOf = (key: string): string => path.join(folder, key.slice(0, 36).slice(-2));
  const pathOf = (key: string): string => path.join(folderOf(key), key);
  return {
    put: (key, from) =>
      orAway(async () => {
        await mkdir(folderOf(key), { recursive: true, mode: PRIVATE });
        await putFile(pathOf(key), (next) => copyFile(from, next));
      }),
    get: (key, range) =>
      orAway(async () => {
        const handle = await open(pathOf(key), 'r');
        return handle.createReadStream(range ?? {});
      }),
    remove: (key) =>
      orAway(async () => {
        await rm(pathOf(key), { force: true });
        await rm(`${pathOf(key)}.next`, { force: true });
        return 'gone' as const;
      }),
    async *former() {},
    removeFormer: async () => 'gone',
    removeMark: async () => 'gone',
    check: () => orAway(() => assertRoom(folder)),
  };
};
