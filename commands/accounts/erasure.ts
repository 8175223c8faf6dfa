/** What the erasure of a person does to their account. */
import { account } from '../../domain/accounts/account.ts';
import { identity } from '../../domain/accounts/identity.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CountedErasureStep } from '../core/erasure.ts';
import type { CommandContext } from '../core/handle.ts';
import type { AccountDeps } from './deps.ts';
import { identityId } from './identities.ts';

type Deps = Pick<AccountDeps, 'aggregates' | 'vault' | 'pool'>;

/** Gives back e-mail address, phone number and identities at providers, which can be read for the last time. */
export const giveBackIdentities: CountedErasureStep<Deps> = async (deps, context, accountId) => {
  const { state } = await deps.aggregates.load(account, accountId);
  if (state.status !== 'open') return undefined;
  const held = (['email', 'phone'] as const).flatMap((kind) => identityId(deps.vault, kind, state[kind]) ?? []);
  const identities = [...held, ...state.links.map((link) => link.identityId)];
  for (const id of identities)
    await deps.aggregates.handle(
      identity,
      id,
      { type: 'ReleaseIdentity', accountId },
      { ...context, commandId: derivedId(context.commandId, 'release', id) },
    );
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
