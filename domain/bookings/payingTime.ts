/** Until when a booking can be paid. Places are not held longer, and money that comes later is refunded. */
import { addMs, HOUR_MS, hasCome } from '../core/instants.ts';
import type { BookingTerms } from './bookingEvents.ts';

/** Check-in begins at 14:00, and guests may book on the day itself: until midnight, by the clocks of the hotel. */
const STAYS_PAYABLE_AFTER_START_MS = 10 * HOUR_MS;

/** Slots can be paid until they begin, stays until their first day is over. */
export const payableUntil = ({ item, startsAt }: Pick<BookingTerms, 'item' | 'startsAt'>): string =>
  item.type === 'hotel' ? addMs(startsAt, STAYS_PAYABLE_AFTER_START_MS) : startsAt;

/** Whether money that comes at this time is too late. */
export const isTooLateToPay = (terms: Pick<BookingTerms, 'item' | 'startsAt'>, at: string): boolean =>
  hasCome(payableUntil(terms), at);

/** The end of a hold that would last until `until`. */
export const holdEnd = (terms: Pick<BookingTerms, 'item' | 'startsAt'>, until: string): string => {
  const last = payableUntil(terms);
  return Date.parse(until) <= Date.parse(last) ? until : last;
};
