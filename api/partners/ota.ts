/** The partner interface: read-only access to hotels, rooms and availability with an API key. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import { findAvailability, findHotel, findHotels, findRooms, hotelFilters } from '../catalog/hotelQueries.ts';
import { Availability, Hotel, hotelOf, offeredRoomOf, Room } from '../catalog/hotelWire.ts';
import { stayQuery } from '../catalog/stays.ts';
import { ListOf, pagingOf, textListOf } from '../http/paging.ts';
import { route } from '../http/route.ts';

const CATALOG = { none: 'the catalog, which everybody sees' };

const hotelParams = Type.Object({ hotel_id: Uuid });
const cache = { maxAge: 60 };

const listHotels = route('GET /ota/v1/hotels', {
  id: 'listPartnerHotels',
  access: 'scope:hotels:read',
  harm: CATALOG,
  summary: 'List hotels',
  description:
    'By name. With dates, only hotels with a free room are listed, and `min_price` is the price for these dates.',
  query: Type.Object(hotelFilters),
  reply: ListOf(Hotel),
  cache,
  handle: async ({ query, context }, app) => {
    const { rows, total } = await findHotels(app, context.at, query);
    return textListOf({ rows: rows.map(hotelOf), total }, pagingOf(query));
  },
});

const getHotel = route('GET /ota/v1/hotels/:hotel_id', {
  id: 'getPartnerHotel',
  access: 'scope:hotels:read',
  harm: CATALOG,
  summary: 'Get a hotel',
  params: hotelParams,
  reply: Hotel,
  errors: ['not_found'],
  cache,
  handle: async ({ params, context }, app) => hotelOf(await findHotel(app, context.at, params.hotel_id)),
});

const getRooms = route('GET /ota/v1/hotels/:hotel_id/rooms', {
  id: 'listPartnerRooms',
  access: 'scope:rooms:read',
  harm: CATALOG,
  summary: 'List the rooms of a hotel',
  params: hotelParams,
  reply: Type.Object({ data: Type.Array(Room) }),
  errors: ['not_found'],
  cache,
  handle: async ({ params, context }, app) => ({
    data: (await findRooms(app, context.at, params.hotel_id)).map(offeredRoomOf),
  }),
});

const getAvailability = route('GET /ota/v1/hotels/:hotel_id/availability', {
  id: 'getPartnerAvailability',
  access: 'scope:availability:read',
  harm: CATALOG,
  rate: 'availability',
  summary: 'Get the availability of a hotel',
  description: 'Lists each room with its nights and price, and the reasons if it is not available.',
  params: hotelParams,
  query: Type.Object(stayQuery),
  reply: Availability,
  errors: ['not_found'],
  cache: { maxAge: 15 },
  handle: ({ params, query: { check_in: checkIn, check_out: checkOut, guests = 1 }, context }, app) =>
    findAvailability(app, context.at, params.hotel_id, { checkIn, checkOut, guests }),
});

export const otaRoutes = [listHotels, getHotel, getRooms, getAvailability];
