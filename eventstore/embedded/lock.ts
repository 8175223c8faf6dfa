/**
 * Locks a directory for one process: two nodes on one log would overwrite each other. The holder listens on a port and
 * writes a lock file with the port and a random token. A lock file whose port does not answer with its token is stale.
 * So nothing has to be cleaned up after `kill -9`, and a reused process id causes no confusion.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';

const ANSWER_MS = 1000;
const LOCK_FILE = /^node-(\d+)-([0-9a-f-]{36})\.lock$/;

/** The directory is in use by a running process. */
class DirectoryLocked extends Error {}

/**
 * Locks the directory and returns the function that releases it. `holder` names the other process in the error.
 * @throws DirectoryLocked when the directory is in use
 */
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
  // Our lock file is written before we look for others: of two processes that start together, at least one sees the
  // other.
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

/**
 * Whether a process at this port answers with this token. A process that does not answer counts too: it may be frozen,
 * and continue to write later.
 */
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
