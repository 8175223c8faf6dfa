/**
 * How large the parts of an input may be, and which values nothing can be done with. They are checked before its validation,
 * so that no schema is applied to what only costs time.
 */

import { isPlaceholder } from '../../domain/core/schema.ts';
import { isStorable } from '../../domain/core/storable.ts';
import { pointerTo } from './fieldErrors.ts';

export const MAX_DEPTH = 20;
/** Characters of one text. */
const MAX_TEXT = 64 * 1024;
/** Items of one array, fields of one object. */
const MAX_ITEMS = 10_000;
/** Values in all. */
const MAX_VALUES = 50_000;

/** What is wrong with one value. Some texts cannot be stored, nor can numbers beyond 2^53. */
const wrongScalar = (value: unknown): string | undefined => {
  if (typeof value === 'number')
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? undefined : 'contains a number that is too large';
  if (typeof value !== 'string') return undefined;
  if (value.length > MAX_TEXT) return `contains a text of more than ${MAX_TEXT} characters`;
  if (!isStorable(value)) return 'contains characters that cannot be stored';
  // Its readers would be told that its author's account was erased.
  return isPlaceholder(value.trim()) ? `contains ${value.trim()}, which is reserved` : undefined;
};

/** What is wrong with the name of a field. Code that copies fields one by one would change the object itself by this one. */
const wrongName = (name: string): string | undefined =>
  name === '__proto__' ? 'contains a field with the name __proto__, which is reserved' : wrongScalar(name);

/** What is wrong with an input whatever its schema is. */
export interface Oversized {
  /** JSON Pointer into the input: `/items/0/name`; empty: all of it. */
  readonly pointer: string;
  /** Follows the name of the value: `contains a number that is too large`. */
  readonly detail: string;
}

/** What is wrong with a parsed input, whatever its schema: its size, or a value in it; undefined when nothing is. */
export const oversized = (input: unknown): Oversized | undefined => {
  let values = 0;
  const check = (value: unknown, depth: number): Oversized | undefined => {
    const wrong = (detail: string | undefined) => (detail === undefined ? undefined : { pointer: '', detail });
    values += 1;
    if (values > MAX_VALUES) return wrong(`contains more than ${MAX_VALUES} values`);
    if (value === null || typeof value !== 'object') return wrong(wrongScalar(value));
    if (depth >= MAX_DEPTH) return wrong(`is nested deeper than ${MAX_DEPTH} levels`);
    const items = Object.entries(value);
    if (items.length > MAX_ITEMS) return wrong(`contains more than ${MAX_ITEMS} items in one array or object`);
    const unusable = items.map(([name]) => wrongName(name)).find((each) => each !== undefined);
    if (unusable !== undefined) return wrong(unusable);
    for (const [name, item] of items) {
      const found = check(item, depth + 1);
      if (found) return { pointer: `${pointerTo('', name)}${found.pointer}`, detail: found.detail };
    }
    return undefined;
  };
  return check(input, 0);
};
