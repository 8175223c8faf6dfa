/** Takes money out of escrow at the provider. */
import { existing } from '../../domain/core/decider.ts';
import { openEscrow, payment } from '../../domain/payments/payment.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { loadPayment, providerOf } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { ProviderError } from './paymentProvider.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders'>;

/**
 * Cancels the escrow of an item: the money must leave escrow before it can be refunded or set off.
 * @throws ProviderError `away` while that takes its time
 */
export const cancelEscrowOf = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  itemId: string,
): Promise<void> => {
  const state = await loadPayment(deps, paymentId);
  const escrow = openEscrow(state, itemId);
  if (!escrow) return;
  const { escrowId, providerEscrowId } = escrow;
  const gateway = providerOf(deps, state.provider).escrow;
  const stillThere = new ProviderError('away', `the money is still in escrow ${escrowId}`, 'in_escrow');
  if (!gateway || providerEscrowId === null) throw stillThere;
  const answer = await gateway.cancelEscrow(providerEscrowId).catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === 'refused') return gateway.getEscrow(providerEscrowId);
    throw error;
  });
  const command = { type: 'ApplyEscrowState', itemId, escrowId, ...answer } as const;
  const { state: after } = await deps.aggregates.handle(payment, paymentId, command, followUp(context, 'escrow'));
  if (openEscrow(existing(after, 'payment'), itemId)) throw stillThere;
};
