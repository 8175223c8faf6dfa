/** A hotel and a room as specs begin with them. */
import type { HotelDetails, HotelEvent } from '../../domain/catalog/hotel.ts';
import type { NightRange, RoomDetails, RoomEvent } from '../../domain/catalog/room.ts';

export const ownerId = '0198f3a0-0000-7000-8000-000000000001';
export const hotelId = '0198f3a0-0000-7000-8000-000000000002';
export const roomId = '0198f3a0-0000-7000-8000-000000000003';
export const today = '2026-12-01';

export const hotelDetails: HotelDetails = {
  name: 'Edelweiss',
  city: 'Sosnovaya Polyana',
  address: 'Gornaya 1',
  stars: 4,
  description: 'At the foot of the first lift.',
  amenities: ['wifi', 'spa'],
  images: [{ url: 'https://images.test/edelweiss.jpg', isMain: true }],
  location: { latitude: 43.68, longitude: 40.27 },
  cancellationPolicy: 'moderate',
  confirmation: 'instant',
  charges: [
    { kind: 'tax', name: 'Resort tax', bps: 200 },
    { kind: 'fee', name: 'Linen', perNightMinor: 15_000 },
  ],
};

export const hotelAdded = {
  type: 'HotelAdded',
  data: { ownerId, timezone: 'Europe/Moscow', currency: 'RUB', ...hotelDetails },
} as const satisfies HotelEvent;
export const hotelPublished = { type: 'HotelPublished', data: {} } as const satisfies HotelEvent;

export const roomDetails: RoomDetails = {
  name: 'Double with a view',
  description: '',
  capacity: 2,
  units: 3,
  basePriceMinor: 900_000,
  amenities: [],
  images: [],
};

export const roomAdded = {
  type: 'RoomAdded',
  data: { hotelId, ownerId, currency: 'RUB', sellsNights: true, ...roomDetails },
} as const satisfies RoomEvent;

export const nightsPriced = (...ranges: NightRange[]) =>
  ({ type: 'RoomNightsPriced', data: { hotelId, ranges } }) as const satisfies RoomEvent;
