/** What was earned is the owner's to take once nobody can dispute it: some days after what was booked is over. */

import type { Recorded } from '../../domain/core/decider.ts';
import { payment } from '../../domain/payments/payment.ts';
import { loadBooking } from '../bookings/bookings.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { releaseEscrow } from './escrow.ts';

/** The id is the booking's, and so that of the item it is in its payment. */
export const release = defineJob<{ paymentId: string }>('release', async ({ id: itemId, data }, ctx) => {
  const { deps, context } = ctx;
  const again = await releaseEscrow(ctx, data.paymentId, itemId);
  if (again) return again;
  await deps.aggregates.handle(payment, data.paymentId, { type: 'ReleaseShare', itemId }, context);
  return undefined;
});

/** The booking has ended and money for it was kept. */
export const releaseLater = async ({ streamId: id, at, meta }: Recorded, { deps }: PolicyContext): Promise<void> => {
  const { paymentId } = await loadBooking(deps, id);
  if (paymentId === null) return;
  const dueAt = new Date(Date.parse(at) + deps.settings.disputeWindowMs).toISOString();
  await release.schedule(deps.pool, meta, { id, dueAt, data: { paymentId } });
};
