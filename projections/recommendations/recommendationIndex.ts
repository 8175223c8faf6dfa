/** The published listings and what is counted of their bookings, in memory: what recommendations are computed from. */
import type { Item } from '../../domain/recommendations/item.ts';
import type { Offer } from '../../domain/recommendations/offer.ts';
import type { Knowledge } from '../../domain/recommendations/score.ts';
import { type BookingCounts, createBookingCounts } from './bookingCounts.ts';

/** Newer ones beyond that are not recommended. Some 1 KB each. */
export const MAX_ITEMS = 50_000;

export interface IndexedItem extends Item {
  /** null: a hotel, whose nights tell when it can be had. */
  readonly offer: Offer | null;
}

export interface RecommendationIndex extends Knowledge {
  /** Adds or replaces published listings; of `ids`, those that are not among `items` are left out from now on. */
  setItems(items: readonly IndexedItem[], ids?: readonly string[]): void;
  itemOf(id: string): IndexedItem | undefined;
  items(): Iterable<IndexedItem>;
  readonly counts: Pick<BookingCounts, 'set' | 'people' | 'clear'>;
}

export const createRecommendationIndex = (): RecommendationIndex => {
  const items = new Map<string, IndexedItem>();
  const features = new Map<string, number>();
  const counts = createBookingCounts();

  const count = (item: Item | undefined, by: 1 | -1): void => {
    for (const feature of item?.features ?? []) {
      const left = (features.get(feature) ?? 0) + by;
      if (left > 0) features.set(feature, left);
      else features.delete(feature);
    }
  };
  const remove = (id: string): void => {
    count(items.get(id), -1);
    items.delete(id);
  };

  return {
    setItems: (given, ids = []) => {
      for (const id of ids) remove(id);
      for (const item of given) {
        remove(item.id);
        if (items.size >= MAX_ITEMS) continue;
        items.set(item.id, item);
        count(item, 1);
      }
    },
    itemOf: (id) => items.get(id),
    items: () => items.values(),
    get size() {
      return items.size;
    },
    withFeature: (feature) => features.get(feature) ?? 0,
    counts,
    peopleOf: counts.peopleOf,
    togetherWith: counts.togetherWith,
    monthsOf: counts.monthsOf,
    popularityOf: counts.popularityOf,
  };
};
