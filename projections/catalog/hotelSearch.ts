/**
 * Search for hotels by their properties, place and price. A price is per night, in the hotel's own currency: with dates,
 * the average price of the cheapest room that is free on them; without dates, the cheapest night that is still free. SQL
 * finds words, cities and places; the index of hotels finds the rest.
 */
import { sql } from 'kysely';
import { foldedText } from '../../domain/core/folded.ts';
import { exactly, type Page } from '../../infra/paging.ts';
import { isAnyOf, type ReadDb, tableOf, tables } from '../engine/readDb.ts';
import { storedText } from '../engine/replies.ts';
import { rowsById } from '../engine/statements.ts';
import { hotelIndexOf } from './followHotels.ts';
import type { HotelSearch } from './hotelQuery.ts';
import { type FoundListing, withForms } from './listingSearch.ts';
import { hotels } from './listings.ts';
import { ratings } from './ratings.ts';
import { and, hasWords, kilometresTo } from './sql.ts';

/** A hotel as a search finds it. `min_price_minor` is null if no room can be booked. */
export type FoundHotel = FoundListing;

/** The hotels that match words, a place or an owner, with their distances; undefined when nothing of it is asked. */
const matchedBySql = async (
  db: ReadDb,
  { ownerId, city, q, near }: HotelSearch,
): Promise<ReadonlyMap<string, number | null> | undefined> => {
  if ([ownerId, city, q, near].every((asked) => asked === undefined)) return undefined;
  const { rows } = await sql<{ id: string; distance_km: number | null }>`
    select id, distance_km from (
      select id, ${near ? kilometresTo('location', near) : sql`null::float8`} as distance_km
      from ${tableOf(hotels)}
      where ${and([
        ownerId === undefined ? sql`status = 'published'` : sql`owner_id = ${ownerId}`,
        city !== undefined && sql`folded_city = ${foldedText(city)}`,
        q !== undefined && hasWords('folded_words', q),
      ])}
    ) as matched
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

/**
 * One page of the results and their total number. Past the end, the page is empty.
 * @throws Rejected `unavailable` while the index is being filled, unless few hotels match
 */
export const searchHotels = async (db: ReadDb, search: HotelSearch): Promise<Page<FoundHotel>> => {
  const { hotelId, at } = search;
  const among = hotelId === undefined ? await matchedBySql(db, search) : new Map([[hotelId, null]]);
  const index = await hotelIndexOf(db, at, among && [...among.keys()]);
  const { total, page } = index.search(search, among);
  const found = await hotelsById(
    db,
    page.map(({ id }) => id),
  );
  const shown = page.flatMap((match) => {
    const row = found.get(match.id);
    return row ? { row, match } : [];
  });
  return { total: exactly(total), rows: await withForms(db, hotels, shown) };
};
