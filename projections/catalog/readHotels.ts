/** Reads hotels, rooms and nights from their tables into the index of hotels. */
import { NIL_ID } from '../../infra/ids.ts';
import type { Pool, Queryable } from '../../infra/postgres.ts';
import { tableName } from '../engine/readDb.ts';
import type { HotelFacts, HotelIndex, NightFacts, RoomFacts } from './hotelIndex.ts';
import { hotels } from './listings.ts';
import { dayNumber } from './nights.ts';
import { ratings } from './ratings.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';
import type { Stale } from './staleHotels.ts';

/** Nights of one statement. */
const PAGE = 20_000;

const HOTELS = `select h.id, h.status, h.stars, h.timezone, h.minor_per_major, h.confirmation, r.sum::float8 / r.reviews as rating
  from ${tableName(hotels.name)} h left join ${tableName(ratings.name)} r on r.id = h.id order by h.folded_name, h.id`;
const ROOMS = `select id, hotel_id, capacity, units, night_price_minor from ${tableName(rooms.name)}`;
const NIGHT = `room_id, night - date '1970-01-01' as day, price_minor, has_price, stop_sell, min_stay, max_stay, closed_to_arrival,
  closed_to_departure, taken`;
type Night = NightFacts & { readonly room_id: string };

/** By room, in the order of the rows. */
const byRoom = (nights: readonly Night[]): Map<string, Night[]> => {
  const rows = new Map<string, Night[]>();
  for (const night of nights) {
    const of = rows.get(night.room_id);
    if (of) of.push(night);
    else rows.set(night.room_id, [night]);
  }
  return rows;
};

/** Reads everything, in pages, so that the process goes on meanwhile. @param from the first night */
export const fill = async (db: Queryable, index: HotelIndex, from: string): Promise<void> => {
  index.setHotels((await db.query<HotelFacts>(HOTELS)).rows);
  index.setRooms((await db.query<RoomFacts>(ROOMS)).rows);
  for (let last: Night | undefined, more = true; more; ) {
    const { rows } = await db.query<Night>(
      `select ${NIGHT} from ${tableName(roomNights.name)}
       where night >= $3 and (room_id, night) > ($1::uuid, date '1970-01-01' + $2::int)
       order by room_id, night limit ${PAGE}`,
      [last?.room_id ?? NIL_ID, last?.day ?? 0, from],
    );
    for (const [room, nights] of byRoom(rows))
      index.setNights(room, nights[0]?.day ?? 0, nights.at(-1)?.day ?? 0, nights);
    last = rows.at(-1);
    more = rows.length === PAGE;
  }
};

/** Reads again what is stale. */
export const refresh = async (pool: Pool, index: HotelIndex, stale: Stale): Promise<void> => {
  if (stale.hotels) index.setHotels((await pool.query<HotelFacts>(HOTELS)).rows);
  if (stale.rooms.size > 0)
    index.setRooms((await pool.query<RoomFacts>(`${ROOMS} where id = any ($1)`, [[...stale.rooms]])).rows);
  if (stale.nights.size === 0) return;
  const ranges = [...stale.nights];
  const { rows } = await pool.query<Night>(
    `select ${NIGHT} from ${tableName(roomNights.name)}
     join unnest($1::uuid[], $2::date[], $3::date[]) as range (room, first, last)
       on room_id = room and night between first and last`,
    [ranges.map(([room]) => room), ranges.map(([, { first }]) => first), ranges.map(([, { last }]) => last)],
  );
  const found = byRoom(rows);
  for (const [room, { first, last }] of ranges)
    index.setNights(room, dayNumber(first), dayNumber(last), found.get(room) ?? []);
};
