/**
 * Who may start the server of a DATA_DIR. Three locks, because the server outlives its owner for a moment, and can be
 * reached from two DATA_DIRs (a symbolic link, a mounted volume):
 *
 * - `postgres.lock` in DATA_DIR is the owner's: port, password and log of the server, and its creation.
 * - `owner.lock` in the data directory is the owner's, too.
 * - `server.lock` in the data directory is the owner's and the server's, whose processes inherit it. Who owns the directory
 *   but does not get this lock has found a server without an owner.
 */
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, FolderInUse, lockFile, ownFolder } from '../../infra/fileLock.ts';
import type { Logger } from '../../infra/log.ts';
import type { ServerUser } from './home.ts';
import { findServer, stopOrphan } from './process.ts';

const holder = 'the PostgreSQL of another running system';
/** A probe of the command line, or an owner that was just killed. */
const BRIEFLY_MS = 1_000;
/** How long a server whose owner has ended may take to shut down. */
const ORPHAN_MS = 30_000;

/** @throws FolderInUse */
export const ownDataDir = (dataDir: string): Promise<FileLock> =>
  ownFolder(dataDir, { holder, file: 'postgres.lock', waitMs: BRIEFLY_MS });

export interface DataOwnership {
  /** The descriptor that the server inherits. */
  readonly serverLock: number;
  release(): void;
}

/**
 * Owns the data directory. Stops a server that outlived its owner, if it is a process of ours; in another container it ends
 * by itself, which is waited for.
 * @throws FolderInUse
 */
export const ownData = async (data: string, user: ServerUser, log: Logger): Promise<DataOwnership> => {
  const owner = await ownFolder(data, { holder, waitMs: BRIEFLY_MS });
  try {
    const server = await lockServer(data, log);
    // Whoever starts the server as this user the next time can open them.
    if (user.uid !== undefined && user.gid !== undefined)
      for (const file of ['owner.lock', SERVER_LOCK]) chownSync(join(data, file), user.uid, user.gid);
    return {
      serverLock: server.fd,
      release: () => {
        server.release();
        owner.release();
      },
    };
  } catch (error) {
    owner.release();
    throw error;
  }
};

const SERVER_LOCK = 'server.lock';

const lockServer = async (data: string, log: Logger): Promise<FileLock> => {
  const path = join(data, SERVER_LOCK);
  const free = await lockFile(path);
  const running = await findServer(data);
  // On Windows the server does not inherit the lock.
  if (free && running !== undefined && process.platform !== 'win32') {
    free.release();
    throw new FolderInUse(
      `${data} is in use by a PostgreSQL that this release did not start (process ${running}): stop it first`,
    );
  }
  if (running !== undefined) await stopOrphan(running, data, log);
  const lock = free ?? (await lockFile(path, ORPHAN_MS));
  if (lock) return lock;
  throw new FolderInUse(
    `${data} is in use by a PostgreSQL whose system has ended, perhaps in a container: stop that container or process first`,
  );
};
