/** Queries that all kinds of listing share. */
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import { notFound } from '../../domain/core/decider.ts';
import { rounded } from '../../domain/core/numbers.ts';
import { Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import {
  type FoundListing,
  listingSorts,
  publishedListing,
  type Searched,
  searchListings,
} from '../../projections/catalog/listingSearch.ts';
import type { Near } from '../../projections/catalog/sql.ts';
import type { App } from '../http/app.ts';
import { refuseQuery } from '../http/errors.ts';
import { pagingOf, pagingQuery } from '../http/paging.ts';

const Amount = Type.Number({ minimum: 0, maximum: 1e12 });
const Paged = Type.Object(pagingQuery);

/** Search around a location. */
export const nearQuery = {
  lat: Type.Optional(
    Type.Number({
      minimum: -90,
      maximum: 90,
      description: 'With `lon`: a location, from which `distance_km` is measured.',
    }),
  ),
  lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  radius_km: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 20_100, description: 'Only listings within this distance.' }),
  ),
};
/** The distance from the given location, rounded to metres; null without a location. */
export const Distance = Nullable(Type.Number({ description: 'Distance from the given location in kilometres.' }));
export const distanceOf = ({ distance_km: km }: { readonly distance_km: number | null }): number | null =>
  rounded(km, 3);

const words = {
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Full-text search by words or beginnings of words.' }),
  ),
  city: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Case does not matter.' })),
  company_id: Type.Optional({ ...Uuid, description: 'Only listings of the owner of this company.' }),
};
const priceQuery = {
  min_price: Type.Optional({ ...Amount, description: 'Lowest `min_price`, in the currency of the listing.' }),
  max_price: Type.Optional({ ...Amount, description: 'Highest `min_price`.' }),
};

const Common = Type.Object({
  ...words,
  ...nearQuery,
  ...priceQuery,
  ...pagingQuery,
  sort: Type.Optional(OneOf(listingSorts)),
});
/** The query of a list, its own filters `F` included. */
export type ListingQuery<F extends TProperties> = Static<typeof Common> & Static<TObject<F>>;
/** Its schema. Which fields it has depends on the kind; TypeBox cannot derive the static type from that. */
interface ListingQuerySchema<F extends TProperties> extends TObject {
  static: ListingQuery<F>;
}

/** The schema of the query of one kind. */
export const listingQuery = <P extends TProperties, F extends TProperties>({
  filters,
  price,
}: Searched<P, F>): ListingQuerySchema<F> => {
  const sorts = price ? listingSorts : listingSorts.filter((sort) => !sort.endsWith('price'));
  return Type.Object({
    ...words,
    ...nearQuery,
    ...(price && priceQuery),
    ...filters,
    sort: Type.Optional(OneOf(sorts, { default: 'name' })),
    ...pagingQuery,
  }) as TObject as ListingQuerySchema<F>;
};

/** Both coordinates or none. @throws HttpError 422 */
export const nearOf = ({
  lat,
  lon,
  radius_km: radiusKm,
  sort,
}: {
  lat?: number;
  lon?: number;
  radius_km?: number;
  sort?: string;
}): Near | undefined => {
  if (lat !== undefined && lon !== undefined) return { lat, lon, ...(radiusKm !== undefined && { radiusKm }) };
  if (lat !== undefined) return refuseQuery('lon', 'required', 'is required together with lat');
  if (lon !== undefined) return refuseQuery('lat', 'required', 'is required together with lon');
  if (radiusKm !== undefined) return refuseQuery('lat', 'required', 'and lon are required together with radius_km');
  if (sort === 'distance') return refuseQuery('lat', 'required', 'and lon are required to sort by distance');
  return undefined;
};

/** A page of published listings. @throws HttpError 422 for an incomplete location */
export const findListings = <P extends TProperties, F extends TProperties>(
  app: App,
  kind: Searched<P, F>,
  query: ListingQuery<F>,
) => {
  const { q, city, company_id: companyId, min_price: minPrice, max_price: maxPrice, sort = 'name' } = query;
  const filters = { q, city, companyId, minPrice, maxPrice, asked: query, near: nearOf(query) };
  return searchListings(app.db, kind, { ...filters, sort, ...pagingOf(query) });
};

/** No filter of a kind is required. */
const noFilters = <F extends TProperties>() => ({}) as Static<TObject<F>>;

/** A page of an owner's listings, closed ones too. */
export const findOwnListings = <P extends TProperties, F extends TProperties>(
  app: App,
  kind: Searched<P, F>,
  query: Static<typeof Paged>,
  ownerId: string,
) => searchListings(app.db, kind, { ownerId, asked: noFilters<F>(), sort: 'name', ...pagingOf(query) });

/** A published listing. @throws Rejected `not_found` */
export const findListing = async <P extends TProperties, F extends TProperties>(
  app: App,
  kind: Searched<P, F>,
  id: string,
): Promise<FoundListing> => {
  const { rows } = await searchListings(app.db, kind, {
    id,
    asked: noFilters<F>(),
    sort: 'name',
    page: 1,
    perPage: 1,
  });
  if (!rows[0]) throw notFound(kind.model.entity);
  return rows[0];
};

/** A published listing with all its columns. @throws Rejected `not_found` */
export const findWholeListing = async <P extends TProperties, F extends TProperties>(
  app: App,
  kind: Searched<P, F>,
  id: string,
) => {
  const found = await publishedListing(app.db, kind.model, id);
  if (!found) throw notFound(kind.model.entity);
  return found;
};
