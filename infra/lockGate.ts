/**
 * Keeps statements that wait for a locked table from taking all connections of a pool. A statement that lately waited in vain
 * is tried by one at a time, and few such statements at a time; whoever else asks for them is refused at once, as if the lock
 * had been waited for.
 */
import { isGivenUp } from './storeFaults.ts';

/** How long a statement is remembered that waited in vain. */
const REMEMBERED_MS = 10_000;
/** Texts differ by what they filter: more than a table has is a sign that something else is wrong. */
const MOST_REMEMBERED = 1_000;

/** Nothing was sent: another statement of this text waits for the lock. */
class StillLocked extends Error {
  override readonly name = 'StillLocked';
  readonly code = '55P03';
}

/** `trial`: the statement lately waited in vain, and is tried again. An error: it is refused. */
type Entry = 'free' | 'trial' | Error;

export interface LockGate {
  enter(text: string): Entry;
  /** A statement that was not refused has ended. */
  leave(text: string, entry: Entry, error: unknown): void;
}

/** @param atOnce how many statements that lately waited in vain may be tried at a time */
export const createLockGate = (atOnce: number, now = () => performance.now()): LockGate => {
  /** Text → when it last waited in vain. */
  const vain = new Map<string, number>();
  const trying = new Set<string>();

  const isSuspect = (text: string): boolean => {
    const since = vain.get(text);
    if (since === undefined) return false;
    if (now() - since < REMEMBERED_MS) return true;
    vain.delete(text);
    return false;
  };

  return {
    enter: (text) => {
      if (vain.size === 0 || !isSuspect(text)) return 'free';
      if (trying.has(text) || trying.size >= atOnce)
        return new StillLocked('the same statement has just waited in vain for what others have locked');
      trying.add(text);
      return 'trial';
    },
    leave: (text, entry, error) => {
      if (entry === 'trial') trying.delete(text);
      if (isGivenUp(error)) {
        if (vain.size < MOST_REMEMBERED || vain.has(text)) vain.set(text, now());
      } else if (vain.size > 0) vain.delete(text);
    },
  };
};
