/**
 * Everything that is random in tests follows from one seed, so that the same commit has the same result. `npm run explore`
 * tries other seeds; `SEED=… npm test` repeats one.
 *
 * Identifiers of what a test makes (`randomUUID`, `newPhone`) need not be repeatable, only unique: nothing may depend on
 * their value.
 */
import fc from 'fast-check';

const FIXED_SEED = 2026;
/** Of this run: a whole number. */
export const SEED = Number(process.env.SEED ?? FIXED_SEED);
/** Whether this run is the ordinary one. What a few random cases merely reach is asked of that one only. */
export const isFixedSeed = SEED === FIXED_SEED;
if (!Number.isInteger(SEED)) throw new Error(`SEED must be a whole number, not ${JSON.stringify(process.env.SEED)}`);

// Properties take the seed of the run. A failing one says it, and explore names the command that repeats it.
fc.configureGlobal({ seed: SEED, includeErrorInReport: true });

/** Numbers in [0, 1). */
export type Random = () => number;

/** Repeatable numbers in [0, 1) (mulberry32). @param seed the seed of the run, unless the numbers must never change */
export const randomFrom = (seed: number = SEED): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A whole number from 0 up to and without `n`. */
export const below = (random: Random, n: number): number => Math.floor(random() * n);

/** Any one of them. @throws if there is none */
export const anyOf = <T>(random: Random, items: readonly T[]): T => {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};
