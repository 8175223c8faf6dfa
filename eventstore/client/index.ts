/**
 * The event store client of this process: @eventstore/db-client plus the guards that it lacks. No other folder imports
 * that package. Use one client per process: two share a map of pending appends, so that the failure of one server would
 * reject the appends to the other.
 */
import { setDefaultHighWaterMark } from 'node:stream';
import { EventStoreDBClient } from '@eventstore/db-client';
import { withTimeout } from '../../infra/retry.ts';
import type { EventStore, RawSubscription } from '../store.ts';
import { BUFFERED_OBJECTS, createAppend } from './append.ts';
import { createRead, createReadAll } from './read.ts';
import { createSeal } from './seal.ts';
import { subscribeToAll } from './subscription.ts';

export * from '../store.ts';

const CLOSE_TIMEOUT_MS = 5_000;

/** The client rejects the newer scheme name of the same database. */
const asEsdb = (connectionString: string): string => connectionString.replace(/^kurrent(db)?(?=[+:])/, 'esdb');

/** Connects lazily: the first call shows whether the server is available. */
export const connectEventStore = (connectionString: string): EventStore => {
  setDefaultHighWaterMark(true, BUFFERED_OBJECTS);
  const client = EventStoreDBClient.connectionString(asEsdb(connectionString));
  const open = new Set<RawSubscription>();
  const read = createRead(client);
  const readAll = createReadAll(client);

  return {
    append: createAppend(client, read),
    read,
    readAll,
    ...createSeal(client),
    head: async () => (await readAll({ direction: 'backwards', max: 1 })).last,
    subscribe(after, on) {
      const subscription = subscribeToAll(client, after, on);
      const stop = () => {
        open.delete(subscription);
        return subscription.stop();
      };
      open.add(subscription);
      return { ...subscription, stop };
    },
    async close() {
      const closing = Promise.all([...open].map((subscription) => subscription.stop())).then(() => client.dispose());
      // Calls that a lost server left open are ignored.
      await withTimeout(closing, CLOSE_TIMEOUT_MS, 'closing the event store').catch(() => undefined);
    },
  };
};
