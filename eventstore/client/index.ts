/**
 * The event store client of this process: @eventstore/db-client plus the guards that it lacks. No other folder imports
 * that package. Use one client per process: two share a map of pending appends, so that the failure of one server would
 * reject the appends to the other.
 */
import { setDefaultHighWaterMark } from 'node:stream';
import type { Logger } from '../../infra/log.ts';
import { withTimeout } from '../../infra/retry.ts';
import type { EventStore, LogToCheck, RawSubscription } from '../store.ts';
import { assertAccess, grantReadAll } from './access.ts';
import { BUFFERED_OBJECTS, createAppend } from './append.ts';
import { addressOf } from './endPoint.ts';
import type { GuardedClient } from './guardedClient.ts';
import { LeaderClient } from './leaderClient.ts';
import { createLogId } from './logId.ts';
import { createRead, createReadAll } from './read.ts';
import { createSeal } from './seal.ts';
import { readConnectionString } from './settings.ts';
import { subscribeToAll } from './subscription.ts';

export * from '../store.ts';

export interface ConnectedStore extends EventStore {
  /**
   * Checks the rights of the connection string's user.
   * @throws AccessDenied, with what the user may not do
   * @throws StoreUnavailable
   */
  assertAccess(): Promise<void>;
  /**
   * Lets another user read `$all`; the connection string names an admin.
   * @throws AccessDenied, StoreUnavailable
   */
  grantReadAll(user: string): Promise<'granted' | 'had it'>;
  /** Why calls are refused at once: there has been no connection for some seconds, or only to another log. */
  away(): string | undefined;
}

export interface StoreOptions {
  readonly log?: Logger;
  /**
   * Asked about the log behind each new connection, before any call goes over it. While it throws, calls are refused.
   * @throws OtherLog
   */
  readonly check?: (log: LogToCheck) => Promise<void>;
}

const CLOSE_TIMEOUT_MS = 5_000;

const logOver = (client: GuardedClient, address: string): LogToCheck => {
  const readAll = createReadAll(client);
  return {
    address,
    id: createLogId(client),
    read: createRead(client),
    readAll,
    head: async () => (await readAll({ direction: 'backwards', max: 1 })).last,
  };
};

/** Connects lazily: the first call shows whether the server is available. */
export const connectEventStore = (connectionString: string, { log, check }: StoreOptions = {}): ConnectedStore => {
  setDefaultHighWaterMark(true, BUFFERED_OBJECTS);
  const settings = readConnectionString(connectionString);
  const address = settings.hosts.map(addressOf).join(', ');
  const client = new LeaderClient(settings, {
    ...(check && { check: (over) => check(logOver(over, address)) }),
    onAway: ({ message }) => log?.warn({ why: message }, 'the event store is away'),
    onBack: (awayMs) => log?.info({ seconds: Math.round(awayMs / 1_000) }, 'the event store answers again'),
  });
  const open = new Set<RawSubscription>();
  const whole = logOver(client, address);

  return {
    ...whole,
    append: createAppend(client, whole.read),
    ...createSeal(client),
    subscribe(after, on, types) {
      const subscription = subscribeToAll(client, after, on, types);
      const stop = () => {
        open.delete(subscription);
        return subscription.stop();
      };
      open.add(subscription);
      return { ...subscription, stop };
    },
    away: () => client.away?.message,
    assertAccess: () => assertAccess(client, whole),
    grantReadAll: (user) => grantReadAll(client, user),
    async close() {
      const closing = Promise.all([...open].map((subscription) => subscription.stop())).then(() => client.dispose());
      // Calls that a lost server left open are ignored.
      await withTimeout(closing, CLOSE_TIMEOUT_MS, 'closing the event store').catch(() => undefined);
    },
  };
};
