/**
 * What was decided before and is decided again. The same words change nothing, so that a request can be repeated; other
 * words would be lost without a word, so that they are refused.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Facts, Rejected } from './decider.ts';
import { murmur3 } from './murmur3.ts';
import { isPlaceholder, PersonalValue } from './schema.ts';

/**
 * What a state keeps of somebody's words to know them again, without the words themselves: they may be personal, and a
 * snapshot keeps the state. null: what they were is not known any more.
 */
export const WordsMark = PersonalValue(Type.Integer());
export type WordsMark = Static<typeof WordsMark>;

/** @param words null: there were none */
export const markOf = (words: string | null): WordsMark =>
  words !== null && isPlaceholder(words) ? null : murmur3(words ?? '', 0);
export const NO_WORDS = markOf(null);

/** Somebody says again, with other words, what was decided before. Code `conflict`. */
export class SaidOtherwise extends Rejected {}

/**
 * No events for what is said again. Who says it without words loses none.
 * @param what what was decided before, as a sentence without its end: `This review was hidden before`
 * @param noun what the words are: a reason, an answer
 * @throws SaidOtherwise for other words
 */
export const saidBefore = (
  what: string,
  recorded: WordsMark,
  words: string | null,
  { noun = 'reason', ...facts }: Facts & { readonly noun?: string } = {},
): [] => {
  if (words === null || recorded === null || markOf(words) === recorded) return [];
  throw new SaidOtherwise('conflict', `${what}, with another ${noun}. The first one stays.`, facts);
};
