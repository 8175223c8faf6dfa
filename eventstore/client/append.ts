/**
 * Appends with a time limit and with retries that the server recognises as the same append. A failed append leaves no
 * promise behind whose rejection would end the process.
 */
import { type EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { createKeyedQueue } from '../../infra/keyedQueue.ts';
import { metrics } from '../../infra/metrics.ts';
import { createBackoff, sleep, withTimeout } from '../../infra/retry.ts';
import {
  type Appended,
  type EventStore,
  EventTooLarge,
  type ExpectedRevision,
  type NewEvent,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../store.ts';
import { asStoreError } from './errors.ts';

const APPEND_TIMEOUT_MS = 4_000;
const APPEND_ATTEMPTS = 3;
/** Longer than the client needs to give up a dead connection (twice 10 s) and to settle the calls on it. */
const ABANDONED_MS = 30_000;
/** EventStoreDB's default limit for one append. An append of more than 4 MB would even end the call that all appends share. */
const MAX_APPEND_BYTES = 1024 * 1024;
/**
 * The client writes all appends to one stream of objects. When its buffer (16 objects by default) is full, it waits for
 * room. If the connection is lost meanwhile, it rejects promises that no caller holds, and the process ends. So the
 * buffer is enlarged, and fewer appends run at once than fit into it.
 */
const APPENDS = { atOnce: 128, waiting: 5_000, patienceMs: APPEND_TIMEOUT_MS };
/** For `setDefaultHighWaterMark`. */
export const BUFFERED_OBJECTS = 2 * APPENDS.atOnce;

const outcomeOf = (error: Error): string => {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  return error instanceof StoreUnavailable ? 'unavailable' : 'failed';
};

/** Rejects a BigInt or an oversized event here: the client would wait for an answer forever. */
const assertStorable = (events: readonly NewEvent[]): void => {
  const bytes = Buffer.byteLength(JSON.stringify(events.map(({ type, data, metadata }) => [type, data, metadata])));
  if (bytes > MAX_APPEND_BYTES) throw new EventTooLarge(`${bytes} bytes are more than one append may have`);
};

export const createAppend = (client: EventStoreDBClient, read: EventStore['read']): EventStore['append'] => {
  const queue = createKeyedQueue(APPENDS);

  const appendOnce = async (
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<Appended> => {
    const what = `append to ${stream}`;
    // The place in the queue is kept until the append settles, even after our time limit: an append that nobody waits
    // for still takes up room in the client.
    const appending = queue.run('the event store', () => {
      const proposed = events.map(({ id, type, data, metadata }) =>
        jsonEvent({ id, type, data, metadata: { ...metadata } }),
      );
      const expectedRevision = expected === 'no_stream' ? NO_STREAM : expected;
      return withTimeout(client.appendToStream(stream, proposed, { expectedRevision }), ABANDONED_MS, what);
    });
    // We set a time limit of our own because the client ignores `deadline` on batch appends.
    const result = await withTimeout(
      appending,
      APPEND_TIMEOUT_MS,
      `${what} was not answered within ${APPEND_TIMEOUT_MS} ms`,
    );
    if (!result.success) throw new WrongExpectedRevision(`${stream} is not at ${expected}`);
    const revision = result.nextExpectedRevision;
    // For a repeated append, a server may leave out the position.
    const position = result.position ?? (await read(stream, { from: revision, max: 1 })).at(0)?.position;
    if (!position) throw new Error(`nothing was appended to ${stream}`);
    return { revision, position };
  };

  return async (stream, events, expected) => {
    assertStorable(events);
    const done = metrics.eventstoreAppendSeconds.startTimer();
    const backoff = createBackoff();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const appended = await appendOnce(stream, events, expected);
        done({ outcome: 'done' });
        return appended;
      } catch (error) {
        const known = asStoreError(error);
        if (!(known instanceof StoreUnavailable) || attempt === APPEND_ATTEMPTS) {
          done({ outcome: outcomeOf(known) });
          throw known;
        }
        await sleep(backoff.next());
      }
    }
  };
};
