/**
 * A stay that has begun and ends earlier than it was booked. It is a change like others: its shorter hold is placed first.
 * The price stays as it was, less what the seller gives back.
 */
import { type PriceLine, sumOf } from '../catalog/priceLine.ts';
import { stayTimes } from '../catalog/pricing.ts';
import { commissionOf } from '../commissions/commission.ts';
import { addDays, todayIn } from '../core/dates.ts';
import { Outdated, Rejected } from '../core/decider.ts';
import { hasCome } from '../core/instants.ts';
import { contributionOf } from '../ledger/ledger.ts';
import { isReadFrom } from '../payments/payment.ts';
import { contributionTo } from '../promotions/appliedPromotion.ts';
import type { BookingCommand } from './bookingCommands.ts';
import type { BookingEvent, BookingTerms } from './bookingEvents.ts';
import { inZone, type OpenBooking } from './bookingState.ts';
import { withdrawn } from './change.ts';

interface Shortening {
  /** `YYYY-MM-DD`: the new day of departure. */
  readonly checkOut: string;
  readonly refundMinor: number;
  /** What was paid and has not been given back already. */
  readonly receivedMinor: number;
  readonly at: string;
}

/**
 * The dates between which a stay that has begun can end now, both included: nights that are over stay with the guest.
 * @throws Rejected `invalid_transition` for everything but a stay that has begun and has a night left to free
 */
const departures = ({ item, startsAt, timezone = 'UTC' }: OpenBooking, at: string) => {
  if (item.type !== 'hotel') throw new Rejected('invalid_transition', 'Only a stay in a hotel can be shortened.');
  if (!hasCome(startsAt, at))
    throw new Rejected('invalid_transition', 'A stay can be shortened only after it has begun.', {
      starts_at: startsAt,
    });
  const [today, second] = [todayIn(timezone, at), addDays(item.checkIn, 1)];
  const first = today > second ? today : second;
  const last = addDays(item.checkOut, -1);
  if (first > last)
    throw new Rejected('invalid_transition', 'This stay has no night left that could be freed.', {
      check_out: item.checkOut,
    });
  return { item, first, last, timezone };
};

/** What the platform still adds: it falls with the price, as a refund of the payment takes it. */
const contributionLeft = (state: OpenBooking, lines: readonly PriceLine[]): number => {
  const promotionMinor = contributionTo(state);
  const backMinor = -sumOf(lines.filter(({ kind }) => kind === 'refund'));
  const heldMinor = sumOf(lines) + backMinor + promotionMinor;
  return promotionMinor - contributionOf({ heldMinor, availableMinor: 0, platformMinor: 0, promotionMinor }, backMinor);
};

/** @throws Rejected `refund_too_large` */
const priceAfter = (state: OpenBooking, { refundMinor, receivedMinor }: Shortening): Partial<BookingTerms> => {
  if (refundMinor === 0) return {};
  const { totalMinor: beforeMinor, keptMinor, currency, commission } = state;
  const leftMinor = Math.max(0, Math.min(beforeMinor, receivedMinor - keptMinor));
  if (refundMinor > leftMinor)
    throw new Rejected('refund_too_large', 'The refund is higher than what is left of the price of this booking.', {
      refundable_minor: leftMinor,
      currency,
    });
  const totalMinor = leftMinor - refundMinor;
  const line = { kind: 'refund', amountMinor: totalMinor - beforeMinor } as const;
  const lines = [...state.lines, line];
  return { totalMinor, lines, commission: commissionOf(totalMinor + contributionLeft(state, lines), commission) };
};

/**
 * The terms of a stay that ends earlier, but for its hold.
 * @param state with its time zone
 * @throws Rejected `invalid_transition`, `refund_too_large`; `invalid` for a date on which it cannot end
 */
export const shortened = (state: OpenBooking, shortening: Shortening): Omit<BookingTerms, 'holdId'> => {
  const { checkOut, at } = shortening;
  const { item, first, last, timezone } = departures(state, at);
  if (checkOut < first || checkOut > last)
    throw new Rejected(
      'invalid',
      `This stay has begun: check_out must be from ${first} to ${last}. It cannot be extended; nights that are over stay.`,
      { fields: ['check_out'], earliest: first, latest: last },
    );
  const { guests, startsOn, startsAt, currency, lines, totalMinor, commission, promotion } = state;
  const { endsAt } = stayTimes(timezone, { checkIn: item.checkIn, checkOut });
  return {
    item: { ...item, checkOut },
    ...{ guests, startsOn, startsAt, endsAt, currency, lines, totalMinor, commission },
    ...(state.timezone !== undefined && { timezone }),
    ...(promotion && { promotion }),
    ...priceAfter(state, shortening),
  };
};

/** @throws Outdated when the money was read before the booking changed */
export const shorten = (
  {
    by,
    at,
    checkOut,
    refundMinor,
    received,
    holdId,
    holdExpiresAt,
    timezone,
  }: Extract<BookingCommand, { type: 'Shorten' }>,
  state: OpenBooking,
): BookingEvent[] => {
  if (state.change?.terms.holdId === holdId || state.holdId === holdId) return [];
  if (!isReadFrom(received, state.paymentIds)) throw new Outdated();
  const asked = { checkOut, refundMinor, receivedMinor: received.minor, at };
  const terms = { ...shortened(inZone(state, timezone), asked), holdId };
  const costs = { by, penaltyPercent: 0, penaltyMinor: 0, refundMinor, endsEarlier: true, dueMinor: 0 } as const;
  return [
    ...withdrawn(state, 'replaced'),
    { type: 'BookingChangeProposed', data: { ...terms, ...costs, holdExpiresAt } },
  ];
};
