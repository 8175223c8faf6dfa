/**
 * What is good for once: a code, the `state` of a sign-in. When something fails after it was used up, the same request
 * cannot succeed any more, so that "try again" would be wrong: the person has to start again.
 */
import { Contended, Rejected } from '../../domain/core/decider.ts';
import { rejections } from '../../domain/core/rejections.ts';
import { Overloaded } from '../../infra/keyedQueue.ts';
import type { Logger } from '../../infra/log.ts';
import { OutsideFault } from '../../infra/outsideFault.ts';
import { isStoreAway } from '../../infra/storeFaults.ts';

/** Errors that are answered with "try again". */
const passes = (error: unknown): boolean =>
  error instanceof Rejected
    ? rejections[error.code].kind === 'unavailable'
    : [Contended, Overloaded, OutsideFault].some((kind) => error instanceof kind) || isStoreAway(error);

/**
 * Does what follows after something was used up.
 * @param again a sentence that says what to start again
 * @throws Rejected `start_again` in place of what passes by itself: whether it was done is not known. Other errors as they come
 */
export const afterUse = async <T>(
  { log }: { readonly log: Pick<Logger, 'warn'> },
  again: string,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (err) {
    if (!passes(err)) throw err;
    log.warn({ err }, 'something that is good for once was used up in vain');
    throw new Rejected('start_again', err instanceof Rejected ? `${err.message} ${again}` : again);
  }
};

/** After a code was used up. */
export const NEW_CODE = 'The code is used up. Ask for a new one, and start again.';
