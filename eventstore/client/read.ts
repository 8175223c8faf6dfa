/** Bounded reads of one stream and of the whole log. */
import {
  BACKWARDS,
  END,
  ErrorType,
  type EventStoreDBClient,
  FORWARDS,
  type ReadPosition,
  START,
  type StreamingRead,
} from '@eventstore/db-client';
import type { Position } from '../../domain/core/decider.ts';
import { TimedOut, withTimeout } from '../../infra/retry.ts';
import type { EventStore } from '../store.ts';
import { asStoreError } from './errors.ts';
import { toStored } from './stored.ts';

const READ_TIMEOUT_MS = 20_000;

/** Collects all events of a read that is bounded by `maxCount`. Leaving such a read early would leak the call. */
const collect = async <T>(read: StreamingRead<T>, what: string): Promise<T[]> => {
  const all: T[] = [];
  const reading = (async () => {
    for await (const item of read) all.push(item);
    return all;
  })();
  try {
    return await withTimeout(reading, READ_TIMEOUT_MS, `${what} took longer than ${READ_TIMEOUT_MS} ms`);
  } catch (error) {
    // Cancel only a read that still runs. Cancelling after every missing stream would reset that many calls, and a
    // server takes 33 resets per second for an attack (CVE-2023-44487) and closes the connection. Do not await it:
    // without an answering server it never settles.
    if (error instanceof TimedOut) read.cancel().catch(() => undefined);
    throw error;
  }
};

export const createRead =
  (client: EventStoreDBClient): EventStore['read'] =>
  async (stream, { from, direction = 'forwards', max = Number.MAX_SAFE_INTEGER } = {}) => {
    const backwards = direction === 'backwards';
    try {
      const found = await collect(
        client.readStream(stream, {
          direction: backwards ? BACKWARDS : FORWARDS,
          fromRevision: from ?? (backwards ? END : START),
          maxCount: max,
        }),
        `read of ${stream}`,
      );
      return found.flatMap(toStored);
    } catch (error) {
      if ((error as { type?: string }).type === ErrorType.STREAM_NOT_FOUND) return [];
      throw asStoreError(error);
    }
  };

const isSame = (a: Position, b: Position): boolean => a.commit === b.commit && a.prepare === b.prepare;

export const createReadAll =
  (client: EventStoreDBClient): EventStore['readAll'] =>
  async ({ after, direction = 'forwards', max }) => {
    const backwards = direction === 'backwards';
    const fromPosition: ReadPosition = after ?? (backwards ? END : START);
    try {
      const found = await collect(
        client.readAll({ direction: backwards ? BACKWARDS : FORWARDS, fromPosition, maxCount: max + 1 }),
        'read of $all',
      );
      // Forward reads include the position they start from; backward reads and subscriptions do not.
      const beyond = after ? found.filter(({ event }) => !event || !isSame(event.position, after)) : found;
      const kept = beyond.slice(0, max);
      return { events: kept.flatMap(toStored), last: kept.at(-1)?.event?.position ?? null };
    } catch (error) {
      throw asStoreError(error);
    }
  };
