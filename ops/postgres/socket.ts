/**
 * The Unix socket of the server, in its private data directory. Over it small queries take a fifth less time than over TCP.
 */
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** PostgreSQL and its clients make the name of the socket of this and the port. */
const PREFIX = '.s.PGSQL.';
/** Bytes of a socket's path on macOS; Linux has four more. */
const MAX_PATH = 103;

/** Whether the server can listen there. Some file systems have no sockets: they are tried with one of another name. */
export const canHaveSocket = async (data: string, port: number): Promise<boolean> => {
  const path = join(data, `${PREFIX}${port}`);
  if (process.platform === 'win32' || Buffer.byteLength(path) > MAX_PATH) return false;
  const trialPath = join(data, '.s.trial');
  await rm(trialPath, { force: true });
  const trial = createServer();
  try {
    await once(trial.listen(trialPath), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    trial.close();
  }
};

/** Removes what a server that has ended without cleaning up has left. */
export const removeSockets = async (data: string): Promise<void> => {
  const files = (await readdir(data)).filter((name) => name.startsWith(PREFIX));
  for (const name of files) await rm(join(data, name), { force: true });
};
