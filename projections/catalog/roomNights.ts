/**
 * One row for each room and night: price, rules, and how many are taken. Prices come from the room and holds from its
 * inventory, in any order. A night for which nothing was set has a row only if it is held.
 */
import { type Static, Type } from '@sinclair/typebox';
import {
  covers,
  type NightRange,
  NightTerms,
  nightsOf,
  type OwnTerms,
  termsSetBy,
  UNPRICED,
} from '../../domain/catalog/room.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { DateOnly, Uuid } from '../../domain/core/schema.ts';
import type { EventOf } from '../../domain/modules.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { readModel } from '../engine/readModel.ts';
import { isNight, takenAfter } from './holds.ts';

const Row = Type.Object({
  room_id: Uuid,
  night: DateOnly,
  ...snakeSchema(NightTerms).properties,
  /** Whether a price was set for the night, or that it is not for sale; otherwise it has the price of the room. */
  has_price: Type.Boolean(),
  /** How many are held or booked. */
  taken: Type.Integer(),
});
export type RoomNightRow = Static<typeof Row>;
type Key = Pick<RoomNightRow, 'room_id' | 'night'>;

/** What was set for a night, as the domain has it; field by field, as `termsOf`. */
export const ownTermsOf = (row: Omit<RoomNightRow, 'room_id' | 'night' | 'taken'>): OwnTerms => {
  const own: OwnTerms = {
    stopSell: row.stop_sell,
    minStay: row.min_stay,
    maxStay: row.max_stay,
    closedToArrival: row.closed_to_arrival,
    closedToDeparture: row.closed_to_departure,
  };
  if (row.has_price) own.priceMinor = row.price_minor;
  return own;
};

const unpriced = { ...toSnake(UNPRICED), has_price: false, taken: 0 };
const blank = ({ room_id, night }: Key): RoomNightRow => ({ room_id, night, ...unpriced });

/** The columns that each range of an event sets: made once, because a range can price a year of nights. */
const columns = new WeakMap<NightRange, object>();
const columnsSetBy = (range: NightRange): object => {
  const made = columns.get(range) ?? {
    ...toSnake(termsSetBy(range)),
    ...(range.priceMinor !== undefined && { has_price: true }),
  };
  columns.set(range, made);
  return made;
};

const heldNights = ({ streamId, data }: { streamId: string; data: { keys: readonly string[] } }): Key[] =>
  data.keys.filter(isNight).map((night) => ({ room_id: streamId, night }));

const withTaken = (
  row: RoomNightRow | undefined,
  event: Recorded<EventOf<'HoldPlaced' | 'HoldReleased'>>,
  key: Key,
): RoomNightRow => {
  const before = row ?? blank(key);
  return { ...before, taken: takenAfter(before.taken, key.night, event) };
};

/** The nights of each room as a range: `<room> <first> <last>`. */
const nightsByRoom = (keys: readonly Key[]): string[] => {
  const ranges = new Map<string, { first: string; last: string }>();
  for (const { room_id, night } of keys) {
    const { first = night, last = night } = ranges.get(room_id) ?? {};
    ranges.set(room_id, { first: night < first ? night : first, last: night > last ? night : last });
  }
  return [...ranges].map(([room, { first, last }]) => `${room} ${first} ${last}`);
};

export const roomNights = readModel('room_nights', {
  version: 4,
  row: Row,
  key: ['room_id', 'night'],
  on: {
    RoomNightsPriced: {
      keys: ({ streamId, data }) =>
        [...new Set(data.ranges.flatMap(nightsOf))].map((night) => ({ room_id: streamId, night })),
      fold: (row, { data }, key) => {
        const priced = { ...(row ?? blank(key)) };
        for (const range of data.ranges) if (covers(range, key.night)) Object.assign(priced, columnsSetBy(range));
        return priced;
      },
    },
    HoldPlaced: { keys: heldNights, fold: withTaken },
    HoldReleased: { keys: heldNights, fold: withTaken },
  },
  announce: (keys) => nightsByRoom(keys),
  entity: 'room_night',
});
