/** Rooms that can be had: the season has holidays with rules of their own, wherever today happens to be. */
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
export const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

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
