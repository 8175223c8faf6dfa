/** One listing of each kind on a stage, open all day every day, with room for one party of two at a time. */

import { randomUUID } from 'node:crypto';
import { type BookingChange, createBooking, updateBooking } from '../../commands/bookings/bookings.ts';
import type { BookingRequest } from '../../commands/bookings/quote.ts';
import { addListing } from '../../commands/catalog/listings.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { freeAt, inventory } from '../../domain/catalog/inventory.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import type { RestaurantDetails } from '../../domain/catalog/restaurant.ts';
import type { TourDetails } from '../../domain/catalog/tour.ts';
import type { TransferDetails } from '../../domain/catalog/transfer.ts';
import { instantIn, WEEKDAYS } from '../../domain/core/dates.ts';
import { instructorDetails, restaurantDetails, tourDetails, transferDetails } from '../catalog/listingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, type Stage, TIMEZONE } from './stage.ts';

export const slotKinds = ['tour', 'restaurant', 'transfer', 'instructor'] as const;
export type SlotKind = (typeof slotKinds)[number];

const always = [{ weekdays: [...WEEKDAYS], from: '00:00', to: '24:00' }];
const open: { closedDates: string[]; cancellationPolicy: 'flexible' } = {
  closedDates: [],
  cancellationPolicy: 'flexible',
};
const table = (seats: number, units = 1) => ({ name: `Table for ${seats}`, seats, units });
const car = (name: string, seats: number, priceMinor: number) =>
  ({ name, class: 'comfort', seats, luggage: 2, units: 1, priceMinor }) as const;

export const createOffers = (stage: Stage) => {
  const { node, ownerId, day } = stage;
  const fixed = { ownerId, timezone: TIMEZONE, currency: 'RUB' };
  const departures = [{ from: day(0), to: day(90), weekdays: [...WEEKDAYS], time: '10:00' }];
  const list = {
    tour: (more: Partial<TourDetails> = {}) =>
      addListing(node, stage.owner(), listingKinds.tour, {
        ...fixed,
        details: { ...tourDetails, ...open, seats: 2, schedule: departures, ...more },
      }),
    restaurant: (more: object = {}, tables = [table(2)], owner: string = ownerId) =>
      addListing(node, contextOf(owner, 'restaurant'), listingKinds.restaurant, {
        ...fixed,
        ownerId: owner,
        details: { ...(restaurantDetails as RestaurantDetails), ...open, openingHours: always, ...more, tables },
      }),
    transfer: (vehicles = [car('Sedan', 3, 300_000)]) =>
      addListing(node, stage.owner(), listingKinds.transfer, {
        ...fixed,
        details: { ...(transferDetails as TransferDetails), ...open, serviceHours: always, vehicles },
      }),
    instructor: () =>
      addListing(node, stage.owner(), listingKinds.instructor, {
        ...fixed,
        details: { ...instructorDetails, ...open, workingHours: always },
      }),
  };

  /** The slot that begins at ten on the n-th day from today. */
  const start = (n: number): string => instantIn(TIMEZONE, day(n), '10:00');
  const end = (n: number): string => instantIn(TIMEZONE, day(n), '12:00');
  const requestFor = (type: SlotKind, itemId: string, n: number, guests = 2): BookingRequest =>
    type === 'instructor'
      ? { type, itemId, slotStart: start(n), slotEnd: end(n), guests }
      : { type, itemId, slotStart: start(n), guests };

  return {
    list,
    start,
    end,
    requestFor,
    book: (want: BookingRequest, userId: string = randomUUID(), deps: Node = node, context = contextOf(userId)) =>
      createBooking(deps, context, want),
    move: (bookingId: string, userId: string, change: BookingChange) =>
      updateBooking(node, contextOf(userId), bookingId, change),
    /** Places left where a booking is. */
    left: async (bookingId: string): Promise<number> => {
      const { unitId, keys } = inventoryDemand((await stage.booking(bookingId)).item);
      const { state } = await node.aggregates.load(inventory, unitId);
      return Math.min(...keys.map((key) => freeAt(state, key, new Date().toISOString())));
    },
    holdsOf: async (unitId: string) => [...(await node.aggregates.load(inventory, unitId)).state.holds],
  };
};
export { car, table };
