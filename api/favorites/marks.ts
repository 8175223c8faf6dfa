/**
 * Says of all things in replies whether they are favourites of the caller. The things are the same for everybody, and what
 * they look like is stored as such, so this is put in when they are sent.
 */
import { type TSchema, TypeGuard } from '@sinclair/typebox';
import { type FavoriteKind, favoriteKinds } from '../../domain/favorites/kinds.ts';
import { JsonText } from '../../infra/jsonText.ts';
import type { ReadDb } from '../../projections/engine/readDb.ts';
import { favorites, favoritesAmong } from '../../projections/favorites/favorites.ts';
import type { Caller } from '../http/caller.ts';
import { FAVORITE_KIND } from '../http/favorite.ts';
import type { DeclaredRoute } from '../http/route.ts';

interface Thing {
  readonly id: string;
  readonly is_favorite?: boolean;
}
/** Where a reply shows things of a kind: in one of its fields, as a list; null: the reply is one. */
interface Place {
  readonly field: string | null;
  readonly kind: FavoriteKind;
}

/** @throws Error for a kind that nobody can mark */
const kindIn = (schema: TSchema): FavoriteKind | undefined => {
  const kind = (schema as { readonly [FAVORITE_KIND]?: string })[FAVORITE_KIND];
  const known = favoriteKinds.find((name) => name === kind);
  if (kind !== undefined && known === undefined) throw new Error(`${kind} is no kind of favourite`);
  return known;
};

const placesIn = (reply: TSchema): Place[] => {
  const own = kindIn(reply);
  const lists = TypeGuard.IsObject(reply)
    ? Object.entries(reply.properties).flatMap(([field, list]) => {
        const kind = TypeGuard.IsArray(list) ? kindIn(list.items) : undefined;
        return kind === undefined ? [] : [{ field, kind }];
      })
    : [];
  return own === undefined ? lists : [{ field: null, kind: own }, ...lists];
};

/** The things with their marks, read at once. */
const markAll = async (
  db: ReadDb,
  viewerId: string,
  kind: FavoriteKind,
  things: readonly Thing[],
): Promise<Thing[]> => {
  const ids = await favoritesAmong(
    db,
    viewerId,
    kind,
    things.map(({ id }) => id),
  );
  return things.map((thing) => ({ ...thing, is_favorite: ids.has(thing.id) }));
};

const markReply = async (db: ReadDb, viewerId: string, places: readonly Place[], reply: object): Promise<object> => {
  const parts = await Promise.all(
    places.map(async ({ field, kind }) => {
      if (field !== null)
        return { [field]: await markAll(db, viewerId, kind, (reply as Record<string, Thing[]>)[field] ?? []) };
      const [{ is_favorite } = {}] = await markAll(db, viewerId, kind, [reply as Thing]);
      return { is_favorite };
    }),
  );
  return Object.assign({}, reply, ...parts) as object;
};

/** The operation, which says of what it shows whether it is a favourite of the person who is signed in. */
export const withMarks = (route: DeclaredRoute): DeclaredRoute => {
  const { cache, reads } = route.spec;
  const places = placesIn(route.spec.reply);
  if (route.method !== 'GET' || places.length === 0) return route;
  return {
    ...route,
    spec: {
      ...route.spec,
      ...(cache && { cache: { ...cache, ...(cache.shared && { shared: 'signed_out' }) } }),
      ...(reads && { reads: [...reads, favorites] }),
    },
    handle: async (input, app) => {
      const answer = await route.handle(input, app);
      const { caller } = input as { readonly caller: Caller };
      if (caller?.kind !== 'user') return answer;
      const reply = answer instanceof JsonText ? answer.toJSON() : answer;
      return markReply(app.db, caller.id, places, reply as object);
    },
  };
};
