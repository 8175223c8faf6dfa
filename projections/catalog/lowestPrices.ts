/** The lowest prices at which hotels and rooms sell a night. */
import type { ReadDb } from '../engine/readDb.ts';
import { hotelIndexOf } from './followHotels.ts';

/** Hotel → the lowest price of a night in a room for the guests, in minor units; null: none. Closed ones are missing. */
export const lowestPricesOfHotels = async (
  db: ReadDb,
  ids: readonly string[],
  { at, guests }: { readonly at: string; readonly guests?: number },
): Promise<ReadonlyMap<string, number | null>> => {
  if (ids.length === 0) return new Map();
  const index = await hotelIndexOf(db, at, ids);
  const among = new Map(ids.map((id) => [id, null]));
  const { page } = index.search({ at, ...(guests && { guests }), sort: 'name', page: 1, perPage: ids.length }, among);
  return new Map(page.map(({ id, min_price_minor }) => [id, min_price_minor]));
};

/** Room → the lowest price of a night, in minor units; null: none. @param of rooms with their hotels */
export const lowestPricesOfRooms = async (
  db: ReadDb,
  of: readonly { readonly id: string; readonly hotel_id: string }[],
  at: string,
): Promise<ReadonlyMap<string, number | null>> => {
  if (of.length === 0) return new Map();
  const index = await hotelIndexOf(db, at, [...new Set(of.map(({ hotel_id }) => hotel_id))]);
  return new Map(of.map(({ id }) => [id, index.lowestPriceOf(id, at)]));
};
