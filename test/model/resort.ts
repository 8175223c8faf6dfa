/** The listings and products of the model, and an escrow gateway. */

import { randomUUID } from 'node:crypto';
import type { BookingRequest } from '../../commands/bookings/quote.ts';
import { addListing } from '../../commands/catalog/listings.ts';
import { addRoom, priceNights } from '../../commands/catalog/rooms.ts';
import { type EscrowGateway, ProviderError, type ProviderEscrow } from '../../commands/payments/paymentProvider.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { tariffKind } from '../../domain/passes/tariff.ts';
import { paymentSettings } from '../../domain/payments/paymentSettings.ts';
import type { Node } from '../bookings/stage.ts';
import { hotelDetails, roomDetails } from '../catalog/catalogFixtures.ts';
import { instructorDetails, restaurantDetails, tourDetails } from '../catalog/listingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { tariffDetails } from '../purchases/productFixtures.ts';

export const START = '2026-12-03T08:00:00Z';
const TIMEZONE = 'Europe/Moscow';

/** Something to book: its units in stock, and requests for it that compete with each other. */
export interface Offer {
  readonly ownerId: string;
  readonly itemIds: readonly string[];
  readonly requests: readonly BookingRequest[];
}

/** A ski pass that the resort sells. @returns its id */
export const newTariff = async (node: Node): Promise<string> => {
  const ownerId = randomUUID();
  const resort = { ownerId, timezone: TIMEZONE, currency: 'RUB', details: tariffDetails };
  return (await addListing(node, contextOf(ownerId, 'admin', START), tariffKind, resort)).id;
};

/** Holds money until it is released or cancelled, never both. */
export const escrowGateway = (): EscrowGateway => {
  const options = new Map<string, ProviderEscrow>();
  const become = (id: string, status: ProviderEscrow['status']): ProviderEscrow => {
    const before = options.get(id);
    if (before && before.status !== 'held' && before.status !== status)
      throw new ProviderError('refused', `it is ${before.status} already`);
    const after = { providerEscrowId: id, status };
    options.set(id, after);
    return after;
  };
  return {
    hold: async ({ escrowId }) => options.get(escrowId) ?? become(escrowId, 'held'),
    getEscrow: async (id) => options.get(id) ?? become(id, 'held'),
    release: async (id) => become(id, 'released'),
    cancelEscrow: async (id) => become(id, 'cancelled'),
  };
};

/** Two rooms, five seats, two tables and one instructor of a new owner, with requests that overlap. */
export const newOffers = async (node: Node): Promise<Offer[]> => {
  const ownerId = randomUUID();
  const context = () => contextOf(ownerId, 'admin', START);
  const fixed = { ownerId, timezone: TIMEZONE, currency: 'RUB' };
  const { basePriceMinor: _, ...details } = roomDetails;
  const hotel = await addListing(node, context(), listingKinds.hotel, {
    ...fixed,
    details: { ...hotelDetails, cancellationPolicy: 'moderate' },
  });
  const room = await addRoom(node, context(), hotel.id, { ...details, units: 2, pricePerNight: 100 });
  await priceNights(node, context(), room.id, [{ from: '2026-12-03', to: '2026-12-31', price: 100 }]);
  const nominalAccount = { bik: '044030827', accountNumber: '40702810900000002851', holder: 'ООО «Лиственница»' };
  const settings = { type: 'ChangePaymentSettings', nominalAccount } as const;
  await node.aggregates.handle(paymentSettings, ownerId, settings, context());
  const tour = await addListing(node, context(), listingKinds.tour, {
    ...fixed,
    details: { ...tourDetails, seats: 5 },
  });
  const instructor = await addListing(node, context(), listingKinds.instructor, {
    ...fixed,
    details: instructorDetails,
  });
  const restaurant = await addListing(node, context(), listingKinds.restaurant, {
    ...fixed,
    details: {
      ...restaurantDetails,
      tables: [
        { name: 'Small', seats: 2, units: 1 },
        { name: 'Large', seats: 4, units: 1 },
      ],
    },
  });
  const nights = [
    ['08', '10'],
    ['09', '11'],
    ['09', '10'],
    ['04', '07'],
  ] as const;
  const seats = [
    ['04', 2],
    ['04', 3],
    ['05', 1],
    ['05', 4],
  ] as const;
  const lessons = [
    ['07', '08', '10'],
    ['07', '09', '11'],
    ['07', '08', '09'],
    ['08', '07', '09'],
  ] as const;
  const evenings = [
    ['04', '16', 2],
    ['04', '17', 2],
    ['04', '16', 4],
    ['05', '18', 1],
  ] as const;
  return [
    {
      ownerId,
      itemIds: restaurant.tables.map(({ id }) => id),
      requests: evenings.map(([date, hour, guests]) => ({
        type: 'restaurant',
        itemId: restaurant.id,
        slotStart: `2026-12-${date}T${hour}:00:00Z`,
        guests,
      })),
    },
    {
      ownerId,
      itemIds: [room.id],
      requests: nights.map(([from, to]) => ({
        type: 'hotel',
        itemId: room.id,
        checkIn: `2026-12-${from}`,
        checkOut: `2026-12-${to}`,
        guests: 2,
      })),
    },
    {
      ownerId,
      itemIds: [tour.id],
      requests: seats.map(([date, guests]) => ({
        type: 'tour',
        itemId: tour.id,
        slotStart: `2026-12-${date}T17:00:00Z`,
        guests,
      })),
    },
    {
      ownerId,
      itemIds: [instructor.id],
      requests: lessons.map(([date, from, to]) => ({
        type: 'instructor',
        itemId: instructor.id,
        slotStart: `2026-12-${date}T${from}:00:00Z`,
        slotEnd: `2026-12-${date}T${to}:00:00Z`,
        guests: 2,
      })),
    },
  ];
};
