/** The return of second charges: a payer was charged twice for one payment. */
import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { payment } from '../../domain/payments/payment.ts';
import { derivedId } from '../../infra/ids.ts';
import { metrics } from '../../infra/metrics.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { finalReason, loadPayment, providerOf } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { backoffOf } from './polling.ts';
import { receiptOfDuplicate } from './receipts.ts';

type Ctx = PolicyContext<PaymentDeps>;
interface Charge {
  readonly paymentId: string;
  readonly providerPaymentId: string;
  /** When it was received. */
  readonly since: string;
}

const idOf = (paymentId: string, providerPaymentId: string) => derivedId('duplicate', paymentId, providerPaymentId);

/** Refunds a second charge, and asks until it is done. */
export const duplicateReturn = defineJob<Charge, PaymentDeps>('duplicate_return', async ({ id, data }, ctx) => {
  const { deps, context } = ctx;
  const { paymentId, providerPaymentId, since } = data;
  const state = await loadPayment(deps, paymentId);
  const { provider, duplicates } = state;
  const charge = duplicates[providerPaymentId];
  if (!charge || charge.status === 'returned') return undefined;
  const { amountMinor, currency } = charge;
  const reason = `Second charge of ${paymentId}`;
  // It may have been sent before, so that the provider looks first.
  const receipt = await receiptOfDuplicate(deps, state);
  const refund = { refundId: id, providerPaymentId, amountMinor, currency, reason, sentAt: since };
  const answer = await providerOf(deps, provider)
    .refund({ ...refund, ...(receipt && { receipt }) })
    .catch((error: unknown) => {
      const code = finalReason(error);
      if (code === undefined) throw error;
      return { status: 'failed' as const, reason: code };
    });
  const againAt = backoffOf(since, deps.now());
  if (answer.status === 'pending' && againAt) return { againAt };
  const status = answer.status === 'succeeded' ? 'returned' : 'manual_review';
  const code = answer.status === 'pending' ? 'pending_too_long' : (answer.reason ?? answer.status);
  const command = { type: 'ApplyDuplicateReturn', providerPaymentId, status, code } as const;
  await deps.aggregates.handle(payment, paymentId, command, context);
  return undefined;
});

export const returnDuplicate = async (
  { streamId: paymentId, at: since, meta, data }: Recorded<EventOf<'DuplicateChargeReceived'>>,
  { deps }: Ctx,
): Promise<void> => {
  const { providerPaymentId } = data;
  deps.log.warn({ paymentId, providerPaymentId }, 'a payer was charged twice, the second charge is returned');
  const id = idOf(paymentId, providerPaymentId);
  await duplicateReturn.schedule(deps.jobs, meta, {
    id,
    dueAt: deps.now(),
    data: { paymentId, providerPaymentId, since },
  });
};

export const reportDuplicate = async (
  { streamId: paymentId, data }: Recorded<EventOf<'DuplicateChargeReviewRequested'>>,
  { deps }: Ctx,
): Promise<void> => {
  metrics.reviewNeeded.inc({ what: 'duplicate_charge' });
  deps.log.error({ paymentId, ...data }, 'the return of a second charge needs manual review');
};

/**
 * An operator has the provider asked again about a second charge, or has seen there that it was returned.
 * @throws Rejected `not_found`
 */
export const reviewDuplicate = async (
  deps: Pick<PaymentDeps, 'aggregates' | 'pool'>,
  context: CommandContext,
  { paymentId, providerPaymentId, outcome }: Omit<Charge, 'since'> & { readonly outcome: 'retry' | 'returned' },
): Promise<void> => {
  if (outcome === 'returned') {
    const command = { type: 'ApplyDuplicateReturn', providerPaymentId, status: 'returned', code: null } as const;
    await deps.aggregates.handle(payment, paymentId, command, context);
    return;
  }
  const { duplicates } = await loadPayment(deps, paymentId);
  if (!duplicates[providerPaymentId]) throw new Rejected('not_found', 'This payment has no such second charge.');
  const data = { paymentId, providerPaymentId, since: context.at };
  const id = idOf(paymentId, providerPaymentId);
  await duplicateReturn.schedule(deps.pool, context, { id, dueAt: context.at, data });
};
