/** The methods that the node reports to the client (EventStoreDB's `SupportedMethods`). */
import { supportedMethods } from './replies.ts';

/** The EventStoreDB release with which the node was compared, operation by operation. */
const VERSION = '23.10.1-embedded';

const STREAMS = 'event_store.client.streams.Streams';
const PERSISTENT_SUBSCRIPTIONS = 'event_store.client.persistent_subscriptions.PersistentSubscriptions';

const streams = ['read', 'append', 'batchappend', 'delete', 'tombstone'];
/** Listed although it is not implemented: for unlisted methods the client falls back to an HTTP interface and disconnects. */
const persistent = ['create', 'update', 'delete', 'read', 'getinfo', 'replayparked', 'list', 'restartsubsystem'];

export const supportedFeatures = (): Buffer =>
  supportedMethods(VERSION, [
    ...streams.map((method) => ({ service: STREAMS, method, features: [] })),
    ...persistent.map((method) => ({ service: PERSISTENT_SUBSCRIPTIONS, method, features: ['stream', 'all'] })),
  ]);
