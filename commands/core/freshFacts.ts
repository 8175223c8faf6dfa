/** Commands that carry facts of another stream, and are repeated when those are outdated. */
import { Outdated } from '../../domain/core/decider.ts';

const MOST_ATTEMPTS = 10;

/**
 * Reads facts and decides on them, again when they were outdated by then.
 * @param work gets the number of the attempt, from 0
 * @throws Outdated after too many attempts
 */
export const onFreshFacts = async <T>(work: (attempt: number) => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt += 1)
    try {
      return await work(attempt);
    } catch (error) {
      if (!(error instanceof Outdated) || attempt + 1 >= MOST_ATTEMPTS) throw error;
    }
};
