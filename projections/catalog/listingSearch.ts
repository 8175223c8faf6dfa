/** Search for listings of one kind by their properties, place and price. Prices are in each listing's own currency. */
import type { Static, TObject, TProperties } from '@sinclair/typebox';
import { sql } from 'kysely';
import { type Page, pageOf } from '../engine/paging.ts';
import { type ReadDb, tableName, tableOf } from '../engine/readDb.ts';
import { type CommonRow, companies, type ListingModel } from './listings.ts';
import { and, type Condition, hasWords, kilometresTo, type Near, type Sql } from './sql.ts';

export const listingSorts = ['name', 'price', '-price', 'distance'] as const;
export type ListingSort = (typeof listingSorts)[number];

/** How one kind is searched. The SQL refers to the columns of its table. */
export interface Searched<P extends TProperties = TProperties, F extends TProperties = TProperties> {
  readonly model: ListingModel<P>;
  /** Optional query fields that only this kind has. */
  readonly filters: F;
  readonly where: (asked: Static<TObject<F>>) => readonly Condition[];
  /** The lowest price in minor units, for these filters; null if the kind has no price. */
  readonly price: ((asked: Static<TObject<F>>) => Sql) | null;
  /** Its places. A distance is measured to the nearest one. */
  readonly locations: readonly string[];
}

export interface ListingSearch<Asked> {
  readonly id?: string | undefined;
  /** All of this owner, including closed ones. Absent: the published ones of all owners. */
  readonly ownerId?: string | undefined;
  /** Everything that the owner of this company offers. */
  readonly companyId?: string | undefined;
  /** Words or beginnings of words; all of them must occur. */
  readonly q?: string | undefined;
  readonly city?: string | undefined;
  /** Distances are measured from here; only what lies within the radius is found. */
  readonly near?: Near | undefined;
  /** Major units. */
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly asked: Asked;
  readonly sort: ListingSort;
  readonly page: number;
  readonly perPage: number;
}

interface Reckoned {
  readonly min_price_minor: number | null;
  /** null: the search names no place. */
  readonly distance_km: number | null;
}
/** A listing as a search finds it. `min_price_minor` is null if the kind has no price. */
export type FoundListing<P extends TProperties = TProperties> = CommonRow & ListingModel<P>['row']['static'] & Reckoned;

const ORDER: Readonly<Record<ListingSort, Sql>> = {
  name: sql`name, id`,
  price: sql`price nulls last, name, id`,
  '-price': sql`price desc nulls last, name, id`,
  distance: sql`distance_km nulls last, name, id`,
};

const publishedCompany = (companyId: string): Sql =>
  sql`owner_id = (select c.owner_id from ${tableOf(companies)} c where c.id = ${companyId} and c.status = 'published')`;

/** One page of the results and their total number. Past the end, the page is empty. */
export const searchListings = async <P extends TProperties, F extends TProperties>(
  db: ReadDb,
  { model, where, price, locations }: Searched<P, F>,
  search: ListingSearch<Static<TObject<F>>>,
): Promise<Page<FoundListing<P>>> => {
  const { id, ownerId, companyId, q, city, near, minPrice, maxPrice, asked, sort } = search;
  const distance = near
    ? sql`least(${sql.join(locations.map((location) => kilometresTo(location, near)))})`
    : sql`null::float8`;
  const matched = sql<CommonRow & Reckoned>`(
    select *, min_price_minor::float8 / minor_per_major as price from (
      select *, ${price?.(asked) ?? sql`null::bigint`} as min_price_minor, ${distance} as distance_km
      from ${sql.raw(tableName(model.name))}
      where ${and([
        id !== undefined && sql`id = ${id}`,
        ownerId === undefined ? sql`status = 'published'` : sql`owner_id = ${ownerId}`,
        companyId !== undefined && publishedCompany(companyId),
        city !== undefined && sql`lower(city) = lower(${city})`,
        q !== undefined && hasWords(model.searchedText, q),
        ...where(asked),
      ])}
    ) as l
  )`.as('matched');
  const found = db
    .selectFrom(matched)
    .selectAll()
    .where(
      and([
        minPrice !== undefined && sql`price >= ${minPrice}`,
        maxPrice !== undefined && sql`price <= ${maxPrice}`,
        near?.radiusKm !== undefined && sql`distance_km <= ${near.radiusKm}`,
      ]),
    )
    .orderBy(ORDER[sort]);
  return (await pageOf(found, search)) as Page<FoundListing<P>>;
};
