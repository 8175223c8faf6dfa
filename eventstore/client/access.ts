/** Whether the user of the connection string may do what the platform does, asked before anything depends on it. */
import { ANY, type StreamACL } from '@eventstore/db-client';
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

const ALL = '$all';
/** Who may read the whole log where its access list names nobody. */
const ADMINS = '$admins';

/** What a list of roles may be in the log: one role, or several. */
const rolesOf = (stored: unknown): string[] => (stored === undefined ? [ADMINS] : [stored].flat().map(String));

/**
 * Lets a user read `$all`, as the user of the client, who must be an admin. What else the access list says stays.
 * @returns whether the user could read it before
 * @throws AccessDenied when the client's user may not change it
 * @throws StoreUnavailable
 */
export const grantReadAll = async (client: GuardedClient, user: string): Promise<'granted' | 'had it'> => {
  try {
    const found = await withTimeout(
      client.getStreamMetadata(ALL, { requiresLeader: true }),
      LIMIT_MS,
      'the event store did not answer',
    );
    const { metadata = {} } = found;
    const acl: StreamACL = metadata.acl ?? {};
    const readers = rolesOf(acl.readRoles);
    if (readers.includes(user)) return 'had it';
    const changed = { ...metadata, acl: { ...acl, readRoles: [...readers, user] } };
    // The package gives no revision of the list. Whoever changes it at the same moment repeats the command.
    const options = { expectedRevision: ANY, requiresLeader: true } as const;
    await withTimeout(
      client.setStreamMetadata(ALL, changed, options),
      LIMIT_MS,
      'the event store did not say whether it has changed the access list',
    );
    return 'granted';
  } catch (error) {
    const known = asStoreError(error);
    if (!(known instanceof AccessDenied)) throw known;
    throw new AccessDenied(
      'The user of ESDB_CONNECTION_STRING may not change who reads $all: name an admin of the event store there, only for this command.',
    );
  }
};
