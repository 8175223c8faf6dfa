/** Reads hotels, rooms and nights from their tables into the index of hotels. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { addDays } from '../../domain/core/dates.ts';
import { NIL_ID } from '../../infra/ids.ts';
import { isAnyOf, type ReadDb, tableOf } from '../engine/readDb.ts';
import { createHotelIndex, type HotelFacts, type HotelIndex, type NightFacts, type RoomFacts } from './hotelIndex.ts';
import { hotels } from './listings.ts';
import { dayNumber } from './nights.ts';
import { ratings } from './ratings.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';

/** Nights of one statement: the process goes on between two of them. */
const PAGE = 20_000;
/** It may be yesterday at a hotel. */
const PAST_DAYS = 2;

type Condition = RawBuilder<SqlBool>;
const ALL: Condition = sql`true`;

const hotelFacts = async (db: ReadDb, those: Condition): Promise<HotelFacts[]> => {
  const { rows } = await sql<HotelFacts>`
    select h.id, h.status, h.stars, h.timezone, h.minor_per_major, h.confirmation, r.sum::float8 / r.reviews as rating
    from ${tableOf(hotels)} h left join ${tableOf(ratings)} r on r.id = h.id
    where ${those} order by h.folded_name, h.id`.execute(db);
  return rows;
};

const roomFacts = async (db: ReadDb, those: Condition): Promise<RoomFacts[]> => {
  const { rows } = await sql<RoomFacts>`
    select id, hotel_id, capacity, units, night_price_minor from ${tableOf(rooms)} where ${those}`.execute(db);
  return rows;
};

type Night = NightFacts & { readonly room_id: string };
const NIGHT = sql.raw(`room_id, night - date '1970-01-01' as day, price_minor, has_price, stop_sell, min_stay, max_stay,
  closed_to_arrival, closed_to_departure, taken`);

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

/** Pages of the nights from a date on. */
const nightPages = async function* (db: ReadDb, from: string, those: Condition) {
  for (let last: Night | undefined, more = true; more; ) {
    const { rows } = await sql<Night>`
      select ${NIGHT} from ${tableOf(roomNights)}
      where night >= ${from} and ${those}
        and (room_id, night) > (${last?.room_id ?? NIL_ID}::uuid, date '1970-01-01' + ${last?.day ?? 0}::int)
      order by room_id, night limit ${PAGE}`.execute(db);
    yield rows;
    last = rows.at(-1);
    more = rows.length === PAGE;
  }
};

/** An index of the nights to come. @param ids of which hotels; all by default @param at now, RFC 3339 */
export const readHotels = async (db: ReadDb, at: string, ids?: readonly string[]): Promise<HotelIndex> => {
  const index = createHotelIndex();
  index.setHotels(await hotelFacts(db, ids ? isAnyOf('h.id', ids) : ALL));
  const found = await roomFacts(db, ids ? isAnyOf('hotel_id', ids) : ALL);
  index.setRooms(found);
  const those = ids
    ? isAnyOf(
        'room_id',
        found.map(({ id }) => id),
      )
    : ALL;
  for await (const page of nightPages(db, addDays(at.slice(0, 10), -PAST_DAYS), those))
    for (const [room, nights] of byRoom(page))
      index.setNights(room, nights[0]?.day ?? 0, nights.at(-1)?.day ?? 0, nights);
  return index;
};

/** Before and after every date. */
const ALWAYS = { first: '1970-01-01', last: '9999-12-31' };

/** What of an index must be read again. */
export interface Stale {
  /** The index may be wrong in any way. */
  everything: boolean;
  hotels: boolean;
  readonly rooms: Set<string>;
  /** Room → the dates in between. */
  readonly nights: Map<string, { readonly first: string; readonly last: string }>;
}
export const nothing = (): Stale => ({ everything: false, hotels: false, rooms: new Set(), nights: new Map() });

export const noteRoom = ({ rooms: ids, nights }: Stale, id: string): void => {
  ids.add(id);
  nights.set(id, ALWAYS); // what is left of them depends on the room
};
/** @param line as the nights of a room are announced */
export const noteNights = ({ nights }: Stale, line: string): void => {
  const [room = '', from = ALWAYS.first, to = ALWAYS.last] = line.split(' ');
  const { first, last } = nights.get(room) ?? { first: from, last: to };
  nights.set(room, { first: from < first ? from : first, last: to > last ? to : last });
};

const staleNights = async (db: ReadDb, stale: Stale['nights']): Promise<Night[]> => {
  const ranges = [...stale];
  const { rows } = await sql<Night>`
    select ${NIGHT} from ${tableOf(roomNights)}
    join unnest(${ranges.map(([room]) => room)}::uuid[], ${ranges.map(([, { first }]) => first)}::date[],
      ${ranges.map(([, { last }]) => last)}::date[]) as range (room, first, last)
      on room_id = room and night between first and last`.execute(db);
  return rows;
};

/** Reads again what is stale. A search finds all of it changed, or nothing. */
export const refresh = async (db: ReadDb, index: HotelIndex, stale: Stale): Promise<void> => {
  const changedHotels = stale.hotels ? await hotelFacts(db, ALL) : undefined;
  const changedRooms = stale.rooms.size > 0 ? await roomFacts(db, isAnyOf('id', [...stale.rooms])) : [];
  const nights = byRoom(stale.nights.size > 0 ? await staleNights(db, stale.nights) : []);
  if (changedHotels) index.setHotels(changedHotels);
  index.setRooms(changedRooms);
  for (const [room, { first, last }] of stale.nights)
    index.setNights(room, dayNumber(first), dayNumber(last), nights.get(room) ?? []);
};
