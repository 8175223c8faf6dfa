/** The owner's share of an item becomes available once the dispute window is over: some time after what was booked ended. */
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { payment } from '../../domain/payments/payment.ts';
import { defineJob } from '../core/jobs.ts';
import type { PaymentDeps } from './deps.ts';
import { releaseEscrow } from './escrow.ts';
import { type PaidItemData, type PaidItemRef, paidItemJob, paidItemOf } from './paidItem.ts';
import { closingReceipt } from './receipts.ts';

export const release = defineJob<PaidItemData, PaymentDeps>('release', async (job, ctx) => {
  const { deps, context } = ctx;
  const { itemId, paymentId } = paidItemOf(job);
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
  const dueAt = addMs(at, settings.disputeWindowMs);
  await release.schedule(jobs, meta, { id, dueAt, data });
};

/** What was booked has not ended after all. */
export const cancelRelease = async ({ jobs }: Pick<PaymentDeps, 'jobs'>, item: PaidItemRef): Promise<void> => {
  await release.cancel(jobs, paidItemJob(item));
  await release.cancel(jobs, item.itemId); // set before 0.2.0
};
