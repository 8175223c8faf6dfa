/** Hotels: searched by guests, edited by owners and admins. */
import { type Static, Type } from '@sinclair/typebox';
import { addHotel, changeHotel, type Identified } from '../../commands/catalog/hotels.ts';
import { ownerFor } from '../../commands/catalog/owners.ts';
import { HotelDetails, type Hotel as HotelState, hotel, hotelStatuses } from '../../domain/catalog/hotel.ts';
import { Currency, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { hotelSorts } from '../../projections/catalog/hotelSearch.ts';
import { hotels } from '../../projections/catalog/hotels.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { findAvailability, findHotel, findHotels, findRooms, hotelFilters } from './hotelQueries.ts';
import {
  Availability,
  ChargeInput,
  chargesFrom,
  EditedHotel,
  Hotel,
  hotelOf,
  OwnHotel,
  offeredRoomOf,
  ownHotelOf,
  Room,
  withCharges,
} from './hotelWire.ts';
import { Distance, distanceOf, nearOf, nearQuery } from './listingQueries.ts';
import { datesOf, stayQuery } from './stays.ts';

const idParams = Type.Object({ id: Uuid });
/** Revalidated on every use, so that an owner sees a change at once. */
const cache = { maxAge: 0 };

const FoundHotel = Type.Object({ ...Hotel.properties, distance_km: Distance }, { $id: 'FoundHotel' });
const HotelWithRooms = Type.Object(
  { ...Hotel.properties, rooms: Type.Array(Room), availability: Nullable(Availability) },
  { $id: 'HotelWithRooms' },
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
  reply: ListOf(FoundHotel),
  cache,
  handle: async ({ query, context }, app) => {
    const { q, sort = 'name' } = query;
    const near = nearOf(query);
    const { rows, total } = await findHotels(app, context.at, query, {
      sort,
      ...(q !== undefined && { q }),
      ...(near && { near }),
    });
    const shown = rows.map((hotel) => ({ ...hotelOf(hotel), distance_km: distanceOf(hotel) }));
    return listOf({ rows: shown, total }, pagingOf(query));
  },
});

const getHotel = route('GET /api/v1/hotels/:id', {
  id: 'getHotel',
  access: 'public',
  summary: 'Get a hotel with its rooms',
  description: 'With dates, `availability` has the offer of each room.',
  params: idParams,
  query: Type.Object({
    check_in: hotelFilters.check_in,
    check_out: hotelFilters.check_out,
    guests: stayQuery.guests,
  }),
  reply: HotelWithRooms,
  errors: ['not_found'],
  cache,
  handle: async ({ params: { id }, query, context: { at } }, app) => {
    const dates = datesOf(query, at);
    const [hotel, offered, availability] = await Promise.all([
      findHotel(app, at, id),
      findRooms(app, at, id),
      dates ? findAvailability(app, at, id, { ...dates, guests: query.guests ?? 1 }) : null,
    ]);
    const can = new Map(availability?.rooms.map((room) => [room.room_id, room.available]));
    const shown = offered.map((room) => ({ ...room, availability: can.get(room.id) ?? room.availability }));
    return { ...hotelOf(hotel), rooms: shown.map(offeredRoomOf), availability };
  },
});

const listOwnHotels = route('GET /api/v1/provider/hotels', {
  id: 'listOwnHotels',
  access: 'provider',
  summary: 'List own hotels',
  description: 'Includes closed ones.',
  query: Type.Object(pagingQuery),
  reply: ListOf(OwnHotel),
  handle: async ({ query, caller, context }, app) => {
    const { rows, total } = await findHotels(app, context.at, query, { ownerId: caller.id });
    return listOf({ rows: rows.map(ownHotelOf), total }, pagingOf(query));
  },
});

const { charges: chargeList, ...stored } = snakeSchema(HotelDetails).properties;
const Details = { ...stored, charges: Type.Array(ChargeInput, { maxItems: chargeList.maxItems ?? 0 }) };
const Status = OneOf(hotelStatuses, { description: 'A `closed` hotel is not listed and cannot be booked.' });
const { description, amenities, images, cancellation_policy, charges, ...required } = Details;
const optional = Type.Partial(Type.Object({ description, amenities, images, cancellation_policy, charges })).properties;

const editedHotel = ({ id, ...changed }: Identified<HotelState>): Static<typeof EditedHotel> => ({
  id,
  ...withCharges(toSnake(changed)),
  status: changed.status === 'published' ? 'published' : 'closed',
});

const hoteliers = { owners: ['hotelier'], things: 'hotels' } as const;

const postHotel = route('POST /api/v1/hotels', {
  id: 'createHotel',
  access: 'provider',
  summary: 'Create a hotel',
  body: Type.Object(
    {
      ...required,
      ...optional,
      timezone: Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Moscow'] }),
      currency: Currency,
      owner_id: Type.Optional({ ...Uuid, description: 'Admins only. Default: the caller.' }),
      status: Type.Optional(Status),
    },
    { $id: 'NewHotel' },
  ),
  reply: EditedHotel,
  status: 201,
  errors: ['invalid', 'insufficient_rights'],
  projections: [hotels],
  idempotent: true,
  handle: async ({ body, caller, context }, app) => {
    const { charges = [], ...rest } = body;
    const { ownerId, ...details } = toCamel(rest);
    return editedHotel(
      await addHotel(app, context, {
        description: '',
        amenities: [],
        images: [],
        cancellationPolicy: 'flexible',
        ...details,
        charges: chargesFrom(charges, body.currency),
        ownerId: await ownerFor(app, caller, ownerId, hoteliers),
      }),
    );
  },
});

const patchHotel = route('PATCH /api/v1/hotels/:id', {
  id: 'updateHotel',
  access: 'provider',
  summary: 'Update a hotel',
  description: 'Fields that are left out keep their values. The time zone and the currency cannot be changed.',
  params: idParams,
  body: Type.Partial(Type.Object({ ...Details, status: Status }), { minProperties: 1, $id: 'HotelUpdate' }),
  reply: EditedHotel,
  errors: ['not_found'],
  projections: [hotels],
  handle: async ({ params, body: { charges, ...rest }, context }, app) => {
    const change = toCamel(rest);
    if (charges === undefined) return editedHotel(await changeHotel(app, context, params.id, change));
    const { currency } = (await app.aggregates.load(hotel, params.id)).state;
    const amounts = { charges: chargesFrom(charges, currency) };
    return editedHotel(await changeHotel(app, context, params.id, { ...change, ...amounts }));
  },
});

const deleteHotel = route('DELETE /api/v1/hotels/:id', {
  id: 'closeHotel',
  access: 'provider',
  summary: 'Close a hotel',
  description:
    'The hotel is no longer listed and cannot be booked. Existing bookings stay valid. Reopen it with `PATCH` and `status: published`.',
  params: idParams,
  reply: Type.Null(),
  status: 204,
  errors: ['not_found'],
  projections: [hotels],
  handle: async ({ params, context }, app) => {
    await changeHotel(app, context, params.id, { status: 'closed' });
    return null;
  },
});

export const hotelRoutes = [listHotels, getHotel, listOwnHotels, postHotel, patchHotel, deleteHotel];
