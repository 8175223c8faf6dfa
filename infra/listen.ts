/** Notifications of Postgres (LISTEN), over a connection of their own. */
import pg from 'pg';
import { BoundedClient } from './boundedClient.ts';
import type { Logger } from './log.ts';
import { assertWritable, CONNECTION, setUpSession } from './postgres.ts';
import { createBackoff, linkSignals, sleep } from './retry.ts';

interface ListenOptions {
  readonly applicationName: string;
  readonly log: Logger;
  /** Called after each reconnect: notifications may have been missed, so catch up. */
  readonly onReconnect?: () => void;
  /** Called when the connection is lost: notifications are missed from now on. */
  readonly onLost?: () => void;
  /** Ends the listening, and the wait for the first connection. */
  readonly signal?: AbortSignal;
}

export interface Listener {
  stop(): Promise<void>;
}

/** How often a listening connection is asked whether it still is what it is for. */
const HEARTBEAT_MS = 3_000;

/**
 * Listens on `channels` over its own connection, and reconnects with backoff after a loss. Resolves once it listens for
 * the first time, or the signal has fired.
 */
export const listen = async (
  url: string,
  channels: readonly string[],
  onNotify: (channel: string, payload: string) => void,
  options: ListenOptions,
): Promise<Listener> => {
  const { signal: stopping, end: stop } = linkSignals(...(options.signal ? [options.signal] : []));
  const backoff = createBackoff();
  let client: pg.Client | undefined;

  /** Runs one connection until it is lost. */
  const session = async (onListening: () => void): Promise<void> => {
    const connection = new BoundedClient({
      ...CONNECTION,
      connectionString: url,
      application_name: options.applicationName,
      connectionTimeoutMillis: 5_000,
      query_timeout: 3_000,
      pipeline: true,
    });
    client = connection;
    const lost = new AbortController();
    let isListening = false;
    lost.signal.addEventListener('abort', () => isListening && options.onLost?.());
    connection.on('error', (err) => {
      options.log.warn({ err }, 'connection for database notifications lost');
      lost.abort();
    });
    connection.on('end', () => lost.abort());
    connection.on('notification', ({ channel, payload }) => onNotify(channel, payload ?? ''));
    try {
      await connection.connect();
      setUpSession(connection, options.log);
      await assertWritable(connection);
      for (const channel of channels) await connection.query(`listen ${pg.escapeIdentifier(channel)}`);
      isListening = true;
      onListening();
      // A half-open connection reports no error, and one to the wrong server hears nothing.
      while (!lost.signal.aborted && !stopping.aborted) {
        await sleep(HEARTBEAT_MS, lost.signal, stopping);
        if (!lost.signal.aborted && !stopping.aborted) await assertWritable(connection);
      }
    } finally {
      lost.abort();
      await connection.end().catch((err: unknown) => options.log.debug({ err }, 'listening connection ended badly'));
    }
  };

  let running: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    let first = true;
    const onListening = () => {
      backoff.reset();
      if (!first) options.onReconnect?.();
      first = false;
      resolve();
    };
    const run = async () => {
      while (!stopping.aborted) {
        await session(onListening).catch((err: unknown) => options.log.warn({ err }, 'cannot listen to the database'));
        await sleep(stopping.aborted ? 0 : backoff.next(), stopping);
      }
    };
    running = run();
    stopping.addEventListener('abort', () => resolve());
    if (stopping.aborted) resolve();
  });
  return {
    stop: async () => {
      stop();
      await client?.end();
      await running;
    },
  };
};
