/** Rooms that can be had: the season has holidays with rules of their own, wherever today happens to be. */
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import type { CallApi } from './http.ts';
import type { Demo } from './world.ts';

export interface Free {
  readonly hotelId: string;
  readonly roomId: string;
  readonly totalMinor: number;
  readonly roomsLeft: number;
  readonly checkIn: string;
  readonly checkOut: string;
}

/** `YYYY-MM-DD`, so many days from now. */
export const day = (ahead: number): string => instantOf(Date.now() + ahead * DAY_MS).slice(0, 10);

const LAST_DAY = 150;

/** Every free room of some hotels, for a few dates of the season. */
export async function* freeRooms(call: CallApi, demo: Demo, nights = 3, guests = 1, from = 10): AsyncGenerator<Free> {
  const apiKey = demo.partner_key;
  for (let ahead = from; ahead < LAST_DAY; ahead += 6) {
    const [checkIn, checkOut] = [day(ahead), day(ahead + nights)];
    const stay = `check_in=${checkIn}&check_out=${checkOut}&guests=${guests}`;
    const hotels = await call(`GET /ota/v1/hotels?${stay}`, { apiKey });
    for (const hotel of hotels.body.data) {
      const { body } = await call(`GET /ota/v1/hotels/${hotel.id}/availability?${stay}`, { apiKey });
      for (const room of body.rooms)
        if (room.available)
          yield {
            hotelId: hotel.id,
            roomId: room.room_id,
            totalMinor: room.price.total_minor,
            roomsLeft: room.rooms_left,
            checkIn,
            checkOut,
          };
    }
  }
}

export const freeRoom = async (call: CallApi, demo: Demo, nights = 3, guests = 1, from = 10): Promise<Free> => {
  for await (const free of freeRooms(call, demo, nights, guests, from)) return free;
  throw new Error('the resort is sold out');
};

/** A hotel of the seller whose token it is, flexible and confirmed at once unless `terms` say otherwise. Returns its id. */
export const newHotel = async (call: CallApi, token: string, terms: object = {}): Promise<string> => {
  const place = { name: 'Larch House', city: 'Testville', address: 'Main street 1', stars: 3, description: '' };
  const usual = { cancellation_policy: 'flexible', charges: [], timezone: 'Europe/Moscow', currency: 'RUB' };
  const more = { amenities: [], images: [], location: { latitude: 43.6, longitude: 40.2 } };
  const { status, body } = await call('POST /api/v1/hotels', {
    token,
    body: { ...place, ...usual, ...more, ...terms },
  });
  if (status !== 201) throw new Error(`the hotel was refused: ${JSON.stringify(body)}`);
  return body.id;
};

/** A kind of room for two in a hotel, for sale for the next two months. Returns its id. */
export const newRoom = async (
  call: CallApi,
  token: string,
  { hotelId, units = 2, price = 80.5 }: { hotelId: string; units?: number; price?: number },
): Promise<string> => {
  const details = { name: 'Attic', description: '', capacity: 2, units, price_per_night: price };
  const body = { ...details, amenities: [], images: [] };
  const room = await call(`POST /api/v1/hotels/${hotelId}/rooms`, { token, body });
  if (room.status !== 201) throw new Error(`the room was refused: ${JSON.stringify(room.body)}`);
  const ranges = [{ from: day(0), to: day(60), price }];
  const nights = await call(`PUT /api/v1/rooms/${room.body.id}/nights`, { token, body: { ranges } });
  if (nights.status !== 200) throw new Error(`the nights were refused: ${JSON.stringify(nights.body)}`);
  return room.body.id;
};
