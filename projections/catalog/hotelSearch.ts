/**
 * Search for hotels by their properties, place and price. A price is per night, in the hotel's own currency: with dates,
 * the average price of the cheapest room that is free on them; without dates, the cheapest night that is still free. The
 * rules of a stay are those of `domain/catalog/pricing.ts`, repeated in SQL so that one query covers all hotels.
 */
import { sql } from 'kysely';
import { MAX_DAYS_AHEAD } from '../../domain/catalog/room.ts';
import { daysBetween } from '../../domain/core/dates.ts';
import { foldedText } from '../../domain/core/folded.ts';
import { type Page, windowOf } from '../../infra/paging.ts';
import { isAnyOf, type ReadDb, tableOf, tables } from '../engine/readDb.ts';
import { type Found as FoundRow, storedText } from '../engine/replies.ts';
import { rowsById } from '../engine/statements.ts';
import { hotelIndexOf } from './followHotels.ts';
import type { HotelIndex } from './hotelIndex.ts';
import type { HotelSearch, HotelSort } from './hotelQuery.ts';
import { type FoundListing, reckonedThere, withForms } from './listingSearch.ts';
import { hotels } from './listings.ts';
import { lowestNight } from './lowestNight.ts';
import { joinRating, ratedColumns, ratings } from './ratings.ts';
import { roomNights } from './roomNights.ts';
import { rooms } from './rooms.ts';
import { and, firstNightAt, hasWords, kilometresTo, localDate, type Sql, soldUntil } from './sql.ts';

/** A hotel as a search finds it. `min_price_minor` is null if no room can be booked. */
export type FoundHotel = FoundListing;

const ORDER: Readonly<Record<HotelSort, Sql>> = {
  name: sql`folded_name, id`,
  price: sql`price nulls last, folded_name, id`,
  '-price': sql`price desc nulls last, folded_name, id`,
  stars: sql`stars, folded_name, id`,
  '-stars': sql`stars desc, folded_name, id`,
  distance: sql`distance_km nulls last, folded_name, id`,
  rating: sql`rating desc nulls last, folded_name, id`,
};

const matching = ({ hotelId, ownerId, city, stars, q, near, stay, guests, at }: HotelSearch): Sql => {
  const today = localDate(at);
  return sql`
    select id, folded_name, stars, minor_per_major, ${near ? kilometresTo('location', near) : sql`null::float8`} as distance_km,
      ${firstNightAt(at)} as first_night, ${soldUntil(at)} as sold_until, ${ratedColumns}
    from ${tableOf(hotels)} ${joinRating('id')}
    where ${and([
      hotelId !== undefined && sql`id = ${hotelId}`,
      ownerId === undefined ? sql`status = 'published'` : sql`owner_id = ${ownerId}`,
      city !== undefined && sql`folded_city = ${foldedText(city)}`,
      stars !== undefined && sql`stars = ${stars}`,
      q !== undefined && hasWords('folded_words', q),
      stay === undefined &&
        guests !== undefined &&
        sql`id in (select hotel_id from ${tableOf(rooms)} where capacity >= ${guests} and units > 0)`,
      stay &&
        sql`${stay.checkIn}::date >= ${firstNightAt(at)} and ${stay.checkOut}::date - ${today} <= ${MAX_DAYS_AHEAD}::int`,
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
      select r.id, r.hotel_id, r.units, r.night_price_minor
      from ${tableOf(rooms)} r join matched m on m.id = r.hotel_id where r.capacity >= ${guests} and r.units > 0
    ),
    stays as (
      select room_id, max(taken) filter (where ${stayed}) as taken, count(*) filter (where ${stayed} and has_price) as own,
        count(*) filter (where ${stayed} and (stop_sell or (has_price and price_minor is null))) as closed,
        sum(price_minor) filter (where ${stayed} and has_price) as own_minor,
        bool_and(case night
          when ${checkIn} then coalesce(min_stay, 0) <= ${nights} and coalesce(max_stay, ${nights}) >= ${nights}
            and not closed_to_arrival
          when ${checkOut} then not closed_to_departure
          else true end) as is_allowed
      from ${tableOf(roomNights)}
      where night between ${checkIn} and ${checkOut} and room_id in (select id from rooms)
      group by room_id
    ),
    priced as (
      select hotel_id, coalesce(own_minor, 0) + case when coalesce(own, 0) = ${nights} then 0
        else (${nights} - coalesce(own, 0)) * night_price_minor end as base
      from rooms left join stays on room_id = id
      where coalesce(closed, 0) = 0 and coalesce(is_allowed, true) and coalesce(taken, 0) < units
    )
    select hotel_id, round(min(base) / ${nights})::bigint as price_minor
    from priced where base is not null
    group by hotel_id`;
};

/** The lowest price of one hotel `m` from its first night on. */
const priceFromNow = (guests: number): Sql =>
  lowestNight({ of: 'hotel', id: sql`m.id`, from: sql`m.first_night`, until: sql`m.sold_until`, guests });

/** One page of the results and their total number. Past the end, the page is empty. */
export const searchHotels = async (db: ReadDb, search: HotelSearch): Promise<Page<FoundHotel>> => {
  const index = isForTables(search) && !needsPricesOfAll(search) ? undefined : await hotelIndexOf(db);
  return index ? searchIndex(db, index, search) : searchTables(db, search);
};

/** Whether only SQL knows which hotels match. Then the index saves nothing unless all of them must be priced. */
const isForTables = ({ hotelId, ownerId, city, q, near }: HotelSearch): boolean =>
  [hotelId, ownerId, city, q, near].some((each) => each !== undefined);

const filtersByPrice = ({ stay, minPrice, maxPrice }: HotelSearch): boolean =>
  stay !== undefined || minPrice !== undefined || maxPrice !== undefined;

const needsPricesOfAll = (search: HotelSearch): boolean => filtersByPrice(search) || search.sort.endsWith('price');

/** The hotels that match words, a place, an owner or an id, with their distances; undefined when nothing of it is asked. */
const matchedBySql = async (db: ReadDb, search: HotelSearch): Promise<Map<string, number | null> | undefined> => {
  const { near } = search;
  if (!isForTables(search)) return undefined;
  const { rows } = await sql<{ id: string; distance_km: number | null }>`
    select id, distance_km from (${matching({ ...search, stay: undefined, guests: undefined })}) as matched
    where ${and([near?.radiusKm !== undefined && sql`distance_km <= ${near.radiusKm}`])}`.execute(db);
  return new Map(rows.map(({ id, distance_km }) => [id, distance_km]));
};

const hotelsById = rowsById((db, ids) =>
  tables(db, hotels, ratings)
    .selectFrom('hotels')
    .leftJoin('ratings', 'ratings.id', 'hotels.id')
    .select([
      'hotels.id',
      'owner_id',
      'status',
      'currency',
      'revision',
      sql<number | null>`sum::float8 / reviews`.as('rating'),
    ])
    .select(sql<number>`coalesce(reviews, 0)`.as('reviews_count'))
    .select(storedText(hotels, 'guest').as('wire'))
    .where(isAnyOf('hotels.id', ids)),
);

const searchIndex = async (db: ReadDb, index: HotelIndex, search: HotelSearch): Promise<Page<FoundHotel>> => {
  const { total, page } = index.search(search, await matchedBySql(db, search));
  const ids = page.map(({ id }) => id);
  const found = await hotelsById(db, ids);
  const shown = page.flatMap((match) => {
    const row = found.get(match.id);
    return row ? { row, match } : [];
  });
  return { total, rows: await withForms(db, hotels, shown) };
};

/** The reference: what the index answers faster. */
const searchTables = async (db: ReadDb, search: HotelSearch): Promise<Page<FoundHotel>> => {
  const { near, minPrice, maxPrice, guests = 1, stay, sort } = search;
  const { limit, offset } = windowOf(search);
  const needsAllPrices = needsPricesOfAll(search);
  const price = stay
    ? sql`left join (${pricesOfStay(stay, guests)}) as p on p.hotel_id = m.id`
    : sql`left join lateral ${priceFromNow(guests)} as p on true`;
  const priced = sql`select m.*, p.price_minor, p.price_minor::float8 / m.minor_per_major as price from matched m ${price}`;
  const unpriced = sql`select m.*, null::bigint as price_minor, null::float8 as price from matched m`;
  const matches = and([
    filtersByPrice(search) && sql`price is not null`,
    minPrice !== undefined && sql`price >= ${minPrice}`,
    maxPrice !== undefined && sql`price <= ${maxPrice}`,
    near?.radiusKm !== undefined && sql`distance_km <= ${near.radiusKm}`,
  ]);
  const { rows } = await sql<{ total: number; place: number } & Omit<FoundHotel, 'form'> & FoundRow>`
    with matched as (${matching(search)}),
    found as (select * from (${needsAllPrices ? priced : unpriced}) as candidates where ${matches}),
    page as (select * from found order by ${ORDER[sort]} limit ${limit} offset ${offset}),
    shown as (${needsAllPrices ? sql`select * from page` : sql`select m.id, m.distance_km, m.rating, m.reviews_count, p.price_minor from page m ${price}`})
    select t.total, h.* from (select count(*)::int as total from found) as t left join (
      select h.id, h.owner_id, h.status, h.currency, h.revision, h.wire, s.price_minor as min_price_minor, s.distance_km,
        s.rating, s.reviews_count, p.place
      from (select id, row_number() over (order by ${ORDER[sort]}) as place from page) as p
      join shown s using (id) join ${tableOf(hotels)} h using (id)
    ) as h on true order by h.place
  `.execute(db);
  const found = rows.filter(({ id }) => id !== null);
  return { total: rows[0]?.total ?? 0, rows: await withForms(db, hotels, reckonedThere(found)) };
};
