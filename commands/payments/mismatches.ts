/** Payments that differ from their provider's record, and what an admin who has looked there says about them. */

import { existing, Rejected } from '../../domain/core/decider.ts';
import { payment } from '../../domain/payments/payment.ts';
import { derivedId } from '../../infra/ids.ts';
import { sentMinor } from '../core/amounts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { syncPayment } from './askProvider.ts';
import { loadPayment } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { cancelEscrowOf } from './escrowAtProvider.ts';
import { ProviderError } from './paymentProvider.ts';
import type { Paid } from './payments.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders' | 'log'>;

export interface MismatchAnswer {
  readonly paymentId: string;
  /** `refunded`: so much went back there by hand. `accepted`: both records stay as they are. `ask`: the provider again. */
  readonly outcome: 'refunded' | 'accepted' | 'ask';
  /** Of `refunded`; may be left out when the payment has one item. */
  readonly itemId?: string;
  /** Of `refunded`, in major units. */
  readonly amount?: number;
}

/**
 * An admin answers a mismatch; then the provider is asked again, and the share is free when both agree.
 * @throws Rejected `not_found`, `invalid`, `invalid_transition`, `refund_too_large` · ProviderError when asked to ask
 */
export const answerMismatch = async (deps: Deps, context: CommandContext, answer: MismatchAnswer): Promise<Paid> => {
  const { paymentId, outcome } = answer;
  if (outcome === 'accepted') {
    const accept = { type: 'AcceptMismatch' } as const;
    return {
      paymentId,
      payment: existing((await deps.aggregates.handle(payment, paymentId, accept, context)).state, 'payment'),
    };
  }
  if (outcome === 'refunded') await recordRefund(deps, context, answer);
  const asking = syncPayment(deps, followUp(context, 'ask'), paymentId);
  const after = await asking.catch((error: unknown) => {
    if (outcome === 'ask' || !(error instanceof ProviderError)) throw error;
    deps.log.warn({ err: error, payment: paymentId }, 'the provider did not tell whether a mismatch has ended');
    return loadPayment(deps, paymentId);
  });
  return { paymentId, payment: after };
};

const recordRefund = async (
  deps: Deps,
  context: CommandContext,
  { paymentId, itemId, amount }: MismatchAnswer,
): Promise<void> => {
  const { items, currency } = await loadPayment(deps, paymentId);
  const [item, another] = items.filter(({ id }) => itemId === undefined || id === itemId);
  if (!item) throw new Rejected('not_found', 'This payment has no such item.');
  if (another) throw new Rejected('invalid', 'The payment has several items. Send item_id.', { fields: ['item_id'] });
  if (amount === undefined)
    throw new Rejected('invalid', 'Send the amount that was refunded at the provider.', { fields: ['amount'] });
  await cancelEscrowOf(deps, followUp(context, 'escrow'), paymentId, item.id);
  const refundId = derivedId(context.commandId, 'refund made at the provider');
  const made = { type: 'RecordRefundMadeThere', refundId, itemId: item.id } as const;
  await deps.aggregates.handle(
    payment,
    paymentId,
    { ...made, amountMinor: sentMinor('amount', amount, currency) },
    context,
  );
};
