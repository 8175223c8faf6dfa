/**
 * The event store client of this process: @eventstore/db-client plus the guards that it lacks. No other folder imports
 * that package. Use one client per process: two share a map of pending appends, so that the failure of one server would
 * reject the appends to the other.
 */
import { setDefaultHighWaterMark } from 'node:stream';
import { withTimeout } from '../../infra/retry.ts';
import type { EventStore, RawSubscription } from '../store.ts';
import { assertAccess } from './access.ts';
import { BUFFERED_OBJECTS, createAppend } from './append.ts';
import { LeaderClient } from './leaderClient.ts';
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
}

const CLOSE_TIMEOUT_MS = 5_000;

/** Connects lazily: the first call shows whether the server is available. */
export const connectEventStore = (connectionString: string): ConnectedStore => {
  setDefaultHighWaterMark(true, BUFFERED_OBJECTS);
  const client = new LeaderClient(readConnectionString(connectionString));
  const open = new Set<RawSubscription>();
  const read = createRead(client);
  const readAll = createReadAll(client);

  return {
    append: createAppend(client, read),
    read,
    readAll,
    ...createSeal(client),
    head: async () => (await readAll({ direction: 'backwards', max: 1 })).last,
    subscribe(after, on, types) {
      const subscription = subscribeToAll(client, after, on, types);
      const stop = () => {
        open.delete(subscription);
        return subscription.stop();
      };
      open.add(subscription);
      return { ...subscription, stop };
    },
    assertAccess: () => assertAccess(client, { read, readAll }),
    async close() {
      const closing = Promise.all([...open].map((subscription) => subscription.stop())).then(() => client.dispose());
      // Calls that a lost server left open are ignored.
      await withTimeout(closing, CLOSE_TIMEOUT_MS, 'closing the event store').catch(() => undefined);
    },
  };
};
