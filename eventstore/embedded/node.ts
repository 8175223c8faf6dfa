/** The event node in this process: lock, log, writer and server put together. */
import { mkdirSync } from 'node:fs';
import { lockDirectory } from './lock.ts';
import { Log } from './log.ts';
import { NodeServer } from './server.ts';
import { Writer } from './writer.ts';

export interface EventNode {
  readonly connectionString: string;
  /** Answers the writes that were accepted, ends the calls and closes the log. */
  readonly stop: () => Promise<void>;
}

/**
 * Throws when the directory is in use, the log is of another format or the port is taken. `onFailure` is called when
 * the log cannot be written and must end the process.
 */
export const runNode = async (
  directory: string,
  port: number,
  report: (error: unknown) => void,
  onFailure: (error: Error) => void,
): Promise<EventNode> => {
  mkdirSync(directory, { recursive: true });
  const unlock = await lockDirectory(directory);
  try {
    const log = new Log(directory);
    const server = new NodeServer(log, new Writer(log, onFailure), report);
    const bound = await server.listen(port);
    return {
      connectionString: `esdb://127.0.0.1:${bound}?tls=false`,
      stop: async () => {
        await server.close();
        await log.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
};
