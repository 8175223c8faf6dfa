/** Hotels: searched by guests, edited by owners and admins. */
import { Type } from '@sinclair/typebox';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { Nullable, OneOf } from '../../domain/core/schema.ts';
import { arrayText, objectText, withFields } from '../../infra/jsonText.ts';
import { hotelSorts } from '../../projections/catalog/hotelQuery.ts';
import { hotels } from '../../projections/catalog/listings.ts';
import { tellRevision } from '../http/conditional.ts';
import { Favorable } from '../http/favorite.ts';
import { ListOf, pagingOf, pagingQuery, textListOf } from '../http/paging.ts';
import { ById, type DeclaredRoute, route } from '../http/route.ts';
import { findAvailability, findHotel, findHotels, findRooms, hotelFilters } from './hotelQueries.ts';
import {
  Availability,
  FoundHotelReply,
  foundHotelOf,
  Hotel,
  hotelOf,
  OwnHotel,
  offeredRoomOf,
  ownHotelOf,
  Room,
} from './hotelWire.ts';
import { nearOf, nearQuery } from './listingQueries.ts';
import { editRoutes, ONE } from './listings.ts';
import { datesOf, stayQuery } from './stays.ts';

/** Revalidated on every use, so that an owner sees a change at once. */
const cache = { maxAge: 0 };

const HotelWithRooms = Favorable(
  Type.Object({
    ...Hotel.properties,
    rooms: Type.Array(Favorable(Room, 'room')),
    availability: Nullable(Availability),
  }),
  'hotel',
  'HotelWithRooms',
);

const listHotels = route('GET /api/v1/hotels', {
  id: 'listHotels',
  access: 'public',
  summary: 'List hotels',
  description: 'With dates, only hotels with a free room are listed, and `min_price` is the price for these dates.',
  query: Type.Object({
    ...hotelFilters,
    ...nearQuery,
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Full-text search by words or beginnings of words.' }),
    ),
    sort: Type.Optional(OneOf(hotelSorts, { default: 'name' })),
  }),
  reply: ListOf(Favorable(FoundHotelReply, 'hotel', 'FoundHotel')),
  cache,
  handle: async ({ query, context }, app) => {
    const { q, sort = 'name' } = query;
    const near = nearOf(query);
    const { rows, total } = await findHotels(app, context.at, query, {
      sort,
      ...(q !== undefined && { q }),
      ...(near && { near }),
    });
    return textListOf({ rows: rows.map(foundHotelOf), total }, pagingOf(query));
  },
});

const getHotel = route('GET /api/v1/hotels/:id', {
  id: 'getHotel',
  access: 'public',
  summary: 'Get a hotel with its rooms',
  description:
    'With dates, `availability` has the offer of each room. For `If-Match`, only changes of the hotel itself count, not those of its rooms.',
  params: ById,
  query: Type.Object({
    check_in: Type.Optional({ ...stayQuery.check_in, description: 'With `check_out`: the dates of a stay.' }),
    check_out: Type.Optional(stayQuery.check_out),
    guests: stayQuery.guests,
  }),
  reply: HotelWithRooms,
  errors: ['not_found'],
  cache: ONE,
  handle: async ({ params: { id }, query, caller, context: { at }, request }, app) => {
    const dates = datesOf(query, at);
    const [hotel, offered, availability] = await Promise.all([
      findHotel(app, at, id),
      findRooms(app, at, id),
      dates ? findAvailability(app, at, id, { ...dates, guests: query.guests ?? 1 }, caller) : null,
    ]);
    tellRevision(request, hotel.revision);
    const onDates = new Map(
      availability?.rooms.map(({ room_id, available, price }) => [
        room_id,
        { availability: available, min_price_minor: available && price ? price.avg_per_night_minor : null },
      ]),
    );
    const rooms = offered.map((room) => objectText(offeredRoomOf({ ...room, ...onDates.get(room.id) })));
    return withFields(hotelOf(hotel), { rooms: arrayText(rooms), availability });
  },
});

const listOwnHotels = route('GET /api/v1/provider/hotels', {
  id: 'listOwnHotels',
  access: 'provider',
  harm: { none: 'shows what everybody sees, and drafts' },
  summary: 'List own hotels',
  description: 'Includes closed ones.',
  query: Type.Object(pagingQuery),
  reply: ListOf(OwnHotel),
  handle: async ({ query, caller, context }, app) => {
    const { rows, total } = await findHotels(app, context.at, query, { ownerId: caller.id });
    return textListOf({ rows: rows.map(ownHotelOf), total }, pagingOf(query));
  },
});

export const hotelRoutes: readonly DeclaredRoute[] = [
  listHotels,
  getHotel,
  listOwnHotels,
  ...editRoutes({ path: 'hotels', one: 'Hotel', kind: listingKinds.hotel, model: hotels }),
];
