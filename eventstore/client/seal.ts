/**
 * The seal of a log that was given up for a copy of it. It is a record in the log itself, so that every process sees it,
 * whatever database it uses. Its type begins with `$` like those of the server: no reader of the log takes it for an event.
 */
import { jsonEvent } from '@eventstore/db-client';
import { withTimeout } from '../../infra/retry.ts';
import type { EventStore } from '../store.ts';
import { asStoreError } from './errors.ts';
import type { GuardedClient } from './guardedClient.ts';
import { readRecords } from './read.ts';

const STREAM = 'resort_log_seal';
const SEALED = '$resort-log-sealed';
const OPENED = '$resort-log-opened';
const TIMEOUT_MS = 10_000;

export const createSeal = (client: GuardedClient): Pick<EventStore, 'isSealed' | 'seal'> => ({
  isSealed: async () => {
    const [newest] = await readRecords(client, STREAM, { direction: 'backwards', max: 1 });
    return newest?.event?.type === SEALED;
  },
  seal: async (sealed) => {
    const record = jsonEvent({ type: sealed ? SEALED : OPENED, data: {} });
    try {
      await withTimeout(
        client.appendToStream(STREAM, record, { requiresLeader: true }),
        TIMEOUT_MS,
        `append to ${STREAM}`,
      );
    } catch (error) {
      throw asStoreError(error);
    }
  },
});
