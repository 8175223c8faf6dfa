/** Queries about hotels, shared by the public and the partner interface. */
import { type Static, Type } from '@sinclair/typebox';
import { HotelDetails } from '../../domain/catalog/hotel.ts';
import { notFound } from '../../domain/core/decider.ts';
import { hotelCalendar, offersOf, roomsOf } from '../../projections/catalog/availability.ts';
import type { HotelSearch } from '../../projections/catalog/hotelQuery.ts';
import { type FoundHotel, searchHotels } from '../../projections/catalog/hotelSearch.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { pagingOf, pagingQuery } from '../http/paging.ts';
import { type Availability, availabilityOf } from './hotelWire.ts';
import { sellsIt } from './ownStock.ts';
import { datesOf, Guests, refuseImpossible, stayQuery } from './stays.ts';

const Amount = Type.Number({ minimum: 0, maximum: 1e12 });

/** Filters of every list of hotels. */
export const hotelFilters = {
  city: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Case does not matter.' })),
  stars: Type.Optional(HotelDetails.properties.stars),
  min_price: Type.Optional({ ...Amount, description: 'Lowest `min_price`, in the currency of the hotel.' }),
  max_price: Type.Optional({ ...Amount, description: 'Highest `min_price`.' }),
  check_in: Type.Optional({ ...stayQuery.check_in, description: 'With `check_out`: only hotels with a free room.' }),
  check_out: Type.Optional(stayQuery.check_out),
  guests: Type.Optional({ ...Guests, description: 'Only hotels with a room for this many guests.' }),
  ...pagingQuery,
};
const Filters = Type.Object(hotelFilters);

/** A page of hotels. @throws HttpError 422 for impossible dates */
export const findHotels = (
  app: App,
  at: string,
  query: Static<typeof Filters>,
  more: Pick<HotelSearch, 'q' | 'ownerId' | 'near'> & Partial<Pick<HotelSearch, 'sort'>> = {},
) => {
  const { city, stars, min_price: minPrice, max_price: maxPrice, guests } = query;
  const stay = datesOf(query, at);
  const filters = { city, stars, minPrice, maxPrice, guests, stay };
  return searchHotels(app.db, { sort: 'name', ...filters, ...more, ...pagingOf(query), at });
};

/** A published hotel. @throws Rejected `not_found` */
export const findHotel = async (app: App, at: string, hotelId: string): Promise<FoundHotel> => {
  const { rows } = await searchHotels(app.db, { hotelId, at, sort: 'name', page: 1, perPage: 1 });
  if (!rows[0]) throw notFound('hotel');
  return rows[0];
};

/** The rooms of a hotel, and whether any future night is free. @throws Rejected `not_found` */
export const findRooms = async (app: App, at: string, hotelId: string) => {
  const rooms = await roomsOf(app.db, hotelId, at);
  if (!rooms) throw notFound('hotel');
  return rooms;
};

/** The offers of a hotel for a stay. @throws Rejected `not_found`; HttpError 422 for impossible dates */
export const findAvailability = async (
  app: App,
  at: string,
  hotelId: string,
  stay: { checkIn: string; checkOut: string; guests: number },
  caller: User | null = null,
): Promise<Static<typeof Availability>> => {
  refuseImpossible(stay, at);
  const calendar = await hotelCalendar(app.db, hotelId, { from: stay.checkIn, to: stay.checkOut });
  if (!calendar) throw notFound('hotel');
  refuseImpossible(stay, at, calendar.timezone);
  const offers = offersOf(calendar, { ...stay, at });
  return availabilityOf(calendar, offers, stay, sellsIt(caller, calendar));
};
