/** Keeps every process away from a log that was given up for a copy of it. */
import { IncompatibleData } from '../infra/incompatible.ts';
import type { Logger } from '../infra/log.ts';
import { sleep } from '../infra/retry.ts';
import type { EventStore } from './client/index.ts';

/** How long a process may go on after its log was sealed. */
const CHECK_MS = 5_000;

/** @throws IncompatibleData when the log is sealed; StoreUnavailable when it cannot be reached */
export const assertNotSealed = async (store: Pick<EventStore, 'isSealed'>): Promise<void> => {
  if (await store.isSealed())
    throw new IncompatibleData(
      'This log was sealed by `events copy --switch`, because a copy took its place: set ESDB_CONNECTION_STRING to the copy. To go on with this log, and lose what the copy has got since, run `npm run events -- unseal`.',
    );
};

/**
 * Looks again and again whether the log was sealed meanwhile.
 * @returns when `signal` fires. A log that cannot be reached is looked at again later.
 * @throws IncompatibleData when it is sealed
 */
export const watchSeal = async (
  store: Pick<EventStore, 'isSealed'>,
  log: Logger,
  signal: AbortSignal,
  everyMs = CHECK_MS,
): Promise<void> => {
  while (!signal.aborted) {
    await assertNotSealed(store).catch((err: unknown) => {
      if (err instanceof IncompatibleData) throw err;
      log.debug({ err }, 'whether the log is sealed is not known');
    });
    await sleep(everyMs, signal);
  }
};
