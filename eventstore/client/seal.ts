/**
 * The seal of a log that was given up for a copy of it. It is a record in the log itself, so that every process sees it,
 * whatever database it uses. Its type begins with `$` like those of the server: no reader of the log takes it for an event.
 */
import { BACKWARDS, END, ErrorType, type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { withTimeout } from '../../infra/retry.ts';
import type { EventStore } from '../store.ts';
import { asStoreError } from './errors.ts';

const STREAM = 'resort_log_seal';
const SEALED = '$resort-log-sealed';
const OPENED = '$resort-log-opened';
const TIMEOUT_MS = 10_000;

const newestType = async (client: EventStoreDBClient): Promise<string | undefined> => {
  const read = client.readStream(STREAM, { direction: BACKWARDS, fromRevision: END, maxCount: 1 });
  let type: string | undefined;
  for await (const { event } of read) type = event?.type;
  return type;
};

export const createSeal = (client: EventStoreDBClient): Pick<EventStore, 'isSealed' | 'seal'> => ({
  isSealed: async () => {
    try {
      return (await withTimeout(newestType(client), TIMEOUT_MS, `read of ${STREAM}`)) === SEALED;
    } catch (error) {
      if ((error as { type?: string }).type === ErrorType.STREAM_NOT_FOUND) return false;
      throw asStoreError(error);
    }
  },
  seal: async (sealed) => {
    const record = jsonEvent({ type: sealed ? SEALED : OPENED, data: {} });
    try {
      await withTimeout(client.appendToStream(STREAM, record), TIMEOUT_MS, `append to ${STREAM}`);
    } catch (error) {
      throw asStoreError(error);
    }
  },
});
