/** Carries out a refund at its provider, as one attempt however often it is asked. */

import { notFound } from '../../domain/core/decider.ts';
import { openEscrow, payment, type Refund } from '../../domain/payments/payment.ts';
import { refundedMinor } from '../../domain/payments/paymentState.ts';
import { derivedId } from '../../infra/ids.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import { applyRefund, loadPayment, opened, providerOf } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { ProviderError, type ProviderRefund, type ReviewedRefund } from './paymentProvider.ts';
import { receiptOfRefund } from './receipts.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders'>;
type RefundDeps = Deps & Pick<PaymentDeps, 'payables' | 'settings' | 'log'>;

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
  if (openEscrow(opened({ state: after }), itemId)) throw stillThere;
};

/**
 * Has the provider carry out a requested refund, or asks for its state. If the provider refuses it, fails, or does not
 * reply at the `last` attempt, the refund is left to an operator.
 * @throws ProviderError `away`
 */
export const submitRefund = async (
  deps: RefundDeps,
  context: CommandContext,
  paymentId: string,
  refundId: string,
  last = false,
): Promise<Refund> => {
  const state = await loadPayment(deps, paymentId);
  const before = state.refunds[refundId];
  const { providerPaymentId, currency } = state;
  if (!before || providerPaymentId === null) throw notFound('refund');
  if (before.status === 'succeeded' || before.status === 'failed') return before;
  const provider = providerOf(deps, state.provider);
  const { itemId, amountMinor, providerRefundId, attempt } = before;
  let sentBefore = providerRefundId !== null;
  const ask = async (): Promise<ProviderRefund | ReviewedRefund | 'not its turn'> => {
    if (providerRefundId !== null) return provider.getRefund(providerRefundId);
    await cancelEscrowOf(deps, context, paymentId, itemId);
    const sentAt = provider.oneRefundAtATime ? await takeTurn(deps, context, paymentId, refundId) : null;
    if (sentAt === undefined) return 'not its turn';
    sentBefore = sentAt !== null;
    const receipt = await receiptOfRefund(deps, state, before);
    return provider.refund({
      refundId: attemptId(refundId, attempt),
      providerPaymentId,
      amountMinor,
      currency,
      reason: `Refund of ${itemId}`,
      refundedMinor: refundedMinor(await loadPayment(deps, paymentId)),
      ...(sentAt !== null && { sentAt }),
      ...(receipt && { receipt }),
    });
  };
  const answer = await ask().catch((error: unknown) => {
    if (!(error instanceof ProviderError) || (error.kind === 'away' && !last)) throw error;
    // A refusal of a repeated request does not say that the first one had no effect.
    const hasFailed = error.kind === 'refused' && !sentBefore;
    return { status: hasFailed ? 'failed' : 'unknown', reason: error.reason ?? error.kind } as const;
  });
  if (answer === 'not its turn') return before;
  const { refunds } = await applyRefund(deps, context, paymentId, { refundId, attempt }, answer);
  return refunds[refundId] ?? before;
};

/** What the provider knows an attempt by. A new attempt is a refund of its own for it. */
const attemptId = (refundId: string, attempt: number): string =>
  attempt === 1 ? refundId : derivedId(refundId, 'attempt', attempt);

/**
 * Records that a refund is about to be sent, where only one may be under way.
 * @returns when it was sent before, null if it was not; undefined while another one is under way
 */
const takeTurn = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  refundId: string,
): Promise<string | null | undefined> => {
  const { attempt = 1 } = (await loadPayment(deps, paymentId)).refunds[refundId] ?? {};
  const command = { type: 'AttemptRefund', refundId, attempt, at: context.at } as const;
  return unlessRejected(async () => {
    const { state, events } = await deps.aggregates.handle(payment, paymentId, command, followUp(context, 'attempt'));
    return events.length > 0 ? null : opened({ state }).refunds[refundId]?.sentAt;
  });
};
