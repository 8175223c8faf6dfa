/** The rooms of a hotel, and for each night how many are left and at what price. */
import { sql } from 'kysely';
import { quoteStay, type StayQuote, type StayRequest } from '../../domain/catalog/pricing.ts';
import { termsAt } from '../../domain/catalog/room.ts';
import type { OfferedNight } from '../../domain/catalog/stayRules.ts';
import { datesBetween } from '../../domain/core/dates.ts';
import { toCamel } from '../../infra/naming.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { type HotelRow, hotels } from './listings.ts';
import { lowestPricesOfRooms } from './lowestPrices.ts';
import { ownTermsOf, type RoomNightRow, roomNights } from './roomNights.ts';
import { type RoomRow, rooms } from './rooms.ts';

/**
 * `availability`: whether at least one night can still be booked. `min_price_minor`: the lowest price of such a night; null:
 * none.
 */
export type OfferedRoom = Omit<RoomRow, 'created_at' | 'updated_at' | 'night_price_minor'> & {
  readonly availability: boolean;
  readonly min_price_minor: number | null;
};

/** The rooms of a published hotel, oldest first; null if the hotel does not exist or is closed. */
export const roomsOf = async (db: ReadDb, hotelId: string, at: string): Promise<readonly OfferedRoom[] | null> => {
  const { rows } = await sql<{ rooms: Omit<OfferedRoom, 'availability' | 'min_price_minor'>[] }>`
    select coalesce((
      select jsonb_agg(to_jsonb(r) - '{created_at,updated_at,night_price_minor}'::text[] order by r.created_at, r.id)
      from ${tableOf(rooms)} r where r.hotel_id = h.id
    ), '[]') as rooms
    from ${tableOf(hotels)} h where h.id = ${hotelId} and h.status = 'published'
  `.execute(db);
  const found = rows[0]?.rooms;
  if (!found) return null;
  const prices = await lowestPricesOfRooms(db, found, at);
  return found.map((room) => {
    const price = prices.get(room.id) ?? null;
    return { ...room, availability: price !== null, min_price_minor: price };
  });
};

type CalendarRoom = Pick<RoomRow, 'id' | 'name' | 'capacity' | 'units' | 'night_price_minor'> & {
  readonly nights: readonly Omit<RoomNightRow, 'room_id' | 'holds'>[];
};
/** A hotel with its rooms and their nights. A night for which nothing was set or held is missing. */
export type Calendar = Pick<
  HotelRow,
  'id' | 'owner_id' | 'status' | 'currency' | 'timezone' | 'charges' | 'cancellation_policy' | 'confirmation'
> & {
  readonly rooms: readonly CalendarRoom[];
};

/** The dates from `from` to `to`, both included; null if the hotel does not exist or is closed. */
export const hotelCalendar = async (
  db: ReadDb,
  hotelId: string,
  { from, to }: { from: string; to: string },
): Promise<Calendar | null> => {
  const { rows } = await sql<Calendar>`
    select h.id, h.owner_id, h.status, h.currency, h.timezone, h.charges, h.cancellation_policy, h.confirmation, coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', r.id, 'name', r.name, 'capacity', r.capacity, 'units', r.units,
        'night_price_minor', r.night_price_minor, 'nights', coalesce((
          select jsonb_agg(to_jsonb(n) - '{room_id,holds}'::text[])
          from ${tableOf(roomNights)} n where n.room_id = r.id and n.night between ${from} and ${to}
        ), '[]')
      ) order by r.created_at, r.id)
      from ${tableOf(rooms)} r where r.hotel_id = h.id
    ), '[]') as rooms
    from ${tableOf(hotels)} h where h.id = ${hotelId} and h.status = 'published'
  `.execute(db);
  return rows[0] ?? null;
};

export interface RoomOffer {
  readonly room: CalendarRoom;
  readonly quote: StayQuote;
  /** On the night with the fewest rooms left. */
  readonly roomsLeft: number;
  /** Their `left` is negative where more is sold than there is. */
  readonly nights: readonly (OfferedNight & { readonly date: string })[];
}

/** The offer of each room of a hotel for a stay. */
export const offersOf = (calendar: Calendar, stay: StayRequest): RoomOffer[] => {
  const { status, currency, timezone, confirmation } = calendar;
  const hotel = { status, currency, timezone, confirmation, charges: toCamel(calendar.charges) };
  return calendar.rooms.map((room) => {
    const own = new Map(room.nights.map((row) => [row.night, ownTermsOf(row)]));
    const taken = new Map(room.nights.map((row) => [row.night, row.taken]));
    const priced = { capacity: room.capacity, nights: own, nightPriceMinor: room.night_price_minor };
    const left = (night: string): number => room.units - (taken.get(night) ?? 0);
    const quote = quoteStay(priced, hotel, stay, left);
    const nights = datesBetween(stay.checkIn, stay.checkOut).map((date) => ({
      date,
      left: left(date),
      ...termsAt(priced, date),
    }));
    return { room, quote, roomsLeft: Math.min(...nights.map((night) => night.left)), nights };
  });
};
