/** What is recommended to one person: computed in memory, and checked against the tables when it is read. */
import { DAY_MS, msBetween } from '../../domain/core/instants.ts';
import {
  type BookedKind,
  bookedKinds,
  featuresOf,
  type Item,
  type RecommendedKind,
} from '../../domain/recommendations/item.ts';
import { daysOf, isOffered } from '../../domain/recommendations/offer.ts';
import type { Reason } from '../../domain/recommendations/reasons.ts';
import { type Recommended, recommend } from '../../domain/recommendations/recommend.ts';
import type { Asker } from '../../domain/recommendations/score.ts';
import { hotelIndexOf } from '../catalog/followHotels.ts';
import { lowestPricesOfHotels } from '../catalog/lowestPrices.ts';
import type { KeptDeps } from '../engine/keptTable.ts';
import type { ReadDb } from '../engine/readDb.ts';
import { mountainNow, type Slope } from '../resort/mountain.ts';
import { bookingsOf } from './bookedBy.ts';
import { recommendationIndexOf } from './followRecommendations.ts';
import { type Published, readKind, readPublished, type Stay } from './listings.ts';
import {
  createRecommendationIndex,
  type IndexedItem,
  MAX_ITEMS,
  type RecommendationIndex,
} from './recommendationIndex.ts';

export interface Asked {
  readonly person: string;
  /** Whether what the person booked may be used to find what they like. */
  readonly isPersonal: boolean;
  readonly kinds: readonly RecommendedKind[];
  /** undefined: no dates are known. */
  readonly dates: Pick<Stay, 'checkIn' | 'checkOut'> | undefined;
  readonly guests: number;
  readonly limit: number;
  /** Now. RFC 3339 */
  readonly at: string;
}

/** A listing or a slope as it is shown. */
export interface Shown extends Omit<Published, 'item' | 'hasPlaces' | 'city' | 'currency'> {
  readonly item: Item;
  readonly city: string | null;
  readonly currency: string | null;
  readonly reasons: readonly Reason[];
}

/** This many are computed beyond those that are shown, because some may have been hidden or sold out since. */
const SPARE = 10;
const MAX_REASONS = 3;
/** Of each kind, while the index is being filled. */
const BEST = 40;

/** The best rated of each kind and what the person knows: enough to answer until the index is filled. */
const smallIndex = async (db: ReadDb, history: Asker['history']): Promise<RecommendationIndex> => {
  const index = createRecommendationIndex();
  const found = await Promise.all([
    readPublished(db, { best: BEST }),
    readPublished(db, { ids: history.map(({ itemId }) => itemId) }),
  ]);
  index.setItems(found.flat().map(({ item }) => item));
  return index;
};

/** Hotel → its lowest price on these dates, in minor units a night; only those that have a free room. */
const freeHotels = async (db: ReadDb, { guests, at, ...dates }: Stay): Promise<ReadonlyMap<string, number | null>> => {
  const index = await hotelIndexOf(db, at);
  const { page } = index.search({ stay: dates, guests, at, sort: 'name', page: 1, perPage: MAX_ITEMS });
  return new Map(page.map(({ id, min_price_minor }) => [id, min_price_minor]));
};

const wasGroomed = ({ groomed_at }: Slope, at: string): boolean =>
  groomed_at !== null && msBetween(groomed_at, at) < DAY_MS;

/** How much a slope is worth where nothing is known of a person: a little less than what is booked often. */
const interestOf = (slope: Slope, at: string): number =>
  0.3 + (slope.status === 'open' ? 0.1 : 0) + (wasGroomed(slope, at) ? 0.1 : 0);

/** The slopes that are open, or open later today; on other dates all that there are. */
const slopesFor = async (deps: KeptDeps, { kinds, dates, at }: Asked): Promise<ReadonlyMap<string, Slope>> => {
  if (!kinds.includes('slope')) return new Map();
  const { slopes } = await mountainNow(deps, at);
  const isLater = dates !== undefined && dates.checkIn > at.slice(0, 10);
  const shown = slopes.filter(
    ({ retired_at, status }) => retired_at === null && (isLater || status === 'open' || status === 'scheduled'),
  );
  return new Map(shown.map((slope) => [slope.id, slope]));
};

const slopeItem = (slope: Slope, at: string): Item => ({
  ...{ id: slope.id, kind: 'slope', sellerId: null, features: featuresOf.slope(slope) },
  ...{ rating: null, interest: interestOf(slope, at) },
});

/** What may be recommended: of the kinds, not booked yet, not the person's own, and to be had on the dates. */
const candidatesFor = (
  index: RecommendationIndex,
  { person, kinds, dates, guests }: Asked,
  booked: ReadonlySet<string>,
  free: ReadonlyMap<string, number | null> | undefined,
): IndexedItem[] => {
  const days = dates && daysOf(dates);
  const isFree = ({ id, offer }: IndexedItem): boolean => {
    if (offer === null) return free === undefined || free.has(id);
    return days ? isOffered(offer, days, guests) : offer.party >= guests;
  };
  const found: IndexedItem[] = [];
  for (const item of index.items())
    if (kinds.includes(item.kind) && item.sellerId !== person && !booked.has(item.id) && isFree(item)) found.push(item);
  return found;
};

/** Those that are still published, and have places on the dates; in their order. */
const shownNow = async (
  { db }: KeptDeps,
  recommended: readonly Recommended[],
  stay: Stay | undefined,
): Promise<ReadonlyMap<string, Published>> => {
  const idsOf = (kind: BookedKind) => recommended.flatMap(({ item }) => (item.kind === kind ? item.id : []));
  const found = (await Promise.all(bookedKinds.map((kind) => readIds(db, kind, idsOf(kind))))).flat();
  const hasPlaces = await Promise.all(found.map((each) => (stay && each.hasPlaces ? each.hasPlaces(stay) : true)));
  return new Map(found.flatMap((each, n) => (hasPlaces[n] ? [[each.item.id, each]] : [])));
};
const readIds = async (db: ReadDb, kind: BookedKind, ids: readonly string[]): Promise<Published[]> =>
  ids.length === 0 ? [] : readKind(db, kind, { ids });

const slopeShown = (slope: Slope, item: Item, reasons: readonly Reason[], at: string): Shown => ({
  ...{ item, title: slope.name, city: null, imageUrl: null, currency: null, price: null },
  reasons: [
    ...reasons,
    ...(slope.status === 'open' ? [{ code: 'open' } as const] : []),
    ...(wasGroomed(slope, at) ? [{ code: 'groomed' } as const] : []),
  ],
});

/** The recommendations, best first; each has a reason. */
export const recommendedTo = async (deps: KeptDeps, asked: Asked): Promise<Shown[]> => {
  const { db } = deps;
  const { person, isPersonal, dates, guests, limit, at } = asked;
  const stay = dates && { ...dates, guests, at };
  const own = await bookingsOf(db, person);
  const history = isPersonal ? own.history : [];
  const [index, slopes, free] = await Promise.all([
    recommendationIndexOf(db) ?? smallIndex(db, history),
    slopesFor(deps, asked),
    stay && asked.kinds.includes('hotel') ? freeHotels(db, stay) : undefined,
  ]);
  const candidates = [
    ...candidatesFor(index, asked, own.booked, free),
    ...[...slopes.values()].map((slope) => slopeItem(slope, at)),
  ];
  const month = Number((dates?.checkIn ?? at).slice(5, 7)) - 1;
  const recommended = recommend(index, candidates, { history, month, at }, limit + SPARE);

  const published = await shownNow(deps, recommended, stay);
  const hotelIds = [...published.values()].flatMap(({ item }) => (item.kind === 'hotel' ? item.id : []));
  const nightly = free ?? (await lowestPricesOfHotels(db, hotelIds, { guests, at }));
  const withReason = (reasons: readonly Reason[]): readonly Reason[] =>
    reasons.length > 0 ? reasons.slice(0, MAX_REASONS) : [{ code: 'variety' }];
  return recommended
    .flatMap(({ item, reasons }): Shown[] => {
      const slope = slopes.get(item.id);
      if (slope) return [slopeShown(slope, item, reasons, at)];
      const listing = published.get(item.id);
      if (!listing || (item.kind === 'hotel' && !nightly.has(item.id))) return [];
      const { hasPlaces, ...shown } = listing;
      const minor = nightly.get(item.id) ?? null;
      const price = item.kind !== 'hotel' || minor === null ? listing.price : ({ per: 'night', minor } as const);
      const hasFree = item.kind === 'hotel' || hasPlaces !== undefined;
      return [{ ...shown, price, reasons: stay ? [...reasons, { code: hasFree ? 'free' : 'offered' }] : reasons }];
    })
    .slice(0, limit)
    .map((each) => ({ ...each, reasons: withReason(each.reasons) }));
};
