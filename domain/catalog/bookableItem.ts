/** What can be booked, and how much of the inventory it needs. Each booking type is one member. */
import { type Static, Type } from '@sinclair/typebox';
import { datesBetween } from '../core/dates.ts';
import { addMinutes, isAfter } from '../core/instants.ts';
import { DateOnly, Instant, OneOf, Uuid } from '../core/schema.ts';
import { nightsAhead } from './pricing.ts';
import { CELL_MINUTES, cellsBetween } from './slots.ts';

export const bookingTypes = ['hotel', 'tour', 'restaurant', 'transfer', 'instructor'] as const;
export const BookingType = OneOf(bookingTypes);
export type BookingType = (typeof bookingTypes)[number];

/**
 * `listingId` is the catalog entry: the hotel, tour, restaurant, transfer route or instructor. `unitId` is what the
 * inventory counts: the room, the table or the vehicle; for tours and instructors the listing itself.
 */
const Ids = {
  listingId: Uuid,
  unitId: Uuid,
  /** Of the listing, or of the room of a hotel, that it was quoted from. */
  listingRevision: Type.Optional(Type.Integer({ minimum: 0 })),
};
const Slot = { slotStart: Instant, slotEnd: Instant };

export const BookableItem = Type.Union([
  /** Nights in one room of a type: the unit is the room, the listing is its hotel. */
  Type.Object({ type: Type.Literal('hotel'), ...Ids, checkIn: DateOnly, checkOut: DateOnly }),
  /** Seats on one departure. */
  Type.Object({ type: Type.Literal('tour'), ...Ids, ...Slot, seats: Type.Integer({ minimum: 1 }) }),
  /** One table of a type. */
  Type.Object({ type: Type.Literal('restaurant'), ...Ids, ...Slot }),
  /** One vehicle of a type. It can take the next party at `busyUntil`. */
  Type.Object({ type: Type.Literal('transfer'), ...Ids, ...Slot, busyUntil: Instant }),
  Type.Object({ type: Type.Literal('instructor'), ...Ids, ...Slot }),
]);
export type BookableItem = Static<typeof BookableItem>;

/** The id that the client booked: the room of a hotel, otherwise the listing. */
export const bookedItemId = (item: Pick<BookableItem, 'type' | 'listingId' | 'unitId'>): string =>
  item.type === 'hotel' ? item.unitId : item.listingId;

/** What an item needs of the inventory. */
export interface InventoryDemand extends Pick<BookableItem, 'listingRevision'> {
  readonly unitId: string;
  /** Nights, departures or 15-minute cells. */
  readonly keys: string[];
  /** How many at each key. */
  readonly quantity: number;
}

const keysOf = (item: BookableItem): string[] => {
  switch (item.type) {
    case 'hotel':
      return datesBetween(item.checkIn, item.checkOut);
    case 'tour':
      return [item.slotStart];
    case 'restaurant':
    case 'instructor':
      return cellsBetween(item.slotStart, item.slotEnd);
    case 'transfer':
      return cellsBetween(item.slotStart, item.busyUntil);
  }
};

export const inventoryDemand = (item: BookableItem): InventoryDemand => {
  const { unitId, listingRevision } = item;
  const quantity = item.type === 'tour' ? item.seats : 1;
  return { unitId, keys: keysOf(item), quantity, ...(listingRevision !== undefined && { listingRevision }) };
};

/** What an item still needs of the inventory at an instant: what is over is not sold to anybody any more. May be nothing. */
export const keysAhead = (item: BookableItem, timezone: string, at: string): string[] => {
  const keys = keysOf(item);
  if (item.type === 'hotel') return nightsAhead(timezone, keys, at);
  if (item.type === 'tour') return isAfter(item.slotEnd, at) ? keys : [];
  return keys.filter((key) => isAfter(addMinutes(key, CELL_MINUTES), at));
};
