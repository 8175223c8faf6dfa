/**
 * The seal of a log that was given up for a copy of it. It is a record in the log itself, so that every process sees it,
 * whatever database it uses.
 */
import { ANY } from '@eventstore/db-client';
import type { EventStore } from '../store.ts';
import type { GuardedClient } from './guardedClient.ts';
import { readRecords } from './read.ts';
import { appendRecord } from './records.ts';

const STREAM = 'resort_log_seal';
const SEALED = '$resort-log-sealed';
const OPENED = '$resort-log-opened';

export const createSeal = (client: GuardedClient): Pick<EventStore, 'isSealed' | 'seal'> => ({
  isSealed: async () => {
    const [newest] = await readRecords(client, STREAM, { direction: 'backwards', max: 1 });
    return newest?.event?.type === SEALED;
  },
  seal: (sealed) => appendRecord(client, STREAM, sealed ? SEALED : OPENED, ANY),
});
