/** Payouts to owners. People make the transfer at our bank; this is the record of it. */

import { toMinor } from '../../domain/core/money.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { type AccountOf, commandOwnerAccount } from './ownerAccounts.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

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
  const amountMinor = amount === undefined ? null : toMinor(amount, account.currency);
  const command = { type: 'RequestPayout', payoutId, ...account, amountMinor } as const;
  const { payouts } = await commandOwnerAccount(deps, context, account, command);
  return { payoutId, ...account, amountMinor: payouts.get(payoutId)?.amountMinor ?? 0 };
};

/**
 * The bank has made the payout (`reference`), or it failed (`reason`) and the money is available again.
 * @throws Rejected `not_found`, `invalid_transition`
 */
export const settlePayout = async (
  deps: Deps,
  context: CommandContext,
  payout: AccountOf & { readonly payoutId: string },
  outcome: { readonly reference: string } | { readonly reason: string },
): Promise<void> => {
  const { payoutId, ...account } = payout;
  const command =
    'reference' in outcome
      ? ({ type: 'ConfirmPayout', payoutId, ...outcome } as const)
      : ({ type: 'FailPayout', payoutId, ...outcome } as const);
  await commandOwnerAccount(deps, context, account, command);
};
