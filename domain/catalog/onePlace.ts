/**
 * Where one person is at a time. Somebody who sits at one table does not sit at another one, so that one account books one
 * place at a time, unless the listing allows more.
 */
import { Type } from '@sinclair/typebox';
import type { BookableItem, BookingType } from './bookableItem.ts';

/** Rooms and vehicles are booked for others, too: for a family, or a group. */
const areAtOnePlace: Readonly<Record<BookingType, boolean>> = {
  hotel: false,
  transfer: false,
  tour: true,
  restaurant: true,
  instructor: true,
};

export const AllowOverlapping = Type.Boolean({
  description:
    'Whether a guest may book this although they have another booking of the same kind at the same time, for others. Otherwise that is refused (409 `overlapping_booking`).',
});
/** Of listings that do not say, and of those made before listings could. */
export const NO_OVERLAPPING = { allowOverlapping: false } as const;

/** Which place a booking is, among those of its kind; null: its guest can be elsewhere, too. */
export const placeOf = (bookingId: string, item: BookableItem): string | null => {
  if (!areAtOnePlace[item.type]) return null;
  // Further seats on the same departure are the same place.
  return item.type === 'tour' ? `${item.listingId} ${item.slotStart}` : bookingId;
};
