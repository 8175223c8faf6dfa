/** Files in a folder. All processes that serve or delete files must see the same one. */
import { access, copyFile, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { putFile } from '../../infra/wholeFiles.ts';
import { FileMissing, type FileStore, FileStoreAway } from './fileStore.ts';

/** Only for us: whoever may read a file gets it over HTTP. */
const PRIVATE = 0o700;

const isNotThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );

const orAway = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileMissing) throw error;
    throw new FileStoreAway('the folder of files cannot be used', { cause: error });
  }
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
        try {
          const handle = await open(pathOf(key), 'r');
          return handle.createReadStream(range ?? {});
        } catch (error) {
          // Without the whole folder, such as that of a disk that is not mounted, nobody knows whether the file is there.
          if (isNotThere(error) && !(await isThere(folder)))
            throw new Error('the folder is not there', { cause: error });
          throw isNotThere(error) ? new FileMissing('there is no such file') : error;
        }
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
    close: async () => undefined,
  };
};
