/** The event node in this process: folder, log, writer and server put together. */
import { ownFolder } from '../../infra/fileLock.ts';
import { connectionStringOf, keyOf, makePrivate, requireKey, writeConnection } from './access.ts';
import { serveHealth } from './health.ts';
import { Log } from './log.ts';
import { NodeServer } from './server.ts';
import { writeSystemEvents } from './systemEvents.ts';
import type { Trait } from './traits.ts';
import { Writer } from './writer.ts';

export interface EventNode {
  readonly connectionString: string;
  /** Port of `GET /health/live`, if there is one. */
  readonly healthPort: number | undefined;
  /** Answers the writes that were accepted, ends the calls and closes the log. */
  readonly stop: () => Promise<void>;
}

export interface NodeOptions {
  readonly traits?: readonly Trait[];
  /** 0 takes a free port; left out, there is no `GET /health/live`. */
  readonly healthPort?: number | undefined;
  /** Every local user may use the node: no key is needed. */
  readonly isOpen?: boolean;
}

/** How long a start waits for a node that is ending, as one does whose parent was killed. */
const ENDING_MS = 3_000;

/**
 * Throws when the directory is in use, the log is of another format or the port is taken. `onFailure` is called when
 * the log cannot be written and must end the process.
 */
export const runNode = async (
  directory: string,
  port: number,
  report: (error: unknown) => void,
  onFailure: (error: Error) => void,
  { traits: listed = [], healthPort, isOpen = false }: NodeOptions = {},
): Promise<EventNode> => {
  makePrivate(directory);
  const traits = new Set(listed);
  const owned = await ownFolder(directory, { holder: 'another event node', waitMs: ENDING_MS });
  try {
    const log = new Log(directory);
    const writer = new Writer(log, onFailure, traits);
    const key = isOpen ? undefined : keyOf(directory);
    const interceptors = key === undefined ? [] : [requireKey(key)];
    const server = new NodeServer(log, writer, report, traits, interceptors);
    const connectionString = connectionStringOf(await server.listen(port), key);
    writeConnection(directory, connectionString);
    const health = healthPort === undefined ? undefined : await serveHealth(healthPort);
    const stopSystemEvents = traits.has('system-events') ? writeSystemEvents(log, writer) : async () => undefined;
    return {
      connectionString,
      healthPort: health?.port,
      stop: async () => {
        health?.stop();
        await server.close();
        await stopSystemEvents();
        await log.close();
        owned.release();
      },
    };
  } catch (error) {
    owned.release();
    throw error;
  }
};
