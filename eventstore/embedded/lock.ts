/**
 * One node a directory: two on one log would overwrite each other. A node that runs listens on a port of its own and
 * leaves a file that names it; a file whose port does not answer with its name belongs to a node that is gone. So a
 * kill -9 leaves nothing that has to be cleaned up, and a process id used again fools nobody.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';

const ANSWER_MS = 1000;
const LOCK_FILE = /^node-(\d+)-([0-9a-f-]{36})\.lock$/;

/** The directory is in use by a process that runs. */
export class DirectoryLocked extends Error {}

/** Returns what releases the lock. Throws `DirectoryLocked`, which calls the other by the name of `holder`. */
export const lockDirectory = async (directory: string, holder = 'event node'): Promise<() => void> => {
  const token = randomUUID();
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(token);
  });
  server.unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const file = `node-${(server.address() as AddressInfo).port}-${token}.lock`;
  const release = (): void => {
    rmSync(join(directory, file), { force: true });
    server.close();
  };
  // Ours is in place before we look for others: of two that start together, at least one sees the other.
  writeFileSync(join(directory, file), `held by process ${process.pid}\n`);
  try {
    await removeStale(directory, file, holder);
  } catch (error) {
    release();
    throw error;
  }
  return release;
};

const removeStale = async (directory: string, own: string, holder: string): Promise<void> => {
  for (const file of readdirSync(directory)) {
    const [, port, token] = LOCK_FILE.exec(file) ?? [];
    if (file === own || port === undefined || token === undefined) continue;
    const path = join(directory, file);
    if (await isHeld(Number(port), token))
      throw new DirectoryLocked(`${directory} is in use by another ${holder} (${path}): stop that one first`);
    rmSync(path, { force: true });
  }
};

/** Whether the process at the port, if there is one, calls itself so. A frozen one counts: it may wake up and write. */
const isHeld = (port: number, token: string): Promise<boolean> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(ANSWER_MS, () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(answer === token));
  });
