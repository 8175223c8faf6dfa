/** The owner's share of an item becomes available once the dispute window is over: some time after what was booked ended. */
import type { Recorded } from '../../domain/core/decider.ts';
import { payment } from '../../domain/payments/payment.ts';
import { defineJob } from '../core/jobs.ts';
import type { PaymentDeps } from './deps.ts';
import { releaseEscrow } from './escrow.ts';
import { closingReceipt } from './receipts.ts';

/** The job's id is the item's. */
export const release = defineJob<{ paymentId: string }, PaymentDeps>('release', async ({ id: itemId, data }, ctx) => {
  const { deps, context } = ctx;
  const again = await releaseEscrow(ctx, data.paymentId, itemId);
  if (again) return again;
  await deps.aggregates.handle(payment, data.paymentId, { type: 'ReleaseShare', itemId }, context);
  return undefined;
});

/**
 * Also settles the receipt of the prepayment, where there is one.
 * @param ended the event with which what was booked ended
 */
export const scheduleRelease = async (
  { pool, settings }: Pick<PaymentDeps, 'pool' | 'settings'>,
  { at, meta }: Pick<Recorded, 'at' | 'meta'>,
  { itemId, paymentId }: { readonly itemId: string; readonly paymentId: string },
): Promise<void> => {
  if (settings.receipts) await closingReceipt.schedule(pool, meta, { id: itemId, dueAt: at, data: { paymentId } });
  const dueAt = new Date(Date.parse(at) + settings.disputeWindowMs).toISOString();
  await release.schedule(pool, meta, { id: itemId, dueAt, data: { paymentId } });
};
