/** Divides people into parts of fixed size, so that the same person is always in the same part. */

import { murmur3 } from '../core/murmur3.ts';
import { type FlagContext, fieldOf } from './context.ts';

/** Variants are divided independently of the rollout: else the first variant would get all early users. */
const VARIANT_SEED = 86_028_157;

/** The part of a value, from 1 to `parts`. More parts for a flag move nobody out of it. */
const partOf = (value: string, group: string, parts: number, seed: number): number =>
  (murmur3(`${group}:${value}`, seed) % parts) + 1;

/** From 1 to 100: a rollout to `n` percent reaches the parts 1 to `n`. */
export const rolloutPart = (value: string, group: string): number => partOf(value, group, 100, 0);
/** From 1 to the total of the weights. */
export const variantPart = (value: string, group: string, totalWeight: number): number =>
  partOf(value, group, totalWeight, VARIANT_SEED);

/** Chance as a part from 1 to 100: nobody in particular is in the last one, which only a rollout to all reaches. */
export const chancePart = ({ random }: FlagContext): number => (random === null ? 100 : Math.floor(random * 100) + 1);

/** Nothing of the context decides. */
export const CHANCE = Symbol('chance');

/** The value that decides, or chance; undefined where the context lacks the field. */
export const stickyValue = (context: FlagContext, stickiness: string): string | typeof CHANCE | undefined => {
  if (stickiness === 'random') return CHANCE;
  if (stickiness === 'default') return context.userId || context.sessionId || CHANCE;
  return fieldOf(context, stickiness);
};
