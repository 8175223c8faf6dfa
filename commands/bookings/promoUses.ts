/**
 * The uses of promo codes by bookings. A use is reserved before the booking is made. It is taken before the booking is
 * recorded as paid, and released when the booking was not made, not paid, or ended by somebody else than the guest.
 */
import { booking, type OpenBooking, paidStatuses } from '../../domain/bookings/booking.ts';
import { withDiscount, withKeptDiscount } from '../../domain/bookings/promotion.ts';
import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { recordPaidBooking } from '../promotions/firstBookings.ts';
import {
  loadPromoCode,
  promoCodeFor,
  releasePromoUse,
  reservePromoUse,
  takePromoUse,
} from '../promotions/promoCodes.ts';
import { loadBooking } from './load.ts';
import { type Discounting, fullPrice, type QuotedTerms } from './offer.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'pool' | 'log' | 'jobs'>;
type Ctx = PolicyContext<PaymentDeps>;

/** The discount of a code that a guest has typed. @throws Rejected `promo_refused` for one that does not exist */
export const newDiscount = async (deps: Pick<Deps, 'aggregates'>, typed: string | undefined): Promise<Discounting> => {
  if (typed === undefined) return fullPrice;
  const { promoCodeId, promo } = await promoCodeFor(deps, typed);
  const { code, terms } = promo;
  return (offer, sellerId) => withDiscount(offer, sellerId, { promoCodeId, code, terms });
};

/** The discount of a booking whose terms change. */
export const keptDiscountOf = async (deps: Pick<Deps, 'aggregates'>, state: OpenBooking): Promise<Discounting> => {
  const { totalMinor, promotion, status } = state;
  if (promotion === undefined) return fullPrice;
  const { promo } = await loadPromoCode(deps, promotion.promoCodeId);
  const booked = { totalMinor, promotion, isPaid: status !== 'pending_payment' };
  return (offer, sellerId) => withKeptDiscount(offer, sellerId, booked, promo.terms);
};

/** Takes the use of a booking that is about to be paid. @returns false when it was released, and none is left */
export const takeUseOf = async (
  deps: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  bookingId: string,
  { promotion, userId }: OpenBooking,
): Promise<boolean> => {
  if (promotion === undefined) return true;
  try {
    await takePromoUse(deps, context, { promoCodeId: promotion.promoCodeId, bookingId, userId });
    return true;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
};

/** After this time, what was attempted with a use has succeeded or failed. */
const SETTLED_MS = 10 * 60_000;

/**
 * What became of the booking of a use: it waits as long as the booking can still be paid, and is released when the booking
 * does not exist or has ended unpaid. The job's id is the booking's.
 */
export const promoUseDue = defineJob<{ promoCodeId: string }, PaymentDeps>(
  'promo_use',
  async ({ id: bookingId, data: { promoCodeId } }, { deps, context }) => {
    const { state } = await deps.aggregates.load(booking, bookingId);
    if (state.status === 'pending_payment') return { againAt: later(state.holdExpiresAt, context.at) };
    if (state.status !== 'none' && paidStatuses.includes(state.status))
      await takeUseOf(deps, context, bookingId, state);
    else if (state.status === 'none' || state.paymentIds.length === 0)
      await releasePromoUse(deps, context, { promoCodeId, bookingId }, { evenTaken: true });
    return undefined;
  },
);

/** Some time after the hold, and after now. */
const later = (holdExpiresAt: string, at: string): string =>
  new Date(Math.max(Date.parse(holdExpiresAt), Date.parse(at)) + SETTLED_MS).toISOString();

interface NewUse {
  readonly bookingId: string;
  readonly userId: string;
  /** The options of the booking, which all have the same promo code, or none. */
  readonly options: readonly QuotedTerms[];
  /** When the booking must have been made. */
  readonly until: string;
}

/**
 * Reserves the use of a new booking, makes the booking with `work`, and releases the use if that was refused. A
 * job is set before, which releases what a process that dies leaves behind.
 */
export const withPromoUse = async <T>(
  deps: Deps,
  context: CommandContext,
  { bookingId, userId, options, until }: NewUse,
  work: () => Promise<T>,
): Promise<T> => {
  const promotion = options[0]?.promotion;
  if (promotion === undefined) return work();
  const { promoCodeId } = promotion;
  const use = { promoCodeId, bookingId, userId };
  await promoUseDue.scheduleOnce(deps.jobs, context, {
    ...{ id: bookingId, dueAt: later(until, context.at), data: { promoCodeId } },
  });
  await reservePromoUse(deps, context, use, until);
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error; // the booking may exist: the job of the use will find out
    await releasePromoUse(deps, context, use).catch((err: unknown) => {
      deps.log.warn({ err, bookingId }, 'the use of a promo code could not be released, its job will do it');
    });
    throw error;
  }
};

/** Looks after a use that may have been taken for a payment that is refused in the end. */
const lookLater = async (
  { meta, at, streamId: promoCodeId, data }: Recorded<EventOf<'PromoUseTaken'>>,
  { deps }: Ctx,
): Promise<void> => {
  const dueAt = later(at, at);
  await promoUseDue.schedule(deps.jobs, meta, { id: data.bookingId, dueAt, data: { promoCodeId } });
};

/**
 * Gives back what the guest cannot use any more. A use that was taken meanwhile belongs to a payment that is just settling
 * for the booking.
 */
const giveBackUse = async (ctx: Ctx, bookingId: string, { evenTaken = false } = {}): Promise<void> => {
  const { promotion } = await loadBooking(ctx.deps, bookingId);
  if (promotion === undefined) return;
  const { promoCodeId } = promotion;
  await releasePromoUse(ctx.deps, ctx.context, { promoCodeId, bookingId }, { evenTaken });
};

const ended = async (
  { streamId, data }: Recorded<EventOf<'BookingCancelled' | 'BookingRejected'>>,
  ctx: Ctx,
): Promise<void> => giveBackUse(ctx, streamId, { evenTaken: data.by !== 'guest' });

export const promoUsePolicy = policy<PaymentDeps>('promo_uses', {
  PromoUseTaken: lookLater,
  BookingPaid: async ({ streamId: bookingId }, { deps, context }) => {
    const state = await loadBooking(deps, bookingId);
    await recordPaidBooking(deps.pool, { userId: state.userId, bookingId });
    if (!(await takeUseOf(deps, context, bookingId, state)))
      deps.log.error({ bookingId }, 'a paid booking has a discount whose use was released and used by another');
  },
  BookingExpired: ({ streamId }, ctx) => giveBackUse(ctx, streamId),
  BookingCancelled: ended,
  BookingRejected: ended,
});
