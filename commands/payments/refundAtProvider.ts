/** Carries out a refund at its provider, as one attempt however often it is asked. */

import { existing, notFound } from '../../domain/core/decider.ts';
import { payment, type Refund } from '../../domain/payments/payment.ts';
import { refundedMinor } from '../../domain/payments/paymentState.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import { apply, applyRefund, attemptId, loadPayment, providerOf } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { cancelEscrowOf } from './escrowAtProvider.ts';
import { ProviderError, type ProviderRefund, type ReviewedRefund } from './paymentProvider.ts';
import { receiptOfRefund } from './receipts.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders'>;
type RefundDeps = Deps & Pick<PaymentDeps, 'payables' | 'settings' | 'log'>;

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
  // A person decides; a retry is another attempt.
  if (before.status === 'manual_review' && before.isKnownToHaveFailed) return before;
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
  const after = await applyRefund(deps, context, paymentId, { refundId, attempt }, answer);
  if ('leftMinor' in answer && answer.leftMinor !== undefined && answer.status === 'succeeded') {
    // It shows what else was refunded there.
    const { capturedMinor: amountMinor } = state;
    const report = { providerPaymentId, paymentId, status: 'succeeded', amountMinor, currency } as const;
    const known = { ...report, refundedMinor: amountMinor - answer.leftMinor };
    await apply(deps, followUp(context, 'left'), paymentId, known);
  }
  return after.refunds[refundId] ?? before;
};

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
    return events.length > 0 ? null : existing(state, 'payment').refunds[refundId]?.sentAt;
  });
};
