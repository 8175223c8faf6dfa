/** What a booking waits to be paid for: itself, or a change of it. */
import { commissionOf } from '../commissions/commission.ts';
import { Rejected } from '../core/decider.ts';
import { hasCome } from '../core/instants.ts';
import { commissionBase, contributionTo } from '../promotions/appliedPromotion.ts';
import type { BookingTerms } from './bookingEvents.ts';
import type { OpenBooking } from './bookingState.ts';
import { holdEnd, payableUntil } from './payingTime.ts';

export interface Outstanding extends Pick<BookingTerms, 'item' | 'holdId'> {
  readonly amountMinor: number;
  readonly commissionMinor: number;
  /** What the platform adds to the amount for the seller: a discount that it bears. */
  readonly promotionMinor: number;
  /** Its places are held until then. */
  readonly holdExpiresAt: string;
  /** When the hold would have expired if no payment had been started; null before the first one. */
  readonly keptFrom: string | null;
  /** Money that comes then or later is refunded. */
  readonly payableUntil: string;
}

/** The booking itself, whatever its status is. */
export const wholePrice = (state: OpenBooking): Outstanding => {
  const { item, holdId, totalMinor, commission, holdExpiresAt, keptFrom } = state;
  const { commissionMinor } = commission;
  const price = { amountMinor: totalMinor, commissionMinor, promotionMinor: contributionTo(state) };
  return { item, holdId, ...price, holdExpiresAt, keptFrom, payableUntil: payableUntil(state) };
};

/**
 * The difference of a change with a higher price. It is paid before the booking begins, as it was and as it will be. A
 * discount does not rise with the price, so that the platform adds nothing.
 */
const differenceOf = (state: OpenBooking): Outstanding | null => {
  const { change, commission } = state;
  if (change === null || change.dueMinor === 0) return null;
  const { terms, dueMinor: amountMinor, holdExpiresAt, keptFrom } = change;
  const { item, holdId } = terms;
  // Of two totals with what was kept of former prices, so that the commissions of all payments add up to the one on all.
  const on = (of: Pick<BookingTerms, 'totalMinor' | 'promotion'>): number =>
    commissionOf(commissionBase(of) + state.keptMinor, commission).commissionMinor;
  const more = on(terms) - on(state);
  const commissionMinor = Math.min(amountMinor, Math.max(0, more));
  const until = holdEnd(state, payableUntil(terms));
  const price = { amountMinor, commissionMinor, promotionMinor: 0 };
  return { item, holdId, ...price, holdExpiresAt, keptFrom, payableUntil: until };
};

/** null: nothing is to be paid. A booking or a change that is free of charge has the amount 0 or none. */
export const outstandingOf = (state: OpenBooking): Outstanding | null =>
  state.status === 'pending_payment' ? wholePrice(state) : differenceOf(state);

/** Whether money that comes at this time is too late. */
export const isTooLateFor = ({ payableUntil: until }: Pick<Outstanding, 'payableUntil'>, at: string): boolean =>
  hasCome(until, at);

/** @throws Rejected `payment_open` */
export const refuseIfPaying = ({ openPayment }: OpenBooking): void => {
  if (openPayment !== null)
    throw new Rejected('payment_open', 'Another payment for this booking is open. Finish or cancel it first.', {
      payment_id: openPayment,
    });
};

/** @throws Rejected `hold_expired`, also when it is too late to pay */
export const assertHeld = (waiting: Outstanding, at: string): void => {
  if (hasCome(waiting.holdExpiresAt, at) || isTooLateFor(waiting, at))
    throw new Rejected('hold_expired', 'The hold on these places has expired. Book or change again.');
};

/** @throws Rejected `invalid_transition` when nothing is to be paid */
export const assertOutstanding = (state: OpenBooking): Outstanding => {
  const waiting = outstandingOf(state);
  if (waiting === null)
    throw new Rejected('invalid_transition', 'This booking is paid, and no change of it waits for a payment.', {
      status: state.status,
    });
  if (waiting.amountMinor === 0)
    throw new Rejected('invalid_transition', 'This booking is free of charge and cannot be paid.');
  return waiting;
};
