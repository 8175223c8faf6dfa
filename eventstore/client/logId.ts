/** The id of a log: that of the first record in a stream of its own. A copy of the log has another one. */
import { NO_STREAM } from '@eventstore/db-client';
import { type LogToCheck, WrongExpectedRevision } from '../store.ts';
import type { GuardedClient } from './guardedClient.ts';
import { readRecords } from './read.ts';
import { appendRecord } from './records.ts';

const STREAM = 'resort_log_id';
const TYPE = '$resort-log-id';

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
    await appendRecord(client, STREAM, TYPE, NO_STREAM).catch((error: unknown) => {
      if (!(error instanceof WrongExpectedRevision)) throw error; // Else somebody else was faster.
    });
    return first(client);
  };
