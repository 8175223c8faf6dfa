/** Paying owners what was released to them. The transfer itself is made at our bank, by people; this is the record. */

import { toMinor } from '../../domain/core/money.ts';
import { type OwnerAccount, type OwnerAccountCommand, ownerAccount } from '../../domain/ledger/ownerAccount.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** Whose account, in which currency: that is its address, for good. */
export interface AccountOf {
  readonly ownerId: string;
  readonly currency: string;
}

export const commandOwnerAccount = async (
  { aggregates }: Deps,
  context: CommandContext,
  { ownerId, currency }: AccountOf,
  command: OwnerAccountCommand,
): Promise<OwnerAccount> =>
  (await aggregates.handle(ownerAccount, derivedId('ownerAccount', ownerId, currency), command, context)).state;

export interface Payout extends AccountOf {
  readonly payoutId: string;
  readonly amountMinor: number;
}

/**
 * Sets money of an owner apart, to be paid: all there is, or `amount` in major units.
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
 * The bank has paid it (`reference`), or has not (`reason`): then the owner has it again.
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
