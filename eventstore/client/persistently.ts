/** Repeats what the event store did not answer, within the time that a request can wait. */
import { Overloaded } from '../../infra/keyedQueue.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { KnownAway, StoreUnavailable } from '../store.ts';
import { asStoreError } from './errors.ts';

/** After this long, callers are told that the store is away: a request has its 503 within five seconds. */
export const LIMIT_MS = 4_500;
/** How long a connected node may be silent while a call waits for its answer. Then the leader is looked for again. */
export const SILENCE_MS = 2_000;
/** With less time than this left, another attempt is not worth its while. */
const SHORTEST_MS = 200;

/**
 * Calls `attempt` until it succeeds, with the time that is left, in milliseconds. It has to be safe to repeat.
 * @throws StoreUnavailable when the time is over, and whatever else `attempt` throws
 */
export const persistently = async <T>(attempt: (leftMs: number) => Promise<T>): Promise<T> => {
  const deadline = performance.now() + LIMIT_MS;
  const backoff = createBackoff();
  for (;;) {
    try {
      return await attempt(deadline - performance.now());
    } catch (error) {
      const known = asStoreError(error);
      const waitMs = Math.min(backoff.next(), 500);
      const isOver = performance.now() + waitMs + SHORTEST_MS > deadline;
      const isPassing =
        known instanceof StoreUnavailable && !(known instanceof KnownAway || error instanceof Overloaded);
      if (!isPassing || isOver) throw known;
      await sleep(waitMs);
    }
  }
};
