/** Whether the user of the connection string may do what the platform does, asked before anything depends on it. */
import { ANY } from '@eventstore/db-client';
import { withTimeout } from '../../infra/retry.ts';
import { AccessDenied, type EventStore } from '../store.ts';
import { asStoreError } from './errors.ts';
import type { GuardedClient } from './guardedClient.ts';
import { LIMIT_MS } from './persistently.ts';

/** Never written to. */
const STREAM = 'access-check';

const may = async (action: string, attempt: () => Promise<unknown>): Promise<void> => {
  try {
    await withTimeout(attempt(), LIMIT_MS, `the event store did not say whether it lets its user ${action}`);
  } catch (error) {
    const known = asStoreError(error);
    if (!(known instanceof AccessDenied)) throw known;
    throw new AccessDenied(
      `The user of ESDB_CONNECTION_STRING may not ${action}: grant the rights that docs/operations.md lists under "Rights on the event store".`,
    );
  }
};

/**
 * @throws AccessDenied, with what the user may not do
 * @throws StoreUnavailable
 */
export const assertAccess = async (
  client: GuardedClient,
  { read, readAll }: Pick<EventStore, 'read' | 'readAll'>,
): Promise<void> => {
  await may('read $all', () => readAll({ max: 1 }));
  await may('read streams', () => read(STREAM, { max: 1 }));
  // An append of no events is checked like any other, and leaves nothing behind.
  await may('write streams', () => client.appendToStream(STREAM, [], { expectedRevision: ANY, requiresLeader: true }));
};
