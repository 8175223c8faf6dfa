/** Until when a booking can be paid. Places are not held longer, and money that comes later is refunded. */
import { addDays, instantIn } from '../core/dates.ts';
import { addMs, HOUR_MS, hasCome } from '../core/instants.ts';
import type { BookingTerms } from './bookingEvents.ts';

/** From the start of check-in to midnight, where the time zone is not known. */
const STAYS_PAYABLE_AFTER_START_MS = 10 * HOUR_MS;

type Terms = Pick<BookingTerms, 'item' | 'startsAt' | 'timezone'>;

/**
 * Slots can be paid until they begin, stays until their first day is over: guests may book on the day itself, until
 * midnight by the clocks of the hotel.
 */
export const payableUntil = ({ item, startsAt, timezone }: Terms): string => {
  if (item.type !== 'hotel') return startsAt;
  if (timezone === undefined) return addMs(startsAt, STAYS_PAYABLE_AFTER_START_MS);
  return instantIn(timezone, addDays(item.checkIn, 1), '00:00');
};

/** Whether money that comes at this time is too late. */
export const isTooLateToPay = (terms: Terms, at: string): boolean => hasCome(payableUntil(terms), at);

/** The end of a hold that would last until `until`. */
export const holdEnd = (terms: Terms, until: string): string => {
  const last = payableUntil(terms);
  return Date.parse(until) <= Date.parse(last) ? until : last;
};
