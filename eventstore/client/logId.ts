/**
 * The id of a log: that of the first record in a stream of its own. A copy of the log gets another one, because the type
 * begins with `$` like those of the server, and no reader of the log takes such a record for an event.
 */
import { randomUUID } from 'node:crypto';
import { jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { withTimeout } from '../../infra/retry.ts';
import { type LogToCheck, WrongExpectedRevision } from '../store.ts';
import { asStoreError } from './errors.ts';
import type { GuardedClient } from './guardedClient.ts';
import { readRecords } from './read.ts';

const STREAM = 'resort_log_id';
const TYPE = '$resort-log-id';
const TIMEOUT_MS = 4_500;

const append = async (client: GuardedClient): Promise<void> => {
  const record = jsonEvent({ id: randomUUID(), type: TYPE, data: {} });
  try {
    const options = { expectedRevision: NO_STREAM, requiresLeader: true } as const;
    await withTimeout(client.appendToStream(STREAM, record, options), TIMEOUT_MS, `append to ${STREAM}`);
  } catch (error) {
    throw asStoreError(error);
  }
};

const first = async (client: GuardedClient): Promise<string | undefined> => {
  const [record] = await readRecords(client, STREAM, { max: 1 });
  return record?.event?.id;
};

/** `LogToCheck.id`. */
export const createLogId =
  (client: GuardedClient): LogToCheck['id'] =>
  async (give = false) => {
    const known = await first(client);
    if (known !== undefined || !give) return known;
    await append(client).catch((error: unknown) => {
      if (!(error instanceof WrongExpectedRevision)) throw error; // Else somebody else was faster.
    });
    return first(client);
  };
