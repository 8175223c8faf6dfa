/**
 * Records that say something about the log itself. Their types begin with `$` like those of the server: no reader of the log
 * takes them for events, and no copy of the log has them.
 */
import { type ANY, jsonEvent, type NO_STREAM } from '@eventstore/db-client';
import { withTimeout } from '../../infra/retry.ts';
import { asStoreError } from './errors.ts';
import type { GuardedClient } from './guardedClient.ts';

const TIMEOUT_MS = 10_000;

/** @throws StoreUnavailable, WrongExpectedRevision */
export const appendRecord = async (
  client: GuardedClient,
  stream: string,
  type: string,
  expectedRevision: typeof ANY | typeof NO_STREAM,
): Promise<void> => {
  const record = jsonEvent({ type, data: {} });
  try {
    const appending = client.appendToStream(stream, record, { expectedRevision, requiresLeader: true });
    await withTimeout(appending, TIMEOUT_MS, `append to ${stream}`);
  } catch (error) {
    throw asStoreError(error);
  }
};
