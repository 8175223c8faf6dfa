/** Times that say something on a busy machine too. */

/**
 * Measures up to `rounds` times, and returns the shortest time in ms. Load slows some of them down, a fault all of them.
 * Stops at the first below `limitMs`.
 */
export const quickest = async (limitMs: number, measure: () => Promise<number>, rounds = 5): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && least >= limitMs; round += 1) least = Math.min(least, await measure());
  return least;
};

/** The middle one of some times. */
export const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
