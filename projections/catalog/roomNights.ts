/**
 * One row a room and night: price, rules, and how many are taken. Prices come from the room, holds from its inventory,
 * in either order; a night that was never priced has a row only when somebody holds it.
 */
import { type Static, Type } from '@sinclair/typebox';
import { covers, NightTerms, nightsOf, termsSetBy, UNPRICED } from '../../domain/catalog/room.ts';
import { DateOnly, Nullable, Uuid } from '../../domain/schema.ts';
import { snakeSchema, toSnake } from '../../ops/base/naming.ts';
import { readModel } from '../readModel.ts';

const Row = Type.Object({
  room_id: Uuid,
  night: DateOnly,
  /** null: only held so far, never priced. */
  hotel_id: Nullable(Uuid),
  ...snakeSchema(NightTerms).properties,
  /** Who has rooms of this kind on this night, by the hold's id. */
  holds: Type.Record(Type.String(), Type.Object({ booking_id: Uuid, quantity: Type.Integer() })),
  /** Rooms held or booked: what `holds` comes to. */
  taken: Type.Integer(),
});
export type RoomNightRow = Static<typeof Row>;
type Key = Pick<RoomNightRow, 'room_id' | 'night'>;
type Holds = RoomNightRow['holds'];

const blank = (key: Key): RoomNightRow => ({ ...key, hotel_id: null, ...toSnake(UNPRICED), holds: {}, taken: 0 });

/** A booking that moves has two holds for a while, which share their rooms: the most that any of them takes counts. */
const takenBy = (holds: Holds): number => {
  const byBooking = new Map<string, number>();
  for (const { booking_id, quantity } of Object.values(holds))
    byBooking.set(booking_id, Math.max(quantity, byBooking.get(booking_id) ?? 0));
  return [...byBooking.values()].reduce((sum, quantity) => sum + quantity, 0);
};

const withHolds = (row: RoomNightRow, holds: Holds): RoomNightRow => ({ ...row, holds, taken: takenBy(holds) });

const heldNights = ({ streamId, data }: { streamId: string; data: { keys: readonly string[] } }): Key[] =>
  data.keys.map((night) => ({ room_id: streamId, night }));

export const roomNights = readModel('room_nights', {
  version: 1,
  row: Row,
  key: ['room_id', 'night'],
  on: {
    RoomNightsPriced: {
      keys: ({ streamId, data }) =>
        [...new Set(data.ranges.flatMap(nightsOf))].map((night) => ({ room_id: streamId, night })),
      fold: (row, { data }, key) => ({
        ...(row ?? blank(key)),
        hotel_id: data.hotelId,
        ...Object.assign(
          {},
          ...data.ranges.filter((range) => covers(range, key.night)).map((range) => toSnake(termsSetBy(range))),
        ),
      }),
    },
    HoldPlaced: {
      keys: heldNights,
      fold: (row, { data: { holdId, bookingId, quantity } }, key) => {
        const before = row ?? blank(key);
        return withHolds(before, { ...before.holds, [holdId]: { booking_id: bookingId, quantity } });
      },
    },
    HoldReleased: {
      keys: heldNights,
      fold: (row, { data: { holdId } }, key) => {
        const before = row ?? blank(key);
        const { [holdId]: _released, ...holds } = before.holds;
        return withHolds(before, holds);
      },
    },
  },
  // Each holds all that its query asks of a night, so that the table itself is not read: a hotel's lowest price from
  // today on; all rooms on some dates.
  indexes: [
    'hotel_id, price_minor, night, room_id, taken, stop_sell',
    'night, room_id, price_minor, taken, stop_sell, min_stay, max_stay, closed_to_arrival, closed_to_departure',
  ],
  entity: 'room_night',
});
