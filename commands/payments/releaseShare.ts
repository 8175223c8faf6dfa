/**
 * The owner's share of an item becomes available once the dispute window is over: some time after what was booked ended.
 * The provider is asked in the same step, so that nothing is released that was refunded there.
 */

import type { Recorded } from '../../domain/core/decider.ts';
import { existing } from '../../domain/core/decider.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { type OpenPayment, payment } from '../../domain/payments/payment.ts';
import { isInDispute } from '../../domain/payments/paymentMismatch.ts';
import { hasOpenRefunds } from '../../domain/payments/reportedMoney.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { syncPayment } from './askProvider.ts';
import { finalReason, loadPayment, providerOf } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { releaseEscrow } from './escrow.ts';
import { type PaidItemData, type PaidItemRef, paidItemJob, paidItemOf } from './paidItem.ts';
import { ProviderError } from './paymentProvider.ts';
import { closingReceipt } from './receipts.ts';

/** How often a share that differs from the provider's record is looked at again. */
const HELD_AGAIN_MS = 6 * HOUR_MS;

/** @throws ProviderError `away`: without an answer nothing is released */
const askBefore = async (deps: PaymentDeps, context: CommandContext, paymentId: string): Promise<OpenPayment> => {
  try {
    return await syncPayment(deps, context, paymentId);
  } catch (error) {
    const theirs = finalReason(error);
    if (theirs === undefined || !(error instanceof ProviderError)) throw error;
    const { status: ours } = await loadPayment(deps, paymentId);
    const unknown = { type: 'ReportMismatch', kind: 'unknown', ours, theirs } as const;
    return existing(
      (await deps.aggregates.handle(payment, paymentId, unknown, followUp(context, 'unknown'))).state,
      'payment',
    );
  }
};

export const release = defineJob<PaidItemData, PaymentDeps>('release', async (job, ctx) => {
  const { deps, context } = ctx;
  const { itemId, paymentId } = paidItemOf(job);
  const asked = await askBefore(deps, followUp(context, 'ask'), paymentId);
  // Without a list of refunds, one that was made there by hand cannot be told from one of ours until that has ended.
  const { refundsOf } = providerOf(deps, asked.provider);
  if (isInDispute(asked) || (!refundsOf && hasOpenRefunds(asked))) return { againAt: addMs(deps.now(), HELD_AGAIN_MS) };
  const again = await releaseEscrow(ctx, paymentId, itemId);
  if (again) return again;
  await deps.aggregates.handle(payment, paymentId, { type: 'ReleaseShare', itemId }, context);
  return undefined;
});

/**
 * Also settles the receipt of the prepayment, where there is one.
 * @param ended the event with which what was booked ended
 */
export const scheduleRelease = async (
  { jobs, settings }: Pick<PaymentDeps, 'jobs' | 'settings'>,
  { at, meta }: Pick<Recorded, 'at' | 'meta'>,
  item: PaidItemRef,
): Promise<void> => {
  const [id, data] = [paidItemJob(item), { ...item }];
  if (settings.receipts) await closingReceipt.schedule(jobs, meta, { id, dueAt: at, data });
  const dueAt = addMs(at, settings.disputeWindowHours * HOUR_MS);
  await release.schedule(jobs, meta, { id, dueAt, data });
};

/** What was booked has not ended after all. */
export const cancelRelease = async ({ jobs }: Pick<PaymentDeps, 'jobs'>, item: PaidItemRef): Promise<void> => {
  await release.cancel(jobs, paidItemJob(item));
  await release.cancel(jobs, item.itemId); // set before 0.2.0
};
