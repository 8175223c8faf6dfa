/**
 * Search for hotels by their properties, place and price. A price is per night, in the hotel's own currency: with dates,
 * the average price of the cheapest room that is free on them; without dates, the cheapest night that is still free. The
 * rules of a stay are those of `domain/catalog/pricing.ts`, repeated in SQL so that one query covers all hotels.
 */
import { sql } from 'kysely';
import { MAX_DAYS_AHEAD } from '../../domain/catalog/room.ts';
import { daysBetween } from '../../domain/core/dates.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { type HotelRow, hotels } from './listings.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';
import { and, hasWords, kilometresTo, type Near, type Sql } from './sql.ts';

export const hotelSorts = ['name', 'price', '-price', 'stars', '-stars', 'distance'] as const;
export type HotelSort = (typeof hotelSorts)[number];

export interface HotelSearch {
  readonly hotelId?: string;
  /** All of this owner, including closed ones. Absent: the published ones of all owners. */
  readonly ownerId?: string;
  readonly city?: string;
  readonly stars?: number;
  /** Words or beginnings of words; all of them must occur. */
  readonly q?: string;
  /** Distances are measured from here; only what lies within the radius is found. */
  readonly near?: Near;
  /** Major units, per night. */
  readonly minPrice?: number;
  readonly maxPrice?: number;
  /** Only hotels with a room for this many guests. */
  readonly guests?: number;
  /** Only hotels with a room that is free for this stay. */
  readonly stay?: { readonly checkIn: string; readonly checkOut: string };
  /** The present instant: it decides what "today" is for each hotel. */
  readonly at: string;
  readonly sort: HotelSort;
  readonly page: number;
  readonly perPage: number;
}

/** A hotel as a search finds it. */
export type FoundHotel = Omit<HotelRow, 'created_at' | 'updated_at'> & {
  /** null: no room can be booked. */
  readonly min_price_minor: number | null;
  /** null: the search names no place. */
  readonly distance_km: number | null;
};

const ORDER: Readonly<Record<HotelSort, Sql>> = {
  name: sql`name, id`,
  price: sql`price nulls last, name, id`,
  '-price': sql`price desc nulls last, name, id`,
  stars: sql`stars, name, id`,
  '-stars': sql`stars desc, name, id`,
  distance: sql`distance_km nulls last, name, id`,
};

const matching = ({ hotelId, ownerId, city, stars, q, near, stay, guests, at }: HotelSearch): Sql => {
  const today = sql`(${at}::timestamptz at time zone timezone)::date`;
  return sql`
    select id, name, stars, minor_per_major, ${near ? kilometresTo('location', near) : sql`null::float8`} as distance_km,
      ${today} as today
    from ${tableOf(hotels)}
    where ${and([
      hotelId !== undefined && sql`id = ${hotelId}`,
      ownerId === undefined ? sql`status = 'published'` : sql`owner_id = ${ownerId}`,
      city !== undefined && sql`lower(city) = lower(${city})`,
      stars !== undefined && sql`stars = ${stars}`,
      q !== undefined && hasWords(hotels.searchedText, q),
      stay === undefined &&
        guests !== undefined &&
        sql`id in (select hotel_id from ${tableOf(rooms)} where capacity >= ${guests} and units > 0)`,
      stay && sql`${stay.checkIn}::date >= ${today} and ${stay.checkOut}::date - ${today} <= ${MAX_DAYS_AHEAD}::int`,
    ])}`;
};

/**
 * The lowest price of each hotel on these dates. Nights are grouped by room before anything is joined to them: ten
 * thousand hotels have a hundred thousand rows, and joining earlier would take most of the time.
 */
const pricesOfStay = ({ checkIn, checkOut }: NonNullable<HotelSearch['stay']>, guests: number): Sql => {
  const nights = sql`${daysBetween(checkIn, checkOut)}::int`;
  const stayed = sql`night < ${checkOut}`;
  return sql`
    with rooms as (
      select r.id, r.hotel_id, r.units from ${tableOf(rooms)} r join matched m on m.id = r.hotel_id where r.capacity >= ${guests}
    ),
    stays as (
      select room_id, max(taken) filter (where ${stayed}) as taken, case when
        count(price_minor) filter (where ${stayed} and not stop_sell) = ${nights}
        and bool_and(case night
          when ${checkIn} then coalesce(min_stay, 0) <= ${nights} and coalesce(max_stay, ${nights}) >= ${nights}
            and not closed_to_arrival
          when ${checkOut} then not closed_to_departure
          else true end)
        then sum(price_minor) filter (where ${stayed}) end as base
      from ${tableOf(roomNights)}
      where night between ${checkIn} and ${checkOut} and room_id in (select id from rooms)
      group by room_id
    )
    select hotel_id, round(min(base) / ${nights})::bigint as price_minor
    from stays join rooms on rooms.id = room_id
    where base is not null and taken < units
    group by hotel_id`;
};

/** The lowest price of one hotel `m` from today on. Usually the first entry of an index has it. */
const priceFromToday = (guests: number): Sql => sql`
  select n.price_minor from ${tableOf(roomNights)} n join ${tableOf(rooms)} r on r.id = n.room_id
  where n.hotel_id = m.id and n.night >= m.today and n.price_minor is not null and not n.stop_sell
    and n.taken < r.units and r.capacity >= ${guests}
  order by n.price_minor limit 1`;

/** One page of the results and their total number. Past the end, the page is empty. */
export const searchHotels = async (db: ReadDb, search: HotelSearch): Promise<{ total: number; rows: FoundHotel[] }> => {
  const { near, minPrice, maxPrice, guests = 1, stay, sort, page, perPage } = search;
  const filtersByPrice = stay !== undefined || minPrice !== undefined || maxPrice !== undefined;
  const needsAllPrices = filtersByPrice || sort.endsWith('price');
  const price = stay
    ? sql`left join (${pricesOfStay(stay, guests)}) as p on p.hotel_id = m.id`
    : sql`left join lateral (${priceFromToday(guests)}) as p on true`;
  const priced = sql`select m.*, p.price_minor, p.price_minor::float8 / m.minor_per_major as price from matched m ${price}`;
  const unpriced = sql`select m.*, null::bigint as price_minor, null::float8 as price from matched m`;
  const matches = and([
    filtersByPrice && sql`price is not null`,
    minPrice !== undefined && sql`price >= ${minPrice}`,
    maxPrice !== undefined && sql`price <= ${maxPrice}`,
    near?.radiusKm !== undefined && sql`distance_km <= ${near.radiusKm}`,
  ]);
  const { rows } = await sql<{ total: number; found: FoundHotel[] }>`
    with matched as (${matching(search)}),
    found as (select * from (${needsAllPrices ? priced : unpriced}) as candidates where ${matches}),
    page as (select * from found order by ${ORDER[sort]} limit ${perPage} offset ${(page - 1) * perPage}),
    shown as (${needsAllPrices ? sql`select * from page` : sql`select m.id, m.distance_km, p.price_minor from page m ${price}`})
    select
      (select count(*)::int from found) as total,
      (
        select coalesce(jsonb_agg(to_jsonb(h) - '{created_at,updated_at}'::text[] || jsonb_build_object('min_price_minor', s.price_minor, 'distance_km', s.distance_km) order by p.place), '[]')
        from (select id, row_number() over (order by ${ORDER[sort]}) as place from page) as p
        join shown s using (id) join ${tableOf(hotels)} h using (id)
      ) as found
  `.execute(db);
  return { total: rows[0]?.total ?? 0, rows: rows[0]?.found ?? [] };
};
