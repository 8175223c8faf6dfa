/** Payouts to owners. People make the transfer at our bank; this is the record of it. */

import { ownerAccount } from '../../domain/ledger/ownerAccount.ts';
import { derivedId } from '../../infra/ids.ts';
import { assertSecondPerson } from '../accounts/admins.ts';
import { sentMinor } from '../core/amounts.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { type AccountOf, commandOwnerAccount, ownerAccountId } from './ownerAccounts.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;
type DecidingDeps = Deps & Pick<CoreDeps, 'store' | 'codec' | 'pool'>;

export interface Payout extends AccountOf {
  readonly payoutId: string;
  readonly amountMinor: number;
}

/**
 * Reserves money of an owner for a payout: the whole balance, or `amount` in major units.
 * @throws Rejected `balance_too_low`, `invalid`
 */
export const requestPayout = async (
  deps: Deps,
  context: CommandContext,
  { amount, ...account }: AccountOf & { readonly amount?: number },
): Promise<Payout> => {
  const payoutId = derivedId(context.commandId, 'payout');
  const amountMinor = amount === undefined ? null : sentMinor('amount', amount, account.currency);
  const command = { type: 'RequestPayout', payoutId, ...account, amountMinor, requestedBy: context.actor.id } as const;
  const { payouts } = await commandOwnerAccount(deps, context, account, command);
  return { payoutId, ...account, amountMinor: payouts.get(payoutId)?.amountMinor ?? 0 };
};

/**
 * The bank has made the payout (`reference`), as another admin than the one who asked for it records; or it failed (`reason`)
 * and the money is available again.
 * @throws Rejected `not_found`, `invalid_transition`, `forbidden`; `conflict` for other words than before, or where no second
 * admin is
 */
export const settlePayout = async (
  deps: DecidingDeps,
  context: CommandContext,
  payout: AccountOf & { readonly payoutId: string },
  outcome: { readonly reference: string } | { readonly reason: string },
): Promise<void> => {
  const { payoutId, ...account } = payout;
  if ('reason' in outcome) {
    await commandOwnerAccount(deps, context, account, { type: 'FailPayout', payoutId, ...outcome });
    return;
  }
  const { state } = await deps.aggregates.load(ownerAccount, ownerAccountId(account));
  const found = state.payouts.get(payoutId);
  if (found?.status === 'requested' && found.requestedBy !== undefined)
    await assertSecondPerson(deps, context, found.requestedBy);
  await commandOwnerAccount(deps, context, account, { type: 'ConfirmPayout', payoutId, ...outcome });
};
