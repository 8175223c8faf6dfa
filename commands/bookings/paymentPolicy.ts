/** What follows for a booking's money when the booking is paid or ends. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { holdInEscrow } from '../payments/escrow.ts';
import { giveBack } from '../payments/giveBack.ts';
import { endPaymentOf } from '../payments/policy.ts';
import { release, scheduleRelease } from '../payments/release.ts';
import { loadBooking } from './bookings.ts';
import { noLongerUnpaid, unpaidUntil } from './unpaid.ts';

type Ctx = PolicyContext<PaymentDeps>;

/** The booking has ended and money for it was kept: the owner's share is released later. */
const releaseShare = async (event: Recorded, { deps }: Ctx): Promise<void> => {
  const { paymentId } = await loadBooking(deps, event.streamId);
  if (paymentId !== null) await scheduleRelease(deps, event, { itemId: event.streamId, paymentId });
};

/** Refunds all but the penalty, releases what was kept, and ends a payment that is still open. */
const unwind =
  (cause: 'cancelled' | 'rejected') =>
  async (event: Recorded<EventOf<'BookingCancelled' | 'BookingRejected'>>, ctx: Ctx): Promise<void> => {
    const { deps } = ctx;
    await noLongerUnpaid(deps, [event.streamId]);
    const { paymentId, openPayment } = await loadBooking(deps, event.streamId);
    if (paymentId !== null) {
      const { penaltyMinor: keptMinor } = event.data;
      await giveBack(ctx, paymentId, { itemId: event.streamId, cause, keptMinor });
      if (keptMinor > 0) await releaseShare(event, ctx);
    }
    await endPaymentOf(deps, event.meta, event.streamId, { openPayment });
  };

/** Separate from the policy on places, so that one failing does not hold up the other. */
export const bookingPaymentPolicy = policy<PaymentDeps>('booking_payments', {
  BookingPaymentStarted: ({ streamId, data }, { deps }) => unpaidUntil(deps, streamId, data.holdExpiresAt),
  BookingHoldExtended: ({ streamId, data }, { deps }) => unpaidUntil(deps, streamId, data.holdExpiresAt),
  BookingPaid: async ({ streamId: itemId, meta, data: { paymentId } }, ctx) => {
    await noLongerUnpaid(ctx.deps, [itemId]);
    if (paymentId !== null) await holdInEscrow(ctx, meta, { itemId, paymentId });
  },
  BookingExpired: async ({ streamId, meta }, { deps }) => {
    await noLongerUnpaid(deps, [streamId]);
    await endPaymentOf(deps, meta, streamId, await loadBooking(deps, streamId));
  },
  BookingCancelled: unwind('cancelled'),
  BookingRejected: unwind('rejected'),
  BookingCompleted: releaseShare,
  BookingNoShowRecorded: releaseShare,
  // The share is released after the booking has ended, as if there had been no no-show.
  BookingNoShowWithdrawn: ({ streamId: id }, { deps }) => release.cancel(deps.pool, id),
});
