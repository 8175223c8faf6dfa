/**
 * What one person has marked to find it again, `favorites-<account>`, and what they want to be told of it. All favourites
 * of a person are one stream, so that their number is bounded.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { datesAgainst, MAX_NIGHTS } from '../catalog/stayRules.ts';
import { addDays } from '../core/dates.ts';
import { type Decider, type EventDeclarations, type EventsOf, Rejected, snapshot } from '../core/decider.ts';
import { ImmutableMap } from '../core/immutableMap.ts';
import { DateOnly, Nullable, OneOf, Uuid } from '../core/schema.ts';
import { kindOf, watchReasons } from './kinds.ts';

export const MAX_FAVORITES = 1_000;
/** Each of these costs work when something changes. */
export const MAX_WATCHED = 100;
const MAX_GUESTS = 100;

/** `{ kind: 'hotel', id }`. A text, so that a further kind changes no event. */
export const Target = Type.Object({ kind: Type.String({ pattern: '^[a-z_]{1,40}$' }), id: Uuid });
export type Target = Static<typeof Target>;

/** In the time zone of the hotel. */
export const WatchedStay = Type.Object({
  checkIn: DateOnly,
  checkOut: DateOnly,
  guests: Type.Integer({ minimum: 1, maximum: MAX_GUESTS }),
});
/** What the person wants to be told; `stay` null: whatever the dates. */
export const Watch = Type.Object({
  reasons: Type.Array(OneOf(watchReasons), { minItems: 1, maxItems: watchReasons.length, uniqueItems: true }),
  stay: Nullable(WatchedStay),
});
export type Watch = Static<typeof Watch>;

const favoriteEvents = {
  FavoriteAdded: { data: Type.Object({ target: Target }) },
  /** What was wanted to be told of it ends, too. */
  FavoriteRemoved: { data: Type.Object({ target: Target }) },
  /** null: nothing any more. */
  FavoriteWatchSet: { data: Type.Object({ target: Target, watch: Nullable(Watch) }) },
} as const satisfies EventDeclarations;
export type FavoriteEvent = EventsOf<typeof favoriteEvents>;

export type FavoriteCommand =
  /** `watch`: undefined leaves it as it is, null ends it. */
  | {
      readonly type: 'AddFavorite';
      readonly target: Target;
      readonly watch?: Watch | null | undefined;
      readonly at: string;
    }
  | { readonly type: 'RemoveFavorite'; readonly target: Target }
  | { readonly type: 'RemoveAllFavorites' };

interface Favorite {
  readonly target: Target;
  readonly watch: Watch | null;
}
export interface Favorites {
  readonly all: ImmutableMap<Favorite>;
}

const keyOf = ({ kind, id }: Target): string => `${kind} ${id}`;
export const favoriteOf = ({ all }: Favorites, target: Target): Favorite | undefined => all.get(keyOf(target));

/** At the hotel it may still be this day. @param at RFC 3339 */
const earliestToday = (at: string): string => addDays(at.slice(0, 'YYYY-MM-DD'.length), -1);
/** Whether a stay has begun, wherever the hotel is: a watch for it is over. @param checkIn null: whatever the dates */
export const hasBegun = (checkIn: string | null, at: string): boolean =>
  checkIn !== null && checkIn < earliestToday(at);
const isOver = ({ stay }: Watch, at: string): boolean => hasBegun(stay?.checkIn ?? null, at);

/** @throws Rejected `invalid` for what cannot be watched, or dates on which nobody can stay */
const assertWatch = ({ kind }: Target, { reasons, stay }: Watch, at: string): void => {
  const { watchedFor, hasStays } = kindOf(kind);
  const wrong = reasons.find((reason) => !watchedFor.includes(reason));
  if (wrong) {
    const can = watchedFor.length === 0 ? 'Nothing is told of it.' : `Choose from ${watchedFor.join(', ')}.`;
    throw new Rejected('invalid', `A ${kind} cannot be watched for ${wrong}. ${can}`, { fields: ['notify'] });
  }
  if (!stay) return;
  if (!hasStays)
    throw new Rejected('invalid', `Dates are only for hotels and rooms, not for a ${kind}.`, {
      fields: ['check_in', 'check_out'],
    });
  if (stay.checkOut <= stay.checkIn)
    throw new Rejected('invalid', 'check_out must be later than check_in.', { fields: ['check_out'] });
  const against = datesAgainst({ ...stay, today: earliestToday(at) });
  if (against.includes('past')) throw new Rejected('invalid', 'check_in is in the past.', { fields: ['check_in'] });
  if (against.includes('too_long'))
    throw new Rejected('invalid', `A stay has at most ${MAX_NIGHTS} nights.`, { fields: ['check_out'] });
  if (against.includes('too_far'))
    throw new Rejected('invalid', 'check_out is too far ahead.', { fields: ['check_out'] });
};

const add = (
  { target, watch, at }: Extract<FavoriteCommand, { type: 'AddFavorite' }>,
  state: Favorites,
): FavoriteEvent[] => {
  const before = favoriteOf(state, target);
  if (watch) assertWatch(target, watch, at);
  if (!before && state.all.size >= MAX_FAVORITES)
    throw new Rejected('conflict', `You have ${MAX_FAVORITES} favourites, which is the most. Remove some first.`);
  const isSet = watch !== undefined && !isDeepStrictEqual(watch, before?.watch ?? null);
  if (isSet && watch && (!before?.watch || isOver(before.watch, at))) {
    const watched = [...state.all].filter(([, each]) => each.watch && !isOver(each.watch, at)).length;
    if (watched >= MAX_WATCHED)
      throw new Rejected(
        'conflict',
        `You watch ${MAX_WATCHED} favourites, which is the most. Stop watching some first.`,
      );
  }
  return [
    ...(before ? [] : [{ type: 'FavoriteAdded', data: { target } } as const]),
    ...(isSet ? [{ type: 'FavoriteWatchSet', data: { target, watch } } as const] : []),
  ];
};

const decide = (command: FavoriteCommand, state: Favorites): FavoriteEvent[] => {
  switch (command.type) {
    case 'AddFavorite':
      return add(command, state);
    case 'RemoveFavorite':
      return favoriteOf(state, command.target) ? [{ type: 'FavoriteRemoved', data: { target: command.target } }] : [];
    case 'RemoveAllFavorites':
      return [...state.all].map(([, { target }]) => ({ type: 'FavoriteRemoved', data: { target } }));
  }
};

const evolve = ({ all }: Favorites, { type, data }: FavoriteEvent): Favorites => {
  const { target } = data;
  switch (type) {
    case 'FavoriteAdded':
      return { all: all.set(keyOf(target), { target, watch: null }) };
    case 'FavoriteRemoved':
      return { all: all.delete(keyOf(target)) };
    case 'FavoriteWatchSet':
      return { all: all.set(keyOf(target), { target, watch: data.watch }) };
  }
};

export const favorites: Decider<Favorites, FavoriteCommand, FavoriteEvent> = {
  category: 'favorites',
  events: favoriteEvents,
  initial: { all: ImmutableMap.empty() },
  decide,
  evolve,
  snapshot: snapshot({
    version: 1,
    packed: Type.Object({ all: Type.Array(Type.Object({ target: Target, watch: Nullable(Watch) })) }),
    pack: ({ all }: Favorites) => ({ all: [...all].map(([, { target, watch }]) => ({ target, watch })) }),
    unpack: ({ all }) => ({ all: ImmutableMap.from(all.map((each) => [keyOf(each.target), each] as const)) }),
  }),
};
