/** What follows for a booking's money when the booking is paid or ends. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { holdInEscrow } from '../payments/escrow.ts';
import { giveBack } from '../payments/giveBack.ts';
import { endPaymentOf } from '../payments/policy.ts';
import { cancelRelease, scheduleRelease } from '../payments/releaseShare.ts';
import { cancelUnpaid, releaseWon } from './chargebacks.ts';
import { loadBooking } from './loadBooking.ts';
import { noLongerBooked, noLongerUnpaid, unpaidUntil } from './unpaid.ts';

type Ctx = PolicyContext<PaymentDeps>;

/** The booking has ended and money for it was kept: the owner's share is released later. */
const releaseShares = async (event: Recorded, { deps }: Ctx): Promise<void> => {
  const { paymentIds } = await loadBooking(deps, event.streamId);
  for (const paymentId of paymentIds) await scheduleRelease(deps, event, { itemId: event.streamId, paymentId });
};

/** A paid booking was changed: a lower price is refunded, with its part of the commission. */
const settleChange = async (event: Recorded<EventOf<'BookingRescheduled'>>, ctx: Ctx): Promise<void> => {
  const { streamId: itemId, meta, data } = event;
  if (data.change === undefined) return;
  const { paymentId } = data.change;
  if (paymentId !== null) await holdInEscrow(ctx, meta, { itemId, paymentId });
  const { ending, paymentIds, totalMinor, keptMinor, commission } = await loadBooking(ctx.deps, itemId);
  // What the booking is worth now is kept. Its end has a refund of its own.
  if (ending !== null) return;
  const kept = { keptMinor: totalMinor + keptMinor, commissionBps: commission.rateBps };
  await giveBack(ctx, paymentIds, { itemId, cause: 'changed', ...kept });
};

/** Refunds all but the penalty, releases what was kept, and ends a payment that is still open. */
const unwind =
  (cause: 'cancelled' | 'rejected') =>
  async (event: Recorded<EventOf<'BookingCancelled' | 'BookingRejected'>>, ctx: Ctx): Promise<void> => {
    const { deps } = ctx;
    await noLongerBooked(deps, [event.streamId]);
    const { paymentIds, openPayment } = await loadBooking(deps, event.streamId);
    const { penaltyMinor: keptMinor } = event.data;
    await giveBack(ctx, paymentIds, { itemId: event.streamId, cause, keptMinor });
    if (keptMinor > 0) await releaseShares(event, ctx);
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
  BookingRescheduled: settleChange,
  BookingChangeWithdrawn: async ({ streamId, meta, data }, { deps }) =>
    endPaymentOf(deps, meta, streamId, { openPayment: data.paymentId }),
  BookingExpired: async ({ streamId, meta }, { deps }) => {
    await noLongerBooked(deps, [streamId]);
    await endPaymentOf(deps, meta, streamId, await loadBooking(deps, streamId));
  },
  BookingCancelled: unwind('cancelled'),
  BookingRejected: unwind('rejected'),
  ChargedBack: cancelUnpaid,
  ChargebackWon: releaseWon,
  BookingCompleted: releaseShares,
  BookingNoShowRecorded: releaseShares,
  // The shares are released after the booking has ended, as if there had been no no-show.
  BookingNoShowWithdrawn: async ({ streamId: itemId }, { deps }) => {
    const { paymentIds } = await loadBooking(deps, itemId);
    for (const paymentId of paymentIds) await cancelRelease(deps, { itemId, paymentId });
  },
});
