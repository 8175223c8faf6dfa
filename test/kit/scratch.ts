/** Folders of tests whose data need not survive the machine. */
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;

/** In memory where the system has room for it, because most of the time of stores on a disk is waiting for it. */
const hasRoom = (): Promise<boolean> =>
  statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize > ROOM_BYTES,
    () => false,
  );

/** Makes an empty folder; the caller removes it. Tests of durability take one of `tmpdir()`, which is on a disk. */
export const scratchFolder = async (name: string): Promise<string> =>
  mkdtemp(path.join((await hasRoom()) ? MEMORY : tmpdir(), `resort-${name}-`));
