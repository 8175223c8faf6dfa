/**
 * The event store of this process, made of @eventstore/db-client with every guard that it lacks (`client/`: nothing
 * else imports it). One a process: two would share a map of pending appends, and one server's death would reject the
 * other's.
 */
import { setDefaultHighWaterMark } from 'node:stream';
import { EventStoreDBClient } from '@eventstore/db-client';
import { withTimeout } from '../../infra/retry.ts';
import type { EventStore, RawSubscription } from '../store.ts';
import { BUFFERED_OBJECTS, createAppend } from './append.ts';
import { createRead, createReadAll } from './read.ts';
import { subscribeToAll } from './subscription.ts';

export * from '../store.ts';

const CLOSE_TIMEOUT_MS = 5_000;

/** The client knows the database's newer name only as an error. */
const asEsdb = (connectionString: string): string => connectionString.replace(/^kurrent(db)?(?=[+:])/, 'esdb');

/** Connects lazily; the first call finds out whether anyone is there. */
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
      // What a server that is gone leaves open has nothing to say any more.
      await withTimeout(closing, CLOSE_TIMEOUT_MS, 'closing the event store').catch(() => undefined);
    },
  };
};
