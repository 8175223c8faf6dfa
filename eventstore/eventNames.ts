/**
 * Names of streams and types that others wrote into the log may have anything in them. What stands in PostgreSQL are names
 * that it can store.
 */
import { beginningOf, isStorable, storableText } from '../domain/core/storable.ts';
import { derivedId } from '../infra/ids.ts';

/** In characters. PostgreSQL takes about 2,700 bytes in an index; ours have less than a hundred. */
const MAX_NAME = 500;
/** What is kept of a longer one. */
const KEPT = 200;

export const isStorableName = (name: string): boolean => name.length <= MAX_NAME && isStorable(name);

/** The name, or one that stands for it where it cannot be stored: no other name has the same. */
export const storableName = (name: string): string =>
  isStorableName(name) ? name : `${storableText(beginningOf(name, KEPT))}…${derivedId('name', name)}`;
