/**
 * The nights of all rooms as columns of numbers, one column for each day, so that millions of nights fit in memory and a
 * stay is priced in all rooms by running along a few columns. The rules of a stay (`domain/catalog/stayRules.ts`) are asked
 * when a night is set; the columns keep their answers.
 */
import { isAllowed, MAX_NIGHTS, type OfferedNight, priceIfSold } from '../../domain/catalog/stayRules.ts';
import { DAY_MS } from '../../domain/core/instants.ts';

/** `day`: see `dayNumber`. */
export interface NightOfRoom extends OfferedNight {
  readonly day: number;
}

export interface Nights {
  /** The number of another room. */
  addRoom(): number;
  /** What the nights of a room are that are not set. */
  setOthers(room: number, night: Pick<OfferedNight, 'priceMinor' | 'stopSell' | 'left'>): void;
  /** Replaces the nights of a room from one day to another. */
  set(room: number, from: number, to: number, nights: readonly NightOfRoom[]): void;
  /** By room, the price of a stay of at most `MAX_NIGHTS` in minor units without taxes and fees; not a number: not sold. */
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
  /** See `forbiddenBy`; undefined: nobody is forbidden to come or leave on this day. */
  forbidden: Uint32Array | undefined;
}

/** The night is as those that are not set. */
const NONE = -1;
const LARGE = -2;
/** The night cannot be booked. */
const CLOSED = -3;
const MOST = 2 ** 31 - 1;

/** The bit for those who leave. The bit `n` is for those who come for `n` nights. */
const LEAVING = 0;
const LENGTHS = Array.from({ length: MAX_NIGHTS }, (_, n) => n + 1);
/** Rules → `forbiddenBy`. */
const forbidden = new Map<string, number>();
const MOST_RULES = 10_000;

/** Whom the rules of a night forbid to come or to leave on it, as bits. */
const forbiddenBy = ({ minStay, maxStay, closedToArrival, closedToDeparture }: OfferedNight): number => {
  const key = `${minStay} ${maxStay} ${closedToArrival} ${closedToDeparture}`;
  const known = forbidden.get(key);
  if (known !== undefined) return known;
  let bits = isAllowed('departure', { closedToDeparture }) ? 0 : 1 << LEAVING;
  for (const nights of LENGTHS)
    if (!isAllowed('arrival', { minStay, maxStay, closedToArrival, nights })) bits |= 1 << nights;
  if (forbidden.size === MOST_RULES) forbidden.clear();
  forbidden.set(key, bits);
  return bits;
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
  /** By room; not a number: nights that are not set are not for sale. */
  let roomPrices = new Float64Array(capacity).fill(Number.NaN);
  /** Between two days → by room; not a number: not asked for yet. */
  const lowest = new Map<string, Float64Array>();

  const columnOf = (day: number): Column => {
    const known = columns.get(day);
    if (known) return known;
    const column = { prices: new Int32Array(capacity).fill(NONE), large: new Map(), forbidden: undefined };
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
      if (column.forbidden) column.forbidden = longer(column.forbidden, new Uint32Array(capacity));
    }
    lowest.clear();
  };
  const clear = (room: number, from: number, to: number): void => {
    for (const [day, { prices, large, forbidden }] of columns) {
      if (day < from || day > to) continue;
      prices[room] = NONE;
      large.delete(room);
      if (forbidden) forbidden[room] = 0;
    }
  };
  const put = (room: number, night: NightOfRoom): void => {
    const column = columnOf(night.day);
    const price = priceIfSold(night) ?? CLOSED;
    column.prices[room] = price > MOST ? LARGE : price;
    if (price > MOST) column.large.set(room, price);
    const bits = forbiddenBy(night);
    if (bits === 0) return;
    column.forbidden ??= new Uint32Array(capacity);
    column.forbidden[room] = bits;
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

    setOthers: (room, night) => {
      roomPrices[room] = priceIfSold(night) ?? Number.NaN;
      for (const prices of lowest.values()) prices[room] = Number.NaN;
    },

    set: (room, from, to, nights) => {
      clear(room, from, to);
      for (const night of nights) put(room, night);
      for (const prices of lowest.values()) prices[room] = Number.NaN;
    },

    pricesOfStay: (checkIn, nights) => {
      const sums = new Float64Array(rooms);
      for (let day = checkIn; day < checkIn + nights; day += 1) {
        const column = columns.get(day);
        for (let room = 0; room < rooms; room += 1)
          sums[room] = (sums[room] ?? 0) + (column ? priceIn(column, room) : (roomPrices[room] ?? Number.NaN));
      }
      const arrivals = columns.get(checkIn)?.forbidden;
      const departures = columns.get(checkIn + nights)?.forbidden;
      for (let room = 0; arrivals && room < rooms; room += 1)
        if ((arrivals[room] ?? 0) & (1 << nights)) sums[room] = Number.NaN;
      for (let room = 0; departures && room < rooms; room += 1)
        if ((departures[room] ?? 0) & (1 << LEAVING)) sums[room] = Number.NaN;
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
        if (day < from || day >= until || column.prices[room] === NONE) continue;
        own += 1;
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
