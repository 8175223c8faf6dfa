/** What a change would change: a command that asks for what is already so records nothing. */
import { isDeepStrictEqual } from 'node:util';

/** Those fields of `wanted` that `state` does not have, or has otherwise. `undefined` asks for nothing. */
export const differences = <T extends object>(state: object, wanted: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(value, (state as Record<string, unknown>)[name]),
    ),
  ) as Partial<T>;
