/**
 * Locks that the kernel gives on an open file. It knows who is alive: a process that ends in any way loses its locks, and
 * processes exclude each other wherever they run, also in containers that see neither each other's processes nor ports. What
 * is written in a lock file, or that there is one, means nothing.
 *
 * A lock belongs to the open file. A child that is given the descriptor holds the same lock, until both have closed it (not
 * on Windows, where a lock belongs to one process). So a lock is released by closing, and never unlocked.
 */
import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from './retry.ts';

/** A process that is alive owns the folder. The message is one line for the operator. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

export interface FileLock {
  /** A child that is given it holds the lock, too. */
  readonly fd: number;
  /** Safe to call again. */
  release(): void;
}

const RETRY_MS = 25;

/**
 * Locks the file, which is made if it is missing.
 * @param waitMs how long to wait for another holder
 * @returns undefined when another process holds it
 * @throws Error when the file cannot be written, or when this system or file system has no locks
 */
export const lockFile = async (path: string, waitMs = 0): Promise<FileLock | undefined> => {
  const tryLock = await loadTryLock();
  const fd = openSync(path, 'a+', 0o600);
  let open = true;
  const release = (): void => {
    if (open) closeSync(fd);
    open = false;
  };
  try {
    for (const deadline = performance.now() + waitMs; ; await sleep(RETRY_MS)) {
      if (isLocked(tryLock, fd)) return { fd, release };
      if (performance.now() >= deadline) break;
    }
  } catch (cause) {
    release();
    throw new Error(`${path} cannot be locked: use a folder on a file system that has locks`, { cause });
  }
  release();
  return undefined;
};

interface OwnOptions {
  /** What else may own the folder, for the error. */
  readonly holder: string;
  /** The file in the folder that is locked. */
  readonly file?: string;
  /** How long to wait for an owner that is ending. */
  readonly waitMs?: number;
}

/**
 * Owns a folder: of all processes that ask for it, one succeeds.
 * @throws FolderInUse
 */
export const ownFolder = async (
  folder: string,
  { holder, file = 'owner.lock', waitMs = 0 }: OwnOptions,
): Promise<FileLock> => {
  const lock = await lockFile(join(folder, file), waitMs);
  if (!lock) {
    throw new FolderInUse(
      `${folder} is in use by ${holder}, perhaps in a container: stop that first, or set DATA_DIR to another folder`,
    );
  }
  removeFormerMarks(folder);
  return lock;
};

/** Until release 0.2.0 an owner wrote a file with a port at which it answered. These files mean nothing any more. */
const removeFormerMarks = (folder: string): void => {
  const marks = readdirSync(folder).filter((name) => /^node-\d+-[0-9a-f-]{36}\.lock$/.test(name));
  for (const name of marks) rmSync(join(folder, name), { force: true });
};

type TryLock = (fd: number) => boolean;

/** Windows says EBUSY for what others call EAGAIN, which the library turns into false. */
const isLocked = (tryLock: TryLock, fd: number): boolean => {
  try {
    return tryLock(fd);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return false;
    throw error;
  }
};

const loadTryLock = async (): Promise<TryLock> => {
  try {
    return (await import('fs-native-extensions')).tryLock;
  } catch (cause) {
    throw new Error(
      `embedded stores need file locks, which fs-native-extensions does not have for ${process.platform} ${process.arch}: set DATABASE_URL and ESDB_CONNECTION_STRING`,
      { cause },
    );
  }
};
