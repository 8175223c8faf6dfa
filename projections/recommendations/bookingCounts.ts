/**
 * What people booked, counted in memory: which items together, how often in each week, and for which months. Whoever
 * withdraws the consent is subtracted again, exactly: everything is a whole number.
 */
import { type Counts, POPULARITY_HALF_LIFE_WEEKS, weekOf } from '../../domain/recommendations/score.ts';

/** The bookings of one person that are counted, the newest. Pairs grow with their square. */
export const MAX_BOOKINGS_OF_ONE = 40;
/** Of all people together; whoever comes after that is not counted. Some 200 MB at the worst. */
export const MAX_BOOKINGS = 400_000;

/** A booking that is counted. */
export interface CountedBooking {
  readonly itemId: string;
  /** When it was made. RFC 3339 */
  readonly at: string;
  /** The date on which it begins. */
  readonly startsOn: string;
}

interface ItemCounts {
  people: number;
  readonly weeks: Map<number, number>;
  readonly months: number[];
  readonly together: Map<string, number>;
  /** The popularity as it was computed last; week -1: it has changed since. */
  popularity: { week: number; value: number };
}

const NONE: readonly number[] = [];
const NOBODY: ReadonlyMap<string, number> = new Map();

const addTo = <K>(counts: Map<K, number>, key: K, by: number): void => {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
};

export interface BookingCounts extends Counts {
  /** Replaces what is counted of a person. No bookings: nothing is held about the person any more. */
  set(person: string, bookings: readonly CountedBooking[]): void;
  /** Whose bookings are counted. */
  people(): Iterable<string>;
  clear(): void;
}

export const createBookingCounts = (): BookingCounts => {
  const items = new Map<string, ItemCounts>();
  const people = new Map<string, readonly CountedBooking[]>();
  let held = 0;

  const countsOf = (id: string): ItemCounts => {
    const known = items.get(id);
    if (known) return known;
    const made: ItemCounts = {
      people: 0,
      weeks: new Map(),
      months: new Array<number>(12).fill(0),
      together: new Map(),
      popularity: { week: -1, value: 0 },
    };
    items.set(id, made);
    return made;
  };

  const count = (bookings: readonly CountedBooking[], by: 1 | -1): void => {
    held += by * bookings.length;
    for (const { itemId, at, startsOn } of bookings) {
      const { weeks, months, popularity } = countsOf(itemId);
      const month = Number(startsOn.slice(5, 7)) - 1;
      addTo(weeks, weekOf(at), by);
      months[month] = (months[month] ?? 0) + by;
      popularity.week = -1;
    }
    const distinct = [...new Set(bookings.map(({ itemId }) => itemId))];
    for (const id of distinct) {
      const counts = countsOf(id);
      counts.people += by;
      for (const other of distinct) if (other !== id) addTo(counts.together, other, by);
    }
    if (by === -1) for (const id of distinct) if (items.get(id)?.people === 0) items.delete(id);
  };

  return {
    set: (person, bookings) => {
      const before = people.get(person);
      if (before) count(before, -1);
      people.delete(person);
      const counted = bookings.slice(0, MAX_BOOKINGS_OF_ONE);
      if (counted.length === 0 || held + counted.length > MAX_BOOKINGS) return;
      people.set(person, counted);
      count(counted, 1);
    },
    people: () => people.keys(),
    clear: () => {
      items.clear();
      people.clear();
      held = 0;
    },
    peopleOf: (id) => items.get(id)?.people ?? 0,
    togetherWith: (id) => items.get(id)?.together ?? NOBODY,
    monthsOf: (id) => items.get(id)?.months ?? NONE,
    popularityOf: (id, week) => {
      const counts = items.get(id);
      if (!counts) return 0;
      if (counts.popularity.week !== week) {
        let value = 0;
        // In one order, because sums of fractions depend on it.
        for (const [made, count] of [...counts.weeks].sort(([a], [b]) => a - b))
          value += count * 2 ** (-Math.max(0, week - made) / POPULARITY_HALF_LIFE_WEEKS);
        counts.popularity = { week, value };
      }
      return counts.popularity.value;
    },
  };
};
