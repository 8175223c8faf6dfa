/** Which hotels of a search are on its page: by their prices where the search asks for them, in its order. */
import type { HotelSearch } from './hotelQuery.ts';

export interface PricedHotel {
  readonly id: string;
  readonly stars: number;
  readonly minor_per_major: number;
  /** The average of its reviews; null without reviews. */
  readonly rating: number | null;
}

export interface Prices<H> {
  /** The lowest price a night, in minor units; null: no room can be booked. undefined: the hotel cannot be shown. */
  priceOf(hotel: H): number | null | undefined;
  /** null: the search names no place. */
  distanceOf(hotel: H): number | null;
}

export interface FoundPage {
  readonly total: number;
  readonly page: readonly {
    readonly id: string;
    /** null: no room can be booked. */
    readonly min_price_minor: number | null;
    /** null: the search names no place. */
    readonly distance_km: number | null;
  }[];
}

interface Candidate<H> {
  readonly hotel: H;
  readonly minor: number | null;
  /** In major units. */
  readonly price: number | null;
  readonly distance: number | null;
}

type Compare = (a: Candidate<PricedHotel>, b: Candidate<PricedHotel>) => number;
/** Nulls last in both directions. Candidates come in the order of their names, and sorting keeps it among equals. */
const by =
  (value: (candidate: Candidate<PricedHotel>) => number | null, direction: 1 | -1 = 1): Compare =>
  (a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return direction * (left - right);
  };
const ORDER: Readonly<Record<HotelSearch['sort'], Compare | undefined>> = {
  name: undefined,
  price: by(({ price }) => price),
  '-price': by(({ price }) => price, -1),
  stars: by(({ hotel }) => hotel.stars),
  '-stars': by(({ hotel }) => hotel.stars, -1),
  distance: by(({ distance }) => distance),
  rating: by(({ hotel }) => hotel.rating, -1),
};

/** Whether prices decide which hotels are found, or in which order. */
const asksForPrices = ({ stay, minPrice, maxPrice, sort }: HotelSearch): boolean =>
  stay !== undefined || minPrice !== undefined || maxPrice !== undefined || sort.endsWith('price');

const isWithin = (price: number | null, { minPrice, maxPrice }: HotelSearch): boolean => {
  if (minPrice === undefined && maxPrice === undefined) return true;
  return price !== null && price >= (minPrice ?? 0) && price <= (maxPrice ?? Number.POSITIVE_INFINITY);
};

/** @param hotels that fit in all but their prices, in the order of their names */
export const pageOf = <H extends PricedHotel>(
  search: HotelSearch,
  hotels: readonly H[],
  { priceOf, distanceOf }: Prices<H>,
): FoundPage => {
  const order = ORDER[search.sort];
  const needsPrices = asksForPrices(search);
  const [from, to] = [(search.page - 1) * search.perPage, search.page * search.perPage];
  let total = 0;
  const found: Candidate<H>[] = [];
  // In the order of their names and without prices, those beyond the page are only counted.
  for (const hotel of needsPrices || order ? hotels : hotels.slice(0, to)) {
    const minor = needsPrices ? priceOf(hotel) : null;
    if (minor === undefined) continue;
    const price = minor === null ? null : minor / hotel.minor_per_major;
    if (!isWithin(price, search)) continue;
    total += 1;
    if (order || total <= to) found.push({ hotel, minor, price, distance: distanceOf(hotel) });
  }
  if (order) found.sort(order);
  const page = found.slice(from, to).map(({ hotel, minor, distance }) => ({
    id: hotel.id,
    min_price_minor: needsPrices ? minor : (priceOf(hotel) ?? null),
    distance_km: distance,
  }));
  return { total: needsPrices ? total : hotels.length, page };
};
