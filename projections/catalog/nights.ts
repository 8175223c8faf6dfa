/**
 * The nights of all rooms as columns of numbers, one column for each day, so that millions of nights fit in memory and a
 * stay is priced in all rooms by running along a few columns. The rules are those of `domain/catalog/pricing.ts`.
 */
import { DAY_MS } from '../../domain/core/instants.ts';

/** A night as the table has it. `day`: see `dayNumber`. */
export interface NightRow {
  readonly day: number;
  /** null: not for sale, where it has a price of its own. */
  readonly price_minor: number | null;
  /** Whether it has a price of its own, and not that of the room. */
  readonly has_price: boolean;
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
  /** The price of the nights of a room that have none of their own, in minor units; null: they are not for sale. */
  setPrice(room: number, price: number | null): void;
  /** Replaces the nights of a room from one day to another. `units`: how many of its kind there are. */
  set(room: number, units: number, from: number, to: number, rows: readonly NightRow[]): void;
  /** By room, the price of a stay in minor units without taxes and fees; not a number: not possible. */
  pricesOfStay(checkIn: number, nights: number): Float64Array;
  /** The lowest price of a night that is left from a day on, before another, in minor units; `Infinity`: none. */
  lowestPrice(room: number, from: number, until: number): number;
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

/** The night has the price of the room. */
const NONE = -1;
const LARGE = -2;
/** The night is not for sale, or taken. */
const CLOSED = -3;
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
  /** By room; not a number: nights without a price of their own are not for sale. */
  let roomPrices = new Float64Array(capacity).fill(Number.NaN);
  /** Between two days → by room; not a number: not asked for yet. */
  const lowest = new Map<string, Float64Array>();

  const columnOf = (day: number): Column => {
    const known = columns.get(day);
    if (known) return known;
    const column = { prices: new Int32Array(capacity).fill(NONE), large: new Map(), rules: undefined };
    columns.set(day, column);
    return column;
  };
  const grow = (): void => {
    capacity *= 2;
    const prices = new Float64Array(capacity).fill(Number.NaN);
    prices.set(roomPrices);
    roomPrices = prices;
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
    const { price_minor: price, has_price, stop_sell, taken } = row;
    if (stop_sell || taken >= units || (has_price && price === null)) column.prices[room] = CLOSED;
    else if (has_price && price !== null) {
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
    if (price === NONE) return roomPrices[room] ?? Number.NaN;
    return price === LARGE ? (large.get(room) ?? Number.NaN) : Number.NaN;
  };

  return {
    addRoom: () => {
      if (rooms === capacity) grow();
      rooms += 1;
      return rooms - 1;
    },

    setPrice: (room, price) => {
      roomPrices[room] = price ?? Number.NaN;
      for (const prices of lowest.values()) prices[room] = Number.NaN;
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
        for (let room = 0; room < rooms; room += 1)
          sums[room] = (sums[room] ?? 0) + (column ? priceIn(column, room) : (roomPrices[room] ?? Number.NaN));
      }
      const arrivals = columns.get(checkIn)?.rules;
      const departures = columns.get(checkIn + nights)?.rules;
      for (let room = 0; arrivals && room < rooms; room += 1)
        if (!isArrivalAllowed(arrivals[room] ?? 0, nights)) sums[room] = Number.NaN;
      for (let room = 0; departures && room < rooms; room += 1)
        if ((departures[room] ?? 0) & NO_DEPARTURE) sums[room] = Number.NaN;
      return sums;
    },

    lowestPrice: (room, from, until) => {
      const days = `${from} ${until}`;
      const known = lowest.get(days) ?? new Float64Array(capacity).fill(Number.NaN);
      if (!lowest.has(days)) {
        if (lowest.size === REMEMBERED) lowest.clear();
        lowest.set(days, known);
      }
      const remembered = known[room] ?? Number.NaN;
      if (!Number.isNaN(remembered)) return remembered;
      let found = Number.POSITIVE_INFINITY;
      let own = 0;
      for (const [day, column] of columns) {
        if (day < from) continue;
        if (column.prices[room] === NONE) continue;
        if (day < until) own += 1;
        const price = priceIn(column, room);
        if (price < found) found = price;
      }
      const others = own < until - from ? (roomPrices[room] ?? Number.NaN) : Number.NaN;
      if (others < found) found = others;
      known[room] = found;
      return found;
    },
  };
};
