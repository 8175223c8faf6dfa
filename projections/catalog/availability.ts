/** The rooms of a hotel, and for each night how many are left and at what price. */
import { sql } from 'kysely';
import { quoteStay, type StayQuote, type StayRequest } from '../../domain/catalog/pricing.ts';
import { type NightTerms, UNPRICED } from '../../domain/catalog/room.ts';
import { datesBetween } from '../../domain/core/dates.ts';
import { toCamel } from '../../infra/naming.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { type HotelRow, hotels } from './listings.ts';
import { type RoomNightRow, roomNights } from './roomNights.ts';
import { type RoomRow, rooms } from './rooms.ts';
import { firstNightAt } from './sql.ts';

/** `availability`: whether at least one night can still be booked. */
export type OfferedRoom = Omit<RoomRow, 'created_at' | 'updated_at'> & { readonly availability: boolean };

/** The rooms of a published hotel, oldest first; null if the hotel does not exist or is closed. */
export const roomsOf = async (db: ReadDb, hotelId: string, at: string): Promise<readonly OfferedRoom[] | null> => {
  const { rows } = await sql<{ rooms: OfferedRoom[] }>`
    select coalesce((
      select jsonb_agg(to_jsonb(r) - '{created_at,updated_at}'::text[] || jsonb_build_object('availability', exists (
        select 1 from ${tableOf(roomNights)} n
        where n.room_id = r.id and n.night >= ${firstNightAt(at)}
          and n.price_minor is not null and not n.stop_sell and n.taken < r.units
      )) order by r.created_at, r.id)
      from ${tableOf(rooms)} r where r.hotel_id = h.id
    ), '[]') as rooms
    from ${tableOf(hotels)} h where h.id = ${hotelId} and h.status = 'published'
  `.execute(db);
  return rows[0]?.rooms ?? null;
};

type CalendarRoom = Pick<RoomRow, 'id' | 'name' | 'capacity' | 'units'> & {
  readonly nights: readonly Omit<RoomNightRow, 'room_id' | 'hotel_id' | 'holds'>[];
};
/** A hotel with its rooms and their nights. A night that was never priced or held is missing. */
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
        'id', r.id, 'name', r.name, 'capacity', r.capacity, 'units', r.units, 'nights', coalesce((
          select jsonb_agg(to_jsonb(n) - '{room_id,hotel_id,holds}'::text[])
          from ${tableOf(roomNights)} n where n.room_id = r.id and n.night between ${from} and ${to}
        ), '[]')
      ) order by r.created_at, r.id)
      from ${tableOf(rooms)} r where r.hotel_id = h.id
    ), '[]') as rooms
    from ${tableOf(hotels)} h where h.id = ${hotelId} and h.status = 'published'
  `.execute(db);
  return rows[0] ?? null;
};

interface NightOffer {
  readonly date: string;
  readonly terms: NightTerms;
  /** Negative where more is sold than there is. */
  readonly roomsLeft: number;
}

export interface RoomOffer {
  readonly room: CalendarRoom;
  readonly quote: StayQuote;
  /** On the night with the fewest rooms left. */
  readonly roomsLeft: number;
  readonly nights: readonly NightOffer[];
}

/** The offer of each room of a hotel for a stay. */
export const offersOf = (calendar: Calendar, stay: StayRequest): RoomOffer[] => {
  const { status, currency, timezone, confirmation } = calendar;
  const hotel = { status, currency, timezone, confirmation, charges: toCamel(calendar.charges) };
  return calendar.rooms.map((room) => {
    const terms = new Map<string, NightTerms>();
    const taken = new Map<string, number>();
    for (const { night, taken: count, ...rest } of room.nights) {
      terms.set(night, toCamel(rest));
      taken.set(night, count);
    }
    const nights = datesBetween(stay.checkIn, stay.checkOut).map((date) => ({
      date,
      terms: terms.get(date) ?? UNPRICED,
      roomsLeft: room.units - (taken.get(date) ?? 0),
    }));
    const quote = quoteStay({ capacity: room.capacity, nights: terms }, hotel, stay);
    return { room, quote, roomsLeft: Math.min(...nights.map(({ roomsLeft }) => roomsLeft)), nights };
  });
};
