/** The discounts of bookings by promo codes, and the uses of these codes. */
import { booking, type OpenBooking, type Party, paidStatuses } from '../../domain/bookings/booking.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { withDiscount, withKeptDiscount } from '../../domain/promotions/appliedPromotion.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { recordPaidBooking } from '../promotions/firstBookings.ts';
import { loadPromoCode, promoCodeFor } from '../promotions/promoCodes.ts';
import { promoUsesBy } from '../promotions/promoUses.ts';
import { loadBooking } from './loadBooking.ts';
import { type Discounting, fullPrice } from './offer.ts';

type Deps = Pick<PaymentDeps, 'aggregates'>;

/** The discount of a code that a guest has typed. @throws Rejected `promo_refused` for one that does not exist */
export const newDiscount = async (deps: Deps, typed: string | undefined): Promise<Discounting> => {
  if (typed === undefined) return fullPrice;
  const { promoCodeId, promo } = await promoCodeFor(deps, typed);
  const { code, terms } = promo;
  return (offer, sellerId) => withDiscount(offer, sellerId, { promoCodeId, code, terms });
};

/** The discount of a booking whose terms change. What others than the guest change costs no discount. */
export const keptDiscountOf = async (deps: Deps, state: OpenBooking, by: Party): Promise<Discounting> => {
  const { totalMinor, promotion, status } = state;
  if (promotion === undefined) return fullPrice;
  const { promo } = await loadPromoCode(deps, promotion.promoCodeId);
  const booked = { totalMinor, promotion, isPaid: status !== 'pending_payment', isTakenAway: by !== 'guest' };
  return (offer, sellerId) => withKeptDiscount(offer, sellerId, booked, promo.terms);
};

export const bookingUses = promoUsesBy('booking', 'promo_use', async ({ aggregates }, bookingId) => {
  const { state } = await aggregates.load(booking, bookingId);
  if (state.status === 'pending_payment') return { is: 'payable', until: state.holdExpiresAt };
  if (state.status === 'none') return { is: 'nothing' };
  if (paidStatuses.includes(state.status)) return { is: 'paid', item: state };
  return { is: state.paymentIds.length === 0 ? 'nothing' : 'ended' };
});

const ended = async (
  { streamId, data }: Recorded<EventOf<'BookingCancelled' | 'BookingRejected'>>,
  ctx: PolicyContext<PaymentDeps>,
): Promise<void> =>
  bookingUses.giveBack(ctx, streamId, await loadBooking(ctx.deps, streamId), { evenTaken: data.by !== 'guest' });

export const promoUsePolicy = policy<PaymentDeps>('promo_uses', {
  PromoUseTaken: bookingUses.lookLater,
  BookingPaid: async ({ streamId: bookingId }, ctx) => {
    const state = await loadBooking(ctx.deps, bookingId);
    await recordPaidBooking(ctx.deps.pool, { userId: state.userId, bookingId });
    await bookingUses.paid(ctx, bookingId, state);
  },
  BookingExpired: async ({ streamId }, ctx) =>
    bookingUses.giveBack(ctx, streamId, await loadBooking(ctx.deps, streamId)),
  BookingCancelled: ended,
  BookingRejected: ended,
});
