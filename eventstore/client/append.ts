/**
 * Appends with a time limit and with retries that the server recognises as the same append. A failed append leaves no
 * promise behind whose rejection would end the process.
 */
import { jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { createKeyedQueue, Overloaded } from '../../infra/keyedQueue.ts';
import { metrics } from '../../infra/metrics.ts';
import { TimedOut, withTimeout } from '../../infra/retry.ts';
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
import type { GuardedClient } from './guardedClient.ts';
import { LIMIT_MS, persistently, SILENCE_MS } from './persistently.ts';

/** Longer than any connection that was given up needs to settle its calls. */
const ABANDONED_MS = 30_000;
/** EventStoreDB's default limit for one append. An append of more than 4 MB would even end the call that all appends share. */
const MAX_APPEND_BYTES = 1024 * 1024;
/**
 * The client writes all appends to one stream of objects. When its buffer (16 objects by default) is full, it waits for
 * room. If the connection is lost meanwhile, it rejects promises that no caller holds, and the process ends. So the
 * buffer is enlarged, and fewer appends run at once than fit into it.
 */
const APPENDS = { atOnce: 128, waiting: 5_000, patienceMs: LIMIT_MS };
/** For `setDefaultHighWaterMark`. */
export const BUFFERED_OBJECTS = 2 * APPENDS.atOnce;

const outcomeOf = (error: unknown): string => {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  return error instanceof StoreUnavailable ? 'unavailable' : 'failed';
};

/**
 * Rejects a BigInt or an oversized event here: the client would wait for an answer forever, and a server that takes more
 * would have a log that cannot be copied to the others.
 */
const assertStorable = (events: readonly NewEvent[]): void => {
  const bytes = Buffer.byteLength(JSON.stringify(events.map(({ type, data, metadata }) => [type, data, metadata])));
  if (bytes > MAX_APPEND_BYTES)
    throw new EventTooLarge(`${bytes} bytes are more than the ${MAX_APPEND_BYTES} that one append may have`);
};

const rethrow = (error: unknown): never => {
  throw asStoreError(error);
};

type ClientResult = Awaited<ReturnType<GuardedClient['appendToStream']>>;

export const createAppend = (client: GuardedClient, read: EventStore['read']): EventStore['append'] => {
  const queue = createKeyedQueue(APPENDS);

  /**
   * Sends one append and passes its outcome on. We set time limits of our own because the client ignores `deadline` on
   * batch appends. Resolves when the append has settled: until then it takes up room in the client, although nobody
   * waits for it any more.
   */
  const send = async (
    append: () => Promise<ClientResult>,
    deadline: number,
    outcome: (result: Promise<ClientResult>) => void,
  ): Promise<void> => {
    const left = () => deadline - performance.now();
    if (left() <= 0) throw new Overloaded('the append waited too long in the queue');
    const connection = await client.connected(left());
    const begun = performance.now();
    const limitMs = Math.min(left(), SILENCE_MS);
    const appending = append();
    const answered = withTimeout(appending, limitMs, `the append was not answered within ${Math.round(limitMs)} ms`);
    outcome(answered);
    await answered.catch((error) => (error instanceof TimedOut ? client.suspect(connection, begun) : undefined));
    await withTimeout(appending, ABANDONED_MS, 'the append').catch(() => undefined);
  };

  const appendOnce = async (
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    leftMs: number,
  ): Promise<Appended> => {
    const deadline = performance.now() + leftMs;
    const append = () => {
      // The metadata as it is: in a copy it may be that of others, who write anything there.
      const proposed = events.map(({ id, type, data, metadata }) =>
        jsonEvent({ id, type, data, metadata: metadata as unknown as Record<string, unknown> }),
      );
      const expectedRevision = expected === 'no_stream' ? NO_STREAM : expected;
      return client.appendToStream(stream, proposed, { expectedRevision, requiresLeader: true });
    };
    const result = await new Promise<ClientResult>((resolve, reject) => {
      queue.run('the event store', () => send(append, deadline, resolve)).catch(reject);
    });
    if (!result.success) throw new WrongExpectedRevision(`${stream} is not at ${expected}`);
    const revision = result.nextExpectedRevision;
    // For a repeated append, a server may leave out the position.
    const position = result.position ?? (await read(stream, { from: revision, max: 1 })).at(0)?.position;
    if (!position) throw new Error(`nothing was appended to ${stream}`);
    return { revision, position };
  };

  return async (stream, events, expected, { once = false } = {}) => {
    assertStorable(events);
    const done = metrics.eventstoreAppendSeconds.startTimer();
    const attempt = (leftMs: number) => appendOnce(stream, events, expected, leftMs);
    try {
      const appended = await (once ? attempt(LIMIT_MS).catch(rethrow) : persistently(attempt));
      done({ outcome: 'done' });
      return appended;
    } catch (error) {
      done({ outcome: outcomeOf(error) });
      throw error;
    }
  };
};
