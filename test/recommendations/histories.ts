/**
 * Histories of a made-up resort, the same for the same seed: people have tastes that they do not tell, items have seasons
 * and fashions, and some bookings are made by chance. Each person's last booking is what a recommendation has to find.
 */
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import type { Item } from '../../domain/recommendations/item.ts';
import type { CountedBooking } from '../../projections/recommendations/bookingCounts.ts';
import { randomFrom } from '../kit/random.ts';

export const NOW = '2027-02-15T12:00:00.000Z';
const KINDS = ['hotel', 'tour', 'restaurant', 'transfer', 'instructor'] as const;
const TASTES = 12;

interface MadeItem {
  readonly item: Item;
  readonly taste: number;
  /** How much it is liked by everybody. */
  readonly appeal: number;
  /** Its best month, 0 is January. */
  readonly month: number;
  /** Days before now at which it was in fashion. */
  readonly fashion: number;
}
export interface Person {
  readonly id: string;
  /** The newest first. */
  readonly history: readonly CountedBooking[];
  /** What they booked after that. */
  readonly next: string;
}
export interface MadeResort {
  readonly items: readonly Item[];
  readonly people: readonly Person[];
}

const pick = <T>(random: () => number, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

const makeItems = (random: () => number, count: number): MadeItem[] =>
  Array.from({ length: count }, (_, n) => {
    const taste = Math.floor(random() * TASTES);
    const kind = pick(random, KINDS);
    const item: Item = {
      id: `item-${String(n).padStart(6, '0')}`,
      kind,
      sellerId: `seller-${Math.floor(random() * (count / 4))}`,
      features: [`kind:${kind}`, `city:${Math.floor(random() * 5)}`, `sport:${taste % 4}`, `amenity:${taste % 3}`],
      rating: null,
      interest: null,
    };
    const appeal = 1 / (1 + Math.floor(random() * count)) ** 0.7;
    return { item, taste, appeal, month: Math.floor(random() * 12), fashion: Math.floor(random() * 400) };
  });

/** Draws one of the values by their weights. */
const drawn = <T>(random: () => number, values: readonly T[], sums: readonly number[]): T => {
  const at = random() * (sums.at(-1) ?? 0);
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return values[low] as T;
};

/** What is booked on a day, and sums of how often. */
const shelf = (items: readonly MadeItem[], daysAgo: number) => {
  const month = new Date(Date.parse(NOW) - daysAgo * DAY_MS).getUTCMonth();
  let sum = 0;
  const sums = items.map(({ appeal, month: best, fashion }) => {
    const apart = Math.min((month - best + 12) % 12, (best - month + 12) % 12);
    sum += appeal * (apart <= 1 ? 2 : 0.6) * (Math.abs(fashion - daysAgo) < 40 ? 4 : 1);
    return sum;
  });
  return { items, sums };
};

/** @param loyalty the share of bookings that follow the taste */
export const makeResort = (seed: number, { items: count = 600, people = 2_500, loyalty = 0.75 } = {}): MadeResort => {
  const random = randomFrom(seed);
  const made = makeItems(random, count);
  const shelves = new Map<string, ReturnType<typeof shelf>>();
  const shelfOf = (taste: number | null, daysAgo: number) => {
    const block = Math.floor(daysAgo / 14);
    const key = `${taste} ${block}`;
    const known = shelves.get(key);
    if (known) return known;
    const found = shelf(taste === null ? made : made.filter((each) => each.taste === taste), block * 14);
    shelves.set(key, found);
    return found;
  };
  const book = (taste: number, daysAgo: number): string => {
    const { items, sums } = shelfOf(random() < loyalty ? taste : null, daysAgo);
    return drawn(random, items, sums).item.id;
  };
  return {
    items: made.map(({ item }) => item),
    people: Array.from({ length: people }, (_, n) => {
      const taste = Math.floor(random() * TASTES);
      const ages = Array.from({ length: 3 + Math.floor(random() * 8) }, () => 1 + Math.floor(random() ** 2 * 400));
      const history = ages
        .sort((a, b) => a - b)
        .map((daysAgo): CountedBooking => {
          const at = addMs(NOW, -daysAgo * DAY_MS);
          return { itemId: book(taste, daysAgo), at, startsOn: at.slice(0, 10) };
        });
      const booked = new Set(history.map(({ itemId }) => itemId));
      let next = book(taste, 0);
      for (let tries = 0; booked.has(next) && tries < 50; tries += 1) next = book(taste, 0);
      return { id: `person-${n}`, history, next };
    }),
  };
};
