/** Room types and their nights: edited and priced by owners and admins. */
import { type Static, Type } from '@sinclair/typebox';
import type { Identified } from '../../commands/catalog/listings.ts';
import { addRoom, changeRoom, priceNights } from '../../commands/catalog/rooms.ts';
import { MAX_RANGES, NightRange, type Room as RoomState, termsAt } from '../../domain/catalog/room.ts';
import { Currency, Nullable, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { roomNights } from '../../projections/catalog/roomNights.ts';
import { rooms } from '../../projections/catalog/rooms.ts';
import { OFFERS } from '../http/harm.ts';
import { ById, route } from '../http/route.ts';
import { EditedRoom, Night, nightOf, RoomInput, roomOf } from './hotelWire.ts';

const editedRoom = ({
  nights: _,
  ownerId: __,
  nightPriceMinor: ___,
  hotelId,
  ...room
}: Identified<RoomState>): Static<typeof EditedRoom> => roomOf({ ...toSnake(room), hotel_id: hotelId ?? '' });

const { description: about, amenities: comforts, images: pictures, ...requiredOfRoom } = RoomInput.properties;
const optionalOfRoom = Type.Partial(
  Type.Object({ description: about, amenities: comforts, images: pictures }),
).properties;

const postRoom = route('POST /api/v1/hotels/:id/rooms', {
  id: 'createRoom',
  access: 'provider',
  harm: OFFERS,
  summary: 'Create a room type',
  description:
    '`price_per_night` is the price of nights without one of their own, and sells them; 0 does not: then each night needs a price. `PUT /rooms/{id}/nights` sets the prices and rules of nights.',
  params: ById,
  body: Type.Object({ ...requiredOfRoom, ...optionalOfRoom }, { $id: 'NewRoom' }),
  reply: EditedRoom,
  status: 201,
  errors: ['not_found', 'invalid'],
  projections: [rooms],
  handle: async ({ params, body, context }, app) =>
    editedRoom(
      await addRoom(app, context, params.id, { description: '', amenities: [], images: [], ...toCamel(body) }),
    ),
});

const patchRoom = route('PATCH /api/v1/rooms/:id', {
  id: 'updateRoom',
  access: 'provider',
  harm: OFFERS,
  summary: 'Update a room type',
  description:
    'Fields that are left out keep their values. Lowering `units` does not cancel existing bookings. `price_per_night` changes the price of nights without one of their own. In rooms that were added before this release, such nights are not for sale until it is sent, also when it stays the same.',
  params: ById,
  body: Type.Partial(RoomInput, { minProperties: 1, $id: 'RoomUpdate' }),
  reply: EditedRoom,
  errors: ['not_found', 'invalid'],
  projections: [rooms],
  handle: async ({ params, body, context }, app) =>
    editedRoom(await changeRoom(app, context, params.id, toCamel(body))),
});

const { price_minor: _minor, ...range } = snakeSchema(NightRange).properties;
const Price = Type.Number({
  minimum: 0,
  description: 'In major units of the currency of the hotel. null: not for sale.',
});

const putNights = route('PUT /api/v1/rooms/:id/nights', {
  id: 'setRoomNights',
  access: 'provider',
  harm: OFFERS,
  summary: 'Set prices and rules of nights',
  description:
    'A range covers the nights from `from` until before `to`, or only the given weekdays. Values that are left out stay as they are, null removes a value, and later ranges override earlier ones. All ranges are applied, or none. The reply has every night between the first and the last date.',
  params: ById,
  body: Type.Object({
    ranges: Type.Array(Type.Object({ ...range, price: Type.Optional(Nullable(Price)) }, { $id: 'NightRange' }), {
      minItems: 1,
      maxItems: MAX_RANGES,
    }),
  }),
  reply: Type.Object({ room_id: Uuid, currency: Currency, nights: Type.Array(Night) }),
  errors: ['not_found', 'invalid'],
  projections: [roomNights],
  handle: async ({ params: { id }, body, context }, app) => {
    const priced = await priceNights(app, context, id, toCamel(body.ranges));
    const { nights, currency } = priced;
    const from = body.ranges.map((one) => one.from).toSorted()[0] ?? '';
    const to =
      body.ranges
        .map((one) => one.to)
        .toSorted()
        .at(-1) ?? '';
    const shown = [...nights.keys()].filter((date) => from <= date && date < to).sort();
    return { room_id: id, currency, nights: shown.map((date) => nightOf(date, termsAt(priced, date), currency)) };
  },
});

export const roomRoutes = [postRoom, patchRoom, putNights];
