/**
 * How well an item fits a person: what others booked together with what this person booked, what it resembles, how often
 * it is booked lately and in this season, and its rating. Pure: the same inputs give the same order.
 */
import { DAY_MS } from '../core/instants.ts';
import type { Item } from './item.ts';
import type { Reason } from './reasons.ts';

/** What many people's bookings say. They are counted by person: somebody who comes twice counts once. */
export interface Counts {
  /** How many people booked an item. */
  peopleOf(id: string): number;
  /** Item → how many people booked both. */
  togetherWith(id: string): ReadonlyMap<string, number>;
  /** Bookings of an item that were made lately; older ones count less. @param week see `weekOf` */
  popularityOf(id: string, week: number): number;
  /** Bookings of an item by the month in which they begin, January first. */
  monthsOf(id: string): readonly number[];
}

/** What is known of the items. */
export interface Knowledge extends Counts {
  itemOf(id: string): Item | undefined;
  readonly size: number;
  /** How many items have a feature. */
  withFeature(feature: string): number;
}

/** A booking of the person who asks. */
export interface Visit {
  readonly itemId: string;
  /** When it was booked. RFC 3339 */
  readonly at: string;
}

export interface Asker {
  /** Empty for somebody of whom nothing is known, or who has not consented. */
  readonly history: readonly Visit[];
  /** In which they will be here: 0 is January. */
  readonly month: number;
  /** Now. RFC 3339 */
  readonly at: string;
}

/** Weeks since 1970. */
export const weekOf = (instant: string): number => Math.floor(Date.parse(instant) / (7 * DAY_MS));

/** A popularity is halved in this many weeks. */
export const POPULARITY_HALF_LIFE_WEEKS = 6;
/** What a person booked counts half after this many days. */
const TASTE_HALF_LIFE_DAYS = 365;
/** Fewer people than this who booked two things together say nothing, and would say too much about them. */
const FEWEST_TOGETHER = 2;
/** Pairs that few people booked count less. */
const TOGETHER_SHRINKAGE = 3;
/** Bookings without which a season says nothing. */
const FEWEST_FOR_SEASON = 8;
/** A new item counts as if it had this many reviews of this rating. */
const USUAL_RATING = { reviews: 5, average: 4 };

/** Of every item, while nothing is booked. */
const UNKNOWN_POPULARITY = 0.4;

/** Chosen on histories as in `test/recommendations/histories.ts`, of other seeds than those of its evaluation. Half or twice as much changes little. */
const WEIGHTS = { together: 8, resemblance: 1.2, popularity: 1, season: 0.25, rating: 0.2 };

/** From 0 to 1: how much each booking of a history counts; together 1. */
const weightsOf = ({ history, at }: Asker): readonly (Visit & { readonly weight: number })[] => {
  const now = Date.parse(at);
  const aged = history.map((visit) => ({
    ...visit,
    weight: 2 ** (-Math.max(0, now - Date.parse(visit.at)) / (TASTE_HALF_LIFE_DAYS * DAY_MS)),
  }));
  const total = aged.reduce((sum, { weight }) => sum + weight, 0);
  return aged.map((visit) => ({ ...visit, weight: visit.weight / total }));
};

/** Feature → how much the person likes it; rare features say more. */
const tasteOf = (knowledge: Knowledge, visits: ReturnType<typeof weightsOf>): ReadonlyMap<string, number> => {
  const taste = new Map<string, number>();
  for (const { itemId, weight } of visits) {
    const { features = [] } = knowledge.itemOf(itemId) ?? {};
    for (const feature of features) {
      const rarity = Math.log((1 + knowledge.size) / (1 + knowledge.withFeature(feature)));
      taste.set(feature, (taste.get(feature) ?? 0) + (weight * rarity) / Math.sqrt(features.length));
    }
  }
  return taste;
};

interface Together {
  /** From 0 to 1. */
  value: number;
  /** The booking that says most, and how much. */
  because: string;
  most: number;
}

/** Item → how strongly the history leads to it: the cosine of the people who booked both. */
const togetherOf = (knowledge: Knowledge, visits: ReturnType<typeof weightsOf>): ReadonlyMap<string, Together> => {
  const found = new Map<string, Together>();
  for (const { itemId, weight } of visits) {
    const people = knowledge.peopleOf(itemId);
    for (const [other, both] of knowledge.togetherWith(itemId)) {
      if (both < FEWEST_TOGETHER) continue;
      const cosine = both / Math.sqrt(people * knowledge.peopleOf(other));
      const value = weight * cosine * (both / (both + TOGETHER_SHRINKAGE));
      const known = found.get(other);
      if (!known) found.set(other, { value, because: itemId, most: value });
      else {
        known.value += value;
        if (value > known.most) Object.assign(known, { because: itemId, most: value });
      }
    }
  }
  return found;
};

/** From -1 to 1: how much more often than usual it is booked for this month and those beside it; 0: nothing is known. */
export const seasonOf = (months: readonly number[], month: number): number => {
  let total = 0;
  for (const count of months) total += count;
  if (total < FEWEST_FOR_SEASON) return 0;
  let around = 0;
  for (let step = -1; step <= 1; step += 1) around += months[(month + step + 12) % 12] ?? 0;
  const ratio = (around + 1) / (total / 4 + 1);
  return Math.max(-1, Math.min(1, Math.log2(ratio) / 2));
};

const averageOf = ({ rating }: Item): number => {
  const { reviews, average } = USUAL_RATING;
  return ((rating?.sum ?? 0) + reviews * average) / ((rating?.reviews ?? 0) + reviews);
};

export interface Scorer {
  /** Of the candidates, in their order. */
  scores(): number[];
  /** Why, the strongest first. It may be empty. */
  reasonsFor(item: Item): Reason[];
}

/** The scores of some candidates for one person. */
export const createScorer = (knowledge: Knowledge, candidates: readonly Item[], asker: Asker): Scorer => {
  const visits = weightsOf(asker);
  const taste = tasteOf(knowledge, visits);
  const together = togetherOf(knowledge, visits);
  const week = weekOf(asker.at);
  const logOf = ({ id }: Item): number => Math.log1p(knowledge.popularityOf(id, week));
  const logs = candidates.map(logOf);
  let most = 0;
  for (const log of logs) most = Math.max(most, log);

  const popularity = ({ interest }: Item, log: number): number =>
    interest ?? (most === 0 ? UNKNOWN_POPULARITY : log / most);
  const season = ({ id }: Item): number => seasonOf(knowledge.monthsOf(id), asker.month);
  const resemblance = ({ features }: Item): number => {
    let sum = 0;
    if (taste.size > 0) for (const feature of features) sum += taste.get(feature) ?? 0;
    return sum / Math.sqrt(features.length || 1);
  };

  return {
    scores: () =>
      candidates.map(
        (item, n) =>
          WEIGHTS.together * (together.get(item.id)?.value ?? 0) +
          WEIGHTS.resemblance * resemblance(item) +
          WEIGHTS.popularity * popularity(item, logs[n] ?? 0) +
          WEIGHTS.season * season(item) +
          WEIGHTS.rating * (averageOf(item) - USUAL_RATING.average),
      ),

    reasonsFor: (item) => {
      const because = together.get(item.id)?.because;
      const liked = item.features
        .filter((feature) => (taste.get(feature) ?? 0) > 0)
        .sort((a, b) => (taste.get(b) ?? 0) - (taste.get(a) ?? 0) || (a < b ? -1 : 1));
      const average = item.rating ? item.rating.sum / item.rating.reviews : 0;
      return [
        // Of what is closed the title may be somebody's who has left.
        because !== undefined && knowledge.itemOf(because) && ({ code: 'booked_together', because } as const),
        liked.length > 0 && ({ code: 'similar', features: liked } as const),
        item.interest === null && popularity(item, logOf(item)) >= 0.5 && ({ code: 'popular' } as const),
        season(item) >= 0.3 && ({ code: 'season', month: asker.month } as const),
        average >= 4.5 && (item.rating?.reviews ?? 0) >= 3 && ({ code: 'rated', average } as const),
      ].filter((reason) => typeof reason === 'object');
    },
  };
};
