/** Quotes a booking at current prices and terms. The booking keeps these terms. */

import type { OpenBooking } from '../../domain/bookings/booking.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMinutes, minutesBetween } from '../../domain/core/instants.ts';
import { commissionBase } from '../../domain/promotions/appliedPromotion.ts';
import { commissionFor } from '../commissions/commissions.ts';
import { sentMinor } from '../core/amounts.ts';
import type { CoreDeps } from '../core/deps.ts';
import { assertExpectedTotal } from '../core/expectedTotal.ts';
import { type Discounting, type Found, fullPrice, type Offer, type QuotedTerms } from './offer.ts';
import { findLesson, findRides, findSeats, findTables, instant, type SlotRequest } from './slots.ts';
import { findStay, type StayRequest } from './stays.ts';

/** A request for a booking. `itemId` is what the client names; the table or vehicle is chosen here. */
export type BookingRequest = StayRequest | SlotRequest;

export interface Quote extends Omit<Found, 'offers'> {
  readonly options: readonly QuotedTerms[];
}

type Deps = Pick<CoreDeps, 'aggregates'>;

const find = (deps: Deps, at: string, request: BookingRequest): Promise<Found> => {
  switch (request.type) {
    case 'hotel':
      return findStay(deps, at, request);
    case 'tour':
      return findSeats(deps, at, request);
    case 'restaurant':
      return findTables(deps, at, request);
    case 'transfer':
      return findRides(deps, at, request);
    case 'instructor':
      return findLesson(deps, at, request);
  }
};

/** The offers to which the discount applies. @throws Rejected `promo_refused` when there is none */
const discountedOffers = ({ offers, ownerId }: Found, discount: Discounting): Offer[] => {
  const refusals: Rejected[] = [];
  const fitting = offers.flatMap((offer) => {
    try {
      return [discount(offer, ownerId)];
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      refusals.push(error);
      return [];
    }
  });
  if (fitting.length === 0 && refusals[0]) throw refusals[0];
  return fitting;
};

/**
 * Returns at least one option. Availability is decided by the inventory.
 * @throws Rejected `not_found`, `invalid` where the request is at fault, `not_bookable` where the terms are against it,
 * `promo_refused` where the discount does not apply
 */
export const quoteBooking = async (
  deps: Deps,
  at: string,
  request: BookingRequest,
  discount: Discounting = fullPrice,
): Promise<Quote> => {
  const { offers, ...found } = await find(deps, at, request);
  const { ownerId } = found;
  const { type } = request;
  const options = discountedOffers({ offers, ...found }, discount).map(async (offer) => {
    const totalMinor = commissionBase(offer);
    return { ...offer, commission: await commissionFor(deps, { ownerId, type, totalMinor }) };
  });
  return { ...found, options: await Promise.all(options) };
};

/**
 * Refuses before anything is held where no option has the price that the guest was shown.
 * @throws Rejected `price_changed`
 */
export const assertAnyExpected = (expected: number | undefined, options: readonly QuotedTerms[]): void => {
  const [first, ...others] = options;
  if (expected === undefined || !first) return;
  if (
    others.some(
      ({ totalMinor, currency }) =>
        sentMinor('expected_total', expected, currency, Number.MAX_SAFE_INTEGER) === totalMinor,
    )
  )
    return;
  assertExpectedTotal(expected, first);
};

/** Fields that are absent do not change. Stays have nights, everything else a slot. */
export interface RequestChange {
  readonly checkIn?: string;
  readonly checkOut?: string;
  readonly slotStart?: string;
  readonly slotEnd?: string;
  readonly guests?: number;
}

/** The request of a booking after a change. @throws Rejected `invalid` for what its kind does not have */
export const requestAfter = (booking: OpenBooking, change: RequestChange): BookingRequest => {
  const { item } = booking;
  const { checkIn, checkOut, slotStart, slotEnd, guests = booking.guests } = change;
  if (item.type === 'hotel') {
    if (slotStart !== undefined || slotEnd !== undefined)
      throw new Rejected('invalid', 'A hotel booking has check_in and check_out, not slot_start and slot_end.', {
        fields: ['slot_start', 'slot_end'],
      });
    const { type, unitId: itemId } = item;
    return { type, itemId, guests, checkIn: checkIn ?? item.checkIn, checkOut: checkOut ?? item.checkOut };
  }
  if (checkIn !== undefined || checkOut !== undefined)
    throw new Rejected('invalid', `A ${item.type} booking has slot_start and slot_end, not check_in and check_out.`, {
      fields: ['check_in', 'check_out'],
    });
  const slot = { itemId: item.listingId, guests, slotStart: instant(slotStart ?? item.slotStart) };
  if (item.type === 'instructor') {
    const minutes = minutesBetween(item.slotStart, item.slotEnd);
    return { ...slot, type: item.type, slotEnd: slotEnd ?? addMinutes(slot.slotStart, minutes) };
  }
  if (slotEnd !== undefined)
    throw new Rejected('invalid', `The end of a ${item.type} booking cannot be changed. Leave slot_end out.`, {
      fields: ['slot_end'],
    });
  if (item.type === 'transfer') return { ...slot, type: item.type, vehicleId: item.unitId };
  return { ...slot, type: item.type };
};
