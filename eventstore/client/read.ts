/** Bounded reads of one stream and of the whole log, all answered by the leader: a follower may lack the newest events. */
import {
  BACKWARDS,
  END,
  ErrorType,
  FORWARDS,
  type ReadPosition,
  type ResolvedEvent,
  START,
  type StreamingRead,
} from '@eventstore/db-client';
import { TimedOut } from '../../infra/retry.ts';
import type { EventStore } from '../store.ts';
import type { GuardedClient } from './guardedClient.ts';
import { persistently, SILENCE_MS } from './persistently.ts';
import { toStored } from './stored.ts';

/** Of a read whose events keep arriving. */
const READ_MS = 20_000;
const LOOK_MS = 250;

/**
 * `tooLate` resolves to the reason when no event has arrived for too long, unless `stop` is called before. Time in which
 * this process was too busy to look does not count: what has arrived meanwhile is still to be read.
 */
const watchSilence = (lastAt: () => number, limitMs: number): { tooLate: Promise<string>; stop: () => void } => {
  const begun = performance.now();
  let lookedAt = begun;
  let silentMs = 0;
  let look: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    look = setInterval(() => {
      const now = performance.now();
      silentMs = lastAt() > lookedAt ? 0 : silentMs + Math.min(now - lookedAt, 2 * LOOK_MS);
      lookedAt = now;
      if (silentMs >= limitMs) resolve(`was not answered for ${Math.round(limitMs)} ms`);
      else if (now - begun > READ_MS) resolve(`took longer than ${READ_MS} ms`);
    }, LOOK_MS);
  });
  return { tooLate, stop: () => clearInterval(look) };
};

/** Collects all events of a read that is bounded by `maxCount`. Leaving such a read early would leak the call. */
const collect = async <T>(
  client: GuardedClient,
  start: () => StreamingRead<T>,
  { what, leftMs }: { what: string; leftMs: number },
): Promise<T[]> => {
  const connection = await client.connected(leftMs);
  const all: T[] = [];
  const begun = performance.now();
  let lastAt = begun;
  const read = start();
  const reading = (async () => {
    for await (const item of read) {
      lastAt = performance.now();
      all.push(item);
    }
    return all;
  })();
  const silence = watchSilence(() => lastAt, Math.min(SILENCE_MS, leftMs));
  const tooLate = silence.tooLate.then((reason) => {
    throw new TimedOut(`${what} ${reason}`);
  });
  try {
    return await Promise.race([reading, tooLate]);
  } catch (error) {
    // Cancel only a read that still runs. Cancelling after every missing stream would reset that many calls, and a
    // server takes 33 resets per second for an attack (CVE-2023-44487) and closes the connection. Do not await it:
    // without an answering server it never settles.
    if (error instanceof TimedOut) {
      reading.catch(() => undefined);
      read.cancel().catch(() => undefined);
      await client.suspect(connection, lastAt);
    }
    throw error;
  } finally {
    silence.stop();
  }
};

type StreamRange = NonNullable<Parameters<EventStore['read']>[1]>;

/** The records of one stream, system records too; `[]` for a stream that does not exist. */
export const readRecords = async (
  client: GuardedClient,
  stream: string,
  { from, direction = 'forwards', max = Number.MAX_SAFE_INTEGER }: StreamRange,
): Promise<ResolvedEvent[]> => {
  const backwards = direction === 'backwards';
  const start = () =>
    client.readStream(stream, {
      direction: backwards ? BACKWARDS : FORWARDS,
      fromRevision: from ?? (backwards ? END : START),
      maxCount: max,
      requiresLeader: true,
    });
  try {
    return await persistently((leftMs) => collect(client, start, { what: `read of ${stream}`, leftMs }));
  } catch (error) {
    if ((error as { type?: string }).type === ErrorType.STREAM_NOT_FOUND) return [];
    throw error;
  }
};

export const createRead =
  (client: GuardedClient): EventStore['read'] =>
  async (stream, range = {}) =>
    (await readRecords(client, stream, range)).flatMap(toStored);

export const createReadAll =
  (client: GuardedClient): EventStore['readAll'] =>
  async ({ after, direction = 'forwards', max }) => {
    const backwards = direction === 'backwards';
    const fromPosition: ReadPosition = after ?? (backwards ? END : START);
    const start = () =>
      client.readAll({
        direction: backwards ? BACKWARDS : FORWARDS,
        fromPosition,
        maxCount: max + 1,
        requiresLeader: true,
      });
    const found = await persistently((leftMs) => collect(client, start, { what: 'read of $all', leftMs }));
    // Forward reads include the position they start from; backward reads and subscriptions do not. A checkpoint need
    // not name the prepare position of its event.
    const beyond = after ? found.filter(({ event }) => event?.position?.commit !== after.commit) : found;
    const kept = beyond.slice(0, max);
    return { events: kept.flatMap(toStored), last: kept.at(-1)?.event?.position ?? null };
  };
