/** Search for listings of one kind by their properties, place and price. Prices are in each listing's own currency. */
import type { Static, TObject, TProperties } from '@sinclair/typebox';
import { sql } from 'kysely';
import { foldedText } from '../../domain/core/folded.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { type Page, type Paging, pageStatement } from '../engine/paging.ts';
import { type ReadDb, tableName, tableOf } from '../engine/readDb.ts';
import type { ReadModel } from '../engine/readModel.ts';
import { basesOf, type Found } from '../engine/replies.ts';
import { computed } from '../engine/statements.ts';
import { type CommonRow, companies, type ListingModel } from './listings.ts';
import { joinRating, type Rated, ratedColumns } from './ratings.ts';
import { and, type Condition, hasWords, kilometresTo, type Near, type Sql } from './sql.ts';

/** `rating`: the best first. */
export const listingSorts = ['name', 'price', '-price', 'distance', 'rating'] as const;
export type ListingSort = (typeof listingSorts)[number];

/** How one kind is searched. The SQL refers to the columns of its table; values are only passed on (see `statement`). */
interface SearchedKind<P extends TProperties, F extends TProperties> {
  readonly model: ListingModel<P>;
  /** Optional query fields that only this kind has. */
  readonly filters: F;
  readonly where: (asked: Static<TObject<F>>) => readonly Condition[];
  /** The lowest price in minor units, for these filters; null if the kind has no price. */
  readonly price: ((asked: Static<TObject<F>>) => Sql) | null;
  /** The column that names what is rated: the listing itself unless given. */
  readonly ratedBy?: 'id' | 'owner_id';
  /** Its places. A distance is measured to the nearest one. */
  readonly locations: readonly string[];
}

interface Filters<Asked> {
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
}

export interface ListingSearch<Asked> extends Filters<Asked>, Paging {
  readonly sort: ListingSort;
}

/** What is reckoned for a search. */
interface Matched {
  /** null: the kind has no price. */
  readonly min_price_minor: number | null;
  /** null: the search names no place. */
  readonly distance_km: number | null;
}
/** A listing as a search finds it. */
export interface FoundListing
  extends Pick<CommonRow, 'id' | 'owner_id' | 'status' | 'currency' | 'revision'>,
    Rated,
    Matched {
  /** What everybody sees of it, beside what is reckoned for the search. */
  readonly form: JsonText<object>;
}

const ORDER: Readonly<Record<ListingSort, Sql>> = {
  name: sql`folded_name, id`,
  price: sql`price nulls last, folded_name, id`,
  '-price': sql`price desc nulls last, folded_name, id`,
  distance: sql`distance_km nulls last, folded_name, id`,
  rating: sql`rating desc nulls last, folded_name, id`,
};

const publishedCompany = (companyId: string): Sql =>
  sql`owner_id = (select c.owner_id from ${tableOf(companies)} c where c.id = ${companyId} and c.status = 'published')`;

const distanceFrom = (near: Near, locations: readonly string[]): Sql =>
  sql`least(${sql.join(locations.map((location) => kilometresTo(location, near)))})`;

const pagesOf = <P extends TProperties, F extends TProperties>({
  model,
  where,
  price,
  locations,
  ratedBy = 'id',
}: SearchedKind<P, F>) =>
  pageStatement((db, search: Filters<Static<TObject<F>>>, { sort }: { readonly sort: ListingSort }) => {
    const { id, ownerId, companyId, q, city, near, minPrice, maxPrice, asked } = search;
    const matched = sql<CommonRow & Rated & Matched & Found>`(
      select *, min_price_minor::float8 / minor_per_major as price from (
        select *, ${price?.(asked) ?? sql`null::bigint`} as min_price_minor,
          ${near ? distanceFrom(near, locations) : sql`null::float8`} as distance_km, ${ratedColumns}
        from ${sql.raw(tableName(model.name))} ${joinRating(ratedBy)}
        where ${and([
          id !== undefined && sql`id = ${id}`,
          ownerId === undefined ? sql`status = 'published'` : sql`owner_id = ${ownerId}`,
          companyId !== undefined && publishedCompany(companyId),
          city !== undefined && sql`folded_city = ${computed(city, foldedText)}`,
          q !== undefined && hasWords('folded_words', q),
          ...where(asked),
        ])}
      ) as l
    )`.as('matched');
    return db
      .selectFrom(matched)
      .select([
        'id',
        'owner_id',
        'status',
        'currency',
        'revision',
        'min_price_minor',
        'distance_km',
        'rating',
        'reviews_count',
        'wire',
      ])
      .where(
        and([
          minPrice !== undefined && sql`price >= ${minPrice}`,
          maxPrice !== undefined && sql`price <= ${maxPrice}`,
          near?.radiusKm !== undefined && sql`distance_km <= ${near.radiusKm}`,
        ]),
      )
      .orderBy(ORDER[sort]);
  });

/** A kind, with its search. */
export interface Searched<P extends TProperties = TProperties, F extends TProperties = TProperties>
  extends SearchedKind<P, F> {
  readonly pages: ReturnType<typeof pagesOf<P, F>>;
}
export const searched = <P extends TProperties, F extends TProperties>(kind: SearchedKind<P, F>): Searched<P, F> => ({
  ...kind,
  pages: pagesOf(kind),
});

/** One page of the results and their total number. Past the end, the page is empty. */
export const searchListings = async <P extends TProperties, F extends TProperties>(
  db: ReadDb,
  { model, pages }: Searched<P, F>,
  { sort, page, perPage, ...filters }: ListingSearch<Static<TObject<F>>>,
): Promise<Page<FoundListing>> => {
  const { rows, total } = await pages(db, filters, { sort }, { page, perPage });
  return { rows: await withForms(db, model, reckonedThere(rows)), total };
};

/** A row that was found, and what was reckoned for it: by the same query, or in memory. */
interface FoundRow {
  readonly row: Found & Omit<FoundListing, 'form' | keyof Matched>;
  readonly match: Matched;
}

/** Of a query that has also reckoned. */
const reckonedThere = <Row>(rows: readonly Row[]) => rows.map((row) => ({ row, match: row }));

/** Listings that were found, with their stored forms. */
export const withForms = async (db: ReadDb, model: ReadModel, found: readonly FoundRow[]): Promise<FoundListing[]> => {
  const rows = found.map(({ row }) => row);
  const forms = await basesOf(db, model, rows, () => 'guest');
  // Field by field: to spread the rows took a sixth of the time of a list.
  return found.map(({ row, match }, n) => ({
    id: row.id,
    owner_id: row.owner_id,
    status: row.status,
    currency: row.currency,
    revision: row.revision,
    rating: row.rating,
    reviews_count: row.reviews_count,
    min_price_minor: match.min_price_minor,
    distance_km: match.distance_km,
    form: forms[n] as JsonText<object>,
  }));
};

/** A published listing with all its columns. */
export const publishedListing = async <P extends TProperties>(
  db: ReadDb,
  model: ListingModel<P>,
  id: string,
): Promise<(CommonRow & ListingModel<P>['row']['static']) | undefined> => {
  const columns = sql.join(Object.keys(model.row.properties).map((column) => sql.ref(column)));
  const { rows } = await sql<CommonRow & ListingModel<P>['row']['static']>`
    select ${columns} from ${tableOf(model)} where id = ${id} and status = 'published'`.execute(db);
  return rows[0];
};
