/** What a booking is agreed on at today's prices and terms. Bookings keep what is agreed on here. */
import type { OpenBooking } from '../../domain/bookings/booking.ts';
import type { Deal } from '../../domain/bookings/bookingEvents.ts';
import type { CancellationPolicyName } from '../../domain/catalog/cancellation.ts';
import { addMinutes, minutesBetween } from '../../domain/catalog/slots.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { commissionFor } from '../commissions/commissions.ts';
import type { CommandDeps } from '../core/deps.ts';
import { findLesson, findRides, findSeats, findTables, instant, type WantedSlot } from './slots.ts';
import { findStay, type WantedStay } from './stays.ts';

/** What someone would book. `itemId` is what the client names; which table or vehicle that comes to is found here. */
export type Wanted = WantedStay | WantedSlot;

/** A deal without what follows from its price and its places. */
export type Offer = Omit<Deal, 'holdId' | 'commission'>;
export type Agreed = Omit<Deal, 'holdId'>;

/** What the catalog has for a request. */
export interface Found {
  /** Who provides it. */
  readonly ownerId: string;
  readonly cancellationPolicy: CancellationPolicyName;
  /** What would do, best first: other items than the first where any table or vehicle of a listing will do. */
  readonly offers: readonly Offer[];
}
export interface Agreement extends Omit<Found, 'offers'> {
  readonly deals: readonly Agreed[];
}

type Deps = Pick<CommandDeps, 'aggregates'>;

const find = (deps: Deps, at: string, wanted: Wanted): Promise<Found> => {
  switch (wanted.type) {
    case 'hotel':
      return findStay(deps, at, wanted);
    case 'tour':
      return findSeats(deps, at, wanted);
    case 'restaurant':
      return findTables(deps, at, wanted);
    case 'transfer':
      return findRides(deps, at, wanted);
    case 'instructor':
      return findLesson(deps, at, wanted);
  }
};

/**
 * At least one deal. Whether its places are free is the inventory's to say.
 * @throws Rejected `not_found`, `invalid` where the request is at fault, `not_bookable` where the terms are against it
 */
export const agree = async (deps: Deps, at: string, wanted: Wanted): Promise<Agreement> => {
  const { offers, ...found } = await find(deps, at, wanted);
  const { ownerId } = found;
  const { type } = wanted;
  const deals = offers.map(async (offer) => {
    const { totalMinor } = offer;
    return { ...offer, commission: await commissionFor(deps, { ownerId, type, totalMinor }) };
  });
  return { ...found, deals: await Promise.all(deals) };
};

/** What is left out stays. Nights for stays, a slot for the rest. */
export interface ChangedTerms {
  readonly checkIn?: string;
  readonly checkOut?: string;
  readonly slotStart?: string;
  readonly slotEnd?: string;
  readonly guests?: number;
}

/** A booking's request as it would be now. @throws Rejected `invalid` for what its kind does not have */
export const wantedAfter = (booking: OpenBooking, change: ChangedTerms): Wanted => {
  const { subject } = booking;
  const { checkIn, checkOut, slotStart, slotEnd, guests = booking.guests } = change;
  if (subject.type === 'hotel') {
    if (slotStart !== undefined || slotEnd !== undefined)
      throw new Rejected('invalid', 'A hotel booking has nights, not a slot.');
    const { type, itemId } = subject;
    return { type, itemId, guests, checkIn: checkIn ?? subject.checkIn, checkOut: checkOut ?? subject.checkOut };
  }
  if (checkIn !== undefined || checkOut !== undefined)
    throw new Rejected('invalid', `A ${subject.type} booking has a slot, not nights.`);
  const slot = { itemId: subject.listingId, guests, slotStart: instant(slotStart ?? subject.slotStart) };
  if (subject.type === 'instructor') {
    const minutes = minutesBetween(subject.slotStart, subject.slotEnd);
    return { ...slot, type: subject.type, slotEnd: slotEnd ?? addMinutes(slot.slotStart, minutes) };
  }
  if (slotEnd !== undefined)
    throw new Rejected('invalid', `When a ${subject.type} booking ends is not for guests to say.`);
  if (subject.type === 'transfer') return { ...slot, type: subject.type, vehicleId: subject.itemId };
  return { ...slot, type: subject.type };
};
