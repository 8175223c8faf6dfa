/**
 * One row for each room and night: price, rules, and how many are taken. Prices come from the room and holds from its
 * inventory, in any order. A night that was never priced has a row only if it is held.
 */
import { type Static, Type } from '@sinclair/typebox';
import { covers, NightTerms, nightsOf, termsSetBy, UNPRICED } from '../../domain/catalog/room.ts';
import { DateOnly, Nullable, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { readModel } from '../engine/readModel.ts';
import { heldColumns, isNight, withHold, withoutHold } from './holds.ts';

const Row = Type.Object({
  room_id: Uuid,
  night: DateOnly,
  /** null: the night is held but was never priced. */
  hotel_id: Nullable(Uuid),
  ...snakeSchema(NightTerms).properties,
  ...heldColumns,
});
export type RoomNightRow = Static<typeof Row>;
type Key = Pick<RoomNightRow, 'room_id' | 'night'>;

const blank = (key: Key): RoomNightRow => ({ ...key, hotel_id: null, ...toSnake(UNPRICED), holds: {}, taken: 0 });

const heldNights = ({ streamId, data }: { streamId: string; data: { keys: readonly string[] } }): Key[] =>
  data.keys.filter(isNight).map((night) => ({ room_id: streamId, night }));

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
      fold: (row, { data }, key) => {
        const before = row ?? blank(key);
        return { ...before, ...withHold(before, data) };
      },
    },
    HoldReleased: {
      keys: heldNights,
      fold: (row, { data }, key) => {
        const before = row ?? blank(key);
        return { ...before, ...withoutHold(before, data) };
      },
    },
  },
  // Each index has all columns that its query needs, so that the table itself is not read: the lowest price of a hotel
  // from today on, and all rooms on some dates.
  indexes: [
    'hotel_id, price_minor, night, room_id, taken, stop_sell',
    'night, room_id, price_minor, taken, stop_sell, min_stay, max_stay, closed_to_arrival, closed_to_departure',
  ],
  entity: 'room_night',
});
