/**
 * The nights of all rooms as columns of numbers, one column for each day, so that millions of nights fit in memory and a
 * stay is priced in all rooms by running along a few columns. The rules are those of `domain/catalog/pricing.ts`.
 */
import { DAY_MS } from '../../domain/core/instants.ts';

/** A night as the table has it. `day`: see `dayNumber`. */
export interface NightRow {
  readonly day: number;
  /** null: not for sale. */
  readonly price_minor: number | null;
  readonly stop_sell: boolean;
  readonly min_stay: number | null;
  readonly max_stay: number | null;
  readonly closed_to_arrival: boolean;
  readonly closed_to_departure: boolean;
  readonly taken: number;
}

export interface Nights {
  /** The number of another room. */
  addRoom(): number;
  /** Replaces the nights of a room from one day to another. `units`: how many of its kind there are. */
  set(room: number, units: number, from: number, to: number, rows: readonly NightRow[]): void;
  /** By room, the price of a stay in minor units without taxes and fees; not a number: not possible. */
  pricesOfStay(checkIn: number, nights: number): Float64Array;
  /** The lowest price of a night that is left from a day on, in minor units; `Infinity`: none. */
  lowestPrice(room: number, from: number): number;
}

/** The days from 1970-01-01 to a date (`YYYY-MM-DD`). */
export const dayNumber = (date: string): number => Date.parse(date) / DAY_MS;

/** By room. Prices are in minor units; those that do not fit are in `large`. */
interface Column {
  prices: Int32Array;
  readonly large: Map<number, number>;
  /** undefined: no room has a rule on this day. */
  rules: Uint32Array | undefined;
}

const NONE = -1;
const LARGE = -2;
const MOST = 2 ** 31 - 1;

const NO_ARRIVAL = 1;
const NO_DEPARTURE = 2;
/** Lengths of stay have 10 bits each; 0: no limit. */
const STAY = 1_023;
const MIN_STAY = 2;
const MAX_STAY = 12;

const rulesOf = (row: NightRow): number =>
  (row.closed_to_arrival ? NO_ARRIVAL : 0) |
  (row.closed_to_departure ? NO_DEPARTURE : 0) |
  ((row.min_stay ?? 0) << MIN_STAY) |
  ((row.max_stay ?? 0) << MAX_STAY);

const isArrivalAllowed = (rules: number, nights: number): boolean => {
  const longest = (rules >> MAX_STAY) & STAY;
  return !(rules & NO_ARRIVAL) && ((rules >> MIN_STAY) & STAY) <= nights && (longest === 0 || longest >= nights);
};

const longer = <A extends Int32Array | Uint32Array>(array: A, into: A): A => {
  into.set(array);
  return into;
};

/** The lowest prices that are remembered are those from this many different days on: today differs by time zone. */
const REMEMBERED = 4;

export const createNights = (): Nights => {
  const columns = new Map<number, Column>();
  let rooms = 0;
  let capacity = 1_024;
  /** From a day on → by room; not a number: not asked for yet. */
  const lowest = new Map<number, Float64Array>();

  const columnOf = (day: number): Column => {
    const known = columns.get(day);
    if (known) return known;
    const column = { prices: new Int32Array(capacity).fill(NONE), large: new Map(), rules: undefined };
    columns.set(day, column);
    return column;
  };
  const grow = (): void => {
    capacity *= 2;
    for (const column of columns.values()) {
      column.prices = longer(column.prices, new Int32Array(capacity).fill(NONE));
      if (column.rules) column.rules = longer(column.rules, new Uint32Array(capacity));
    }
    lowest.clear();
  };
  const clear = (room: number, from: number, to: number): void => {
    for (const [day, { prices, large, rules }] of columns) {
      if (day < from || day > to) continue;
      prices[room] = NONE;
      large.delete(room);
      if (rules) rules[room] = 0;
    }
  };
  const put = (room: number, units: number, row: NightRow): void => {
    const column = columnOf(row.day);
    const { price_minor: price, stop_sell, taken } = row;
    if (price !== null && !stop_sell && taken < units) {
      column.prices[room] = price > MOST ? LARGE : price;
      if (price > MOST) column.large.set(room, price);
    }
    const rules = rulesOf(row);
    if (rules === 0) return;
    column.rules ??= new Uint32Array(capacity);
    column.rules[room] = rules;
  };
  const priceIn = ({ prices, large }: Column, room: number): number => {
    const price = prices[room] ?? NONE;
    if (price >= 0) return price;
    return price === LARGE ? (large.get(room) ?? Number.NaN) : Number.NaN;
  };

  return {
    addRoom: () => {
      if (rooms === capacity) grow();
      rooms += 1;
      return rooms - 1;
    },

    set: (room, units, from, to, rows) => {
      clear(room, from, to);
      for (const row of rows) put(room, units, row);
      for (const prices of lowest.values()) prices[room] = Number.NaN;
    },

    pricesOfStay: (checkIn, nights) => {
      const sums = new Float64Array(rooms);
      for (let day = checkIn; day < checkIn + nights; day += 1) {
        const column = columns.get(day);
        if (!column) return sums.fill(Number.NaN);
        for (let room = 0; room < rooms; room += 1) sums[room] = (sums[room] ?? 0) + priceIn(column, room);
      }
      const arrivals = columns.get(checkIn)?.rules;
      const departures = columns.get(checkIn + nights)?.rules;
      for (let room = 0; arrivals && room < rooms; room += 1)
        if (!isArrivalAllowed(arrivals[room] ?? 0, nights)) sums[room] = Number.NaN;
      for (let room = 0; departures && room < rooms; room += 1)
        if ((departures[room] ?? 0) & NO_DEPARTURE) sums[room] = Number.NaN;
      return sums;
    },

    lowestPrice: (room, from) => {
      const known = lowest.get(from) ?? new Float64Array(capacity).fill(Number.NaN);
      if (!lowest.has(from)) {
        if (lowest.size === REMEMBERED) lowest.clear();
        lowest.set(from, known);
      }
      const remembered = known[room] ?? Number.NaN;
      if (!Number.isNaN(remembered)) return remembered;
      let found = Number.POSITIVE_INFINITY;
      for (const [day, column] of columns) {
        const price = day >= from ? priceIn(column, room) : Number.NaN;
        if (price < found) found = price;
      }
      known[room] = found;
      return found;
    },
  };
};
