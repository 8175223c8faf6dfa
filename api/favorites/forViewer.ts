/** Whether things are favourites of the viewer, in the replies of the modules that show them. */
import { type TObject, type TSchema, Type, TypeGuard } from '@sinclair/typebox';
import type { FavoriteKind } from '../../domain/favorites/kinds.ts';
import { JsonText } from '../../infra/jsonText.ts';
import type { ReadDb } from '../../projections/engine/readDb.ts';
import { favorites, favoritesAmong } from '../../projections/favorites/favorites.ts';
import type { ForViewer } from '../catalog/forViewer.ts';
import type { Caller } from '../http/caller.ts';
import type { ApiModule } from '../http/module.ts';
import type { DeclaredRoute } from '../http/route.ts';

const fields = {
  is_favorite: Type.Optional(
    Type.Boolean({ description: 'Whether it is a favourite of the caller. Absent for those who are not signed in.' }),
  ),
};

/** For listings, whose stored replies take the field as text. */
export const isFavorite: ForViewer = {
  fields,
  read: async (db, viewerId, kind, ids) => {
    const marked = await favoritesAmong(db, viewerId, kind, ids);
    return (id) => ({ is_favorite: marked.has(id) });
  },
};

/** What other operations show, alone or as a list: by operation id. */
const SHOWN: Readonly<Record<string, FavoriteKind>> = {
  listLifts: 'lift',
  listLiftsAtShortPath: 'lift',
  getLift: 'lift',
  listSlopes: 'slope',
  getSlope: 'slope',
  listWebcams: 'webcam',
  listEvents: 'event',
  getEvent: 'event',
  listOwnEvents: 'event',
  listForumTopics: 'topic',
  getForumTopic: 'topic',
};

interface Shown {
  readonly id: string;
}
type Reply = Shown | { readonly data: readonly Shown[] };
const isList = (reply: Reply): reply is { readonly data: readonly Shown[] } => 'data' in reply;

const schemaOf = ({ $id, ...item }: TObject): TObject =>
  Type.Object({ ...item.properties, ...fields }, { $id: `${$id}Marked` });
const replyOf = (reply: TObject): TSchema => {
  const { data } = reply.properties;
  if (data === undefined || !TypeGuard.IsArray(data)) return schemaOf(reply);
  return Type.Object({ ...reply.properties, data: Type.Array(schemaOf(data.items as TObject)) });
};

/** Marks what a reply shows, read once for a whole list. */
const marked = async (db: ReadDb, viewerId: string, kind: FavoriteKind, reply: Reply): Promise<object> => {
  const things = isList(reply) ? reply.data : [reply];
  const ids = await favoritesAmong(
    db,
    viewerId,
    kind,
    things.map(({ id }) => id),
  );
  const shown = things.map((thing) => ({ ...thing, is_favorite: ids.has(thing.id) }));
  return isList(reply) ? { ...reply, data: shown } : (shown[0] as object);
};

const withMarks = (route: DeclaredRoute, kind: FavoriteKind): DeclaredRoute => {
  const { reply, cache, reads } = route.spec;
  return {
    ...route,
    spec: {
      ...route.spec,
      reply: replyOf(reply as TObject),
      ...(cache && { cache: { ...cache, ...(cache.shared && { shared: 'signed_out' }) } }),
      ...(reads && { reads: [...reads, favorites] }),
    },
    handle: async (input, app) => {
      const answer = await route.handle(input, app);
      const { caller } = input as { readonly caller: Caller };
      if (caller?.kind !== 'user') return answer;
      const reply = answer instanceof JsonText ? answer.toJSON() : answer;
      return marked(app.db, caller.id, kind, reply as Reply);
    },
  };
};

/**
 * The module, whose operations say which of the things that they show are favourites of the person who is signed in.
 */
export const withFavorites = (module: ApiModule): ApiModule => ({
  ...module,
  routes: module.routes.map((route) => {
    const kind = SHOWN[route.id];
    return kind === undefined ? route : withMarks(route, kind);
  }),
});
