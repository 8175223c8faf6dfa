/** Files that are whole whenever they have their name. */
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** What a file contains, or which names a folder has, is on the disk when this resolves. */
export const flush = async (name: string): Promise<void> => {
  const handle = await open(name, 'r');
  await handle.sync().finally(() => handle.close());
};

/**
 * Makes a file or replaces it. `write` writes to the name that it gets; only when all of it is on the disk, the file takes
 * its own name. When that fails, for example because the disk is full, nothing of it is left.
 */
export const putFile = async (target: string, write: (next: string) => Promise<unknown>): Promise<void> => {
  const next = `${target}.next`;
  try {
    await write(next);
    await flush(next);
    await rename(next, target);
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined);
    throw error;
  }
  await flush(path.dirname(target));
};
