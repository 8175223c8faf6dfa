/** Commands that carry facts of another stream, and are repeated when those are outdated. */
import { Outdated } from '../../domain/core/decider.ts';
import { sleep } from '../../infra/retry.ts';
import type { Aggregates } from './handle.ts';

const MOST_ATTEMPTS = 10;
/** A change that others are in the middle of takes less time than this many attempts. */
const STUCK_AFTER = 6;
/** Others may be in the middle of a change of two streams. */
const PAUSE_MS = 5;

/**
 * Reads facts and decides on them, again when they were outdated by then.
 * @param work gets the number of the attempt, from 0
 * @param whenStuck completes what others have begun and not ended: they may have died
 * @throws Outdated after too many attempts
 */
export const onFreshFacts = async <T>(
  work: (attempt: number) => Promise<T>,
  whenStuck: (error: Outdated) => Promise<void> = async () => undefined,
): Promise<T> => {
  for (let attempt = 0; ; attempt += 1)
    try {
      return await work(attempt);
    } catch (error) {
      if (!(error instanceof Outdated) || attempt + 1 >= MOST_ATTEMPTS) throw error;
      if (attempt + 1 === STUCK_AFTER) await whenStuck(error);
      await sleep(attempt * PAUSE_MS);
    }
};

/** The same dependencies, but what they load is read from the log: for an attempt after one that was outdated. */
export const readingAgain = <Deps extends { readonly aggregates: Aggregates }>(deps: Deps): Deps => {
  const { aggregates } = deps;
  return { ...deps, aggregates: { handle: aggregates.handle, load: (decider, id) => aggregates.load(decider, id) } };
};
