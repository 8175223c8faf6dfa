/** Messages on the channels of accounts that no read model makes: about rows of durable tables. */
import type { PoolClient } from '../../infra/postgres.ts';
import { appendChanges, type Change } from '../engine/changes.ts';
import { addressOf } from '../engine/channels.ts';
import { userChannel } from './channels.ts';

/** Numbers and stores them, in the transaction of `client`, which ends soon: all changes wait for it. */
export const tellAccounts = (
  client: PoolClient,
  changes: readonly (Pick<Change, 'type' | 'data' | 'at' | 'ofPeople'> & { readonly accountId: string })[],
): Promise<void> =>
  appendChanges(
    client,
    changes.map(({ accountId, ...change }) => ({ ...change, channel: addressOf(userChannel, accountId) })),
  );
