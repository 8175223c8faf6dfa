/** Finds what a command would change. A command that changes nothing records nothing. */
import { isDeepStrictEqual } from 'node:util';

/** The fields of `changes` whose values differ from those in `state`. `undefined` means no change. */
export const differences = <T extends object>(state: object, changes: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(value, (state as Record<string, unknown>)[name]),
    ),
  ) as Partial<T>;
