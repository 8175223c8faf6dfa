/** What the node tells the client that it can do (EventStoreDB's `SupportedMethods`). */
import { supportedMethods } from './replies.ts';

/** The release whose behaviour is followed. */
const VERSION = '24.6.0-embedded';

const STREAMS = 'event_store.client.streams.Streams';
const PERSISTENT_SUBSCRIPTIONS = 'event_store.client.persistent_subscriptions.PersistentSubscriptions';

const streams = ['read', 'append', 'batchappend', 'delete', 'tombstone'];
/** Not served, yet listed: for what is not listed the client falls back to an HTTP interface and hangs up in confusion. */
const persistent = ['create', 'update', 'delete', 'read', 'getinfo', 'replayparked', 'list', 'restartsubsystem'];

export const supportedFeatures = (): Buffer =>
  supportedMethods(VERSION, [
    ...streams.map((method) => ({ service: STREAMS, method, features: [] })),
    ...persistent.map((method) => ({ service: PERSISTENT_SUBSCRIPTIONS, method, features: ['stream', 'all'] })),
  ]);
