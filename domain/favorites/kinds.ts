/**
 * What can be a favourite: every kind of thing that has a page. To add one, add a line here, and where the compiler then
 * misses it: whether one exists (`commands/favorites/kinds.ts`), and its card (`projections/favorites/cards.ts`).
 */

/** What a person can ask to be told of a favourite. */
export const watchReasons = ['price_drop', 'free_dates'] as const;
export type WatchReason = (typeof watchReasons)[number];

interface Kind {
  readonly watchedFor: readonly WatchReason[];
  /** Whether it can be watched for the dates of a stay. */
  readonly hasStays: boolean;
}
const stays: Kind = { watchedFor: watchReasons, hasStays: true };
const priced: Kind = { watchedFor: ['price_drop'], hasStays: false };
const shown: Kind = { watchedFor: [], hasStays: false };

const kinds = {
  hotel: stays,
  room: stays,
  tour: priced,
  transfer: priced,
  instructor: priced,
  restaurant: shown,
  company: shown,
  slope: shown,
  lift: shown,
  webcam: shown,
  event: shown,
  topic: shown,
} as const satisfies Record<string, Kind>;

export type FavoriteKind = keyof typeof kinds;
export const favoriteKinds = Object.keys(kinds) as FavoriteKind[];
/** The rules of a kind, whichever it is; a kind that this release does not know cannot be watched. */
export const kindOf = (name: string): Kind => (Object.hasOwn(kinds, name) ? kinds[name as FavoriteKind] : shown);
