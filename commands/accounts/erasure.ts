/** What the erasure of a person does to their account. */
import { account } from '../../domain/accounts/account.ts';
import type { CountedErasureStep } from '../core/erasure.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { claimsOf, release } from './claims.ts';
import type { AccountDeps } from './deps.ts';
import { identitiesOf } from './identityIds.ts';
import { keepState } from './lastKnown.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool'>;

/**
 * Gives back e-mail address, phone number and identities at providers, which can be read for the last time. The account
 * says first that it gets no others: what a request beside it has claimed by then, it does not come to show.
 */
export const giveBackIdentities: CountedErasureStep<Deps> = async (deps, context, accountId) => {
  if ((await deps.aggregates.load(account, accountId)).state.status !== 'open') return undefined;
  const begun = await deps.aggregates.handle(account, accountId, { type: 'BeginErasure' }, followUp(context, 'begin'));
  const { state } = begun;
  if (state.status !== 'open') return undefined;
  const identities = identitiesOf(deps.vault, state);
  await keepState(deps, accountId, begun, identities);
  for (const id of identities) {
    const claims = await claimsOf(deps, id);
    if (claims) await release(deps, context, { id, accountId }, claims);
  }
  if (state.phone !== null) await deps.pool.query('delete from ops.sandbox_messages where phone = $1', [state.phone]);
  return {
    holder: 'e-mail address, phone number and links to identity providers',
    outcome: 'removed',
    count: identities.length,
  };
};

/** Closes the account and ends its sessions. Nothing is recorded for an account that the log does not have. */
export const closeErased = async ({ aggregates }: Deps, context: CommandContext, accountId: string): Promise<void> => {
  const { state } = await aggregates.load(account, accountId);
  if (state.status === 'open') await aggregates.handle(account, accountId, { type: 'ErasePerson' }, context);
};
