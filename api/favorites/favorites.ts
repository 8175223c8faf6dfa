/** Favourites of the caller. */
import { type Static, Type } from '@sinclair/typebox';
import { addFavorite, removeFavorite } from '../../commands/favorites/favorites.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { Watch, WatchedStay } from '../../domain/favorites/favorites.ts';
import { favoriteKinds, kindOf, watchReasons } from '../../domain/favorites/kinds.ts';
import { snakeSchema } from '../../infra/naming.ts';
import { type Card, favoriteCards } from '../../projections/favorites/cards.ts';
import {
  columnsOf,
  countFavorites,
  type FavoriteRow,
  favorites,
  listFavorites,
  shownAt,
  watchColumns,
} from '../../projections/favorites/favorites.ts';
import { langQuery, languageHeader, languageOf } from '../content/language.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { NO_CONTENT, route, withStatus } from '../http/route.ts';

const Kind = OneOf(favoriteKinds, { description: 'The kind of thing.' });
const params = Type.Object({ type: Kind, id: Uuid });
const head = { type: Kind, id: { ...Uuid, description: 'Of the thing.' } };

const Favorite = Type.Object({ ...head, ...watchColumns }, { $id: 'Favorite' });
const FavoriteCard = Type.Object(
  {
    ...Favorite.properties,
    title: Nullable(Type.String()),
    picture: Nullable(Type.String({ description: 'An address.' })),
    min_price: Nullable(Type.Number({ description: 'The lowest current price; null without a price.' })),
    min_price_minor: Nullable(Minor),
    currency: Nullable(Currency),
    is_gone: Type.Boolean({ description: 'It was closed or deleted. What was deleted has no title.' }),
    added_at: Instant,
  },
  { $id: 'FavoriteCard' },
);

const cardOf = ({ kind, target_id, user_id: _, ...row }: FavoriteRow, card: Card | undefined) => {
  const { title = null, picture = null, priceMinor = null, currency = null, isGone = true } = card ?? {};
  return {
    ...{ type: kind as Static<typeof Kind>, id: target_id, ...row, title, picture, currency, is_gone: isGone },
    min_price: priceMinor === null || currency === null ? null : toMajor(priceMinor, currency),
    min_price_minor: priceMinor,
  };
};

const { guests, check_in, check_out } = snakeSchema(WatchedStay).properties;
const notifiable = watchReasons.map(
  (reason) => `\`${reason}\` of ${favoriteKinds.filter((kind) => kindOf(kind).watchedFor.includes(reason)).join(', ')}`,
);
const Wish = Type.Object(
  {
    notify: Type.Optional(
      Type.Array(OneOf(watchReasons), {
        maxItems: Watch.properties.reasons.maxItems as number,
        uniqueItems: true,
        description: `What to tell the person: ${notifiable.join('; ')}. Empty: nothing any more. Absent: as before.`,
      }),
    ),
    check_in: Type.Optional({
      ...check_in,
      description: 'With `check_out`, of hotels and rooms: for these dates only.',
    }),
    check_out: Type.Optional(check_out),
    guests: Type.Optional({ ...guests, default: 1 }),
  },
  { $id: 'FavoriteWish' },
);

/** @returns undefined: it stays as it is @throws Rejected `invalid` for half of the dates */
const watchIn = ({ notify, check_in: checkIn, check_out: checkOut, guests: people = 1 }: Static<typeof Wish>) => {
  if ((checkIn === undefined) !== (checkOut === undefined))
    throw new Rejected('invalid', 'Send check_in and check_out together, or none of them.', {
      fields: ['check_in', 'check_out'],
    });
  if (notify === undefined && checkIn !== undefined)
    throw new Rejected('invalid', 'Send notify with the dates: it says what you want to be told for them.', {
      fields: ['notify'],
    });
  if (notify === undefined) return undefined;
  const stay = checkIn !== undefined && checkOut !== undefined ? { checkIn, checkOut, guests: people } : null;
  return notify.length === 0 ? null : { reasons: notify, stay };
};

const add = route('POST /api/v1/favorites/:type/:id', {
  id: 'addFavorite',
  access: 'user',
  summary: 'Add a favourite',
  description:
    'Safe to repeat. `notify` asks to be told of it, once for each drop of the price and each time that it becomes free.',
  params,
  body: Wish,
  reply: Favorite,
  status: 201,
  alternatives: { 200: { description: 'It was a favourite before.' } },
  errors: ['not_found', 'invalid', 'conflict'],
  projections: [favorites],
  handle: async ({ params: { type, id }, body, caller, context }, app) => {
    const { isNew, watch } = await addFavorite(app, context, caller.id, { kind: type, id }, watchIn(body));
    const reply = shownAt({ type, id, ...columnsOf(watch) }, context.at);
    return isNew ? reply : withStatus(200, reply);
  },
});

const remove = route('DELETE /api/v1/favorites/:type/:id', {
  id: 'removeFavorite',
  access: 'user',
  summary: 'Remove a favourite',
  params,
  ...NO_CONTENT,
  projections: [favorites],
  handle: async ({ params: { type, id }, caller, context }, app) => {
    await removeFavorite(app, context, caller.id, { kind: type, id });
    return null;
  },
});

const list = route('GET /api/v1/favorites/:type', {
  id: 'listFavorites',
  access: 'user',
  summary: 'List favourites of one kind',
  description: 'The newest first.',
  params: Type.Object({ type: Kind }),
  query: Type.Object({ ...pagingQuery, ...langQuery }),
  headers: languageHeader,
  reply: ListOf(FavoriteCard),
  reads: [favorites],
  handle: async ({ params: { type }, query, caller, context: { at }, request }, { db }) => {
    const [paging, language] = [pagingOf(query), languageOf(query.lang, request)];
    const { rows, total } = await listFavorites(db, caller.id, type, paging);
    const ids = rows.map(({ target_id }) => target_id);
    const cards = await favoriteCards(db, type, ids, { at, language });
    return listOf({ rows: rows.map((row) => cardOf(shownAt(row, at), cards.get(row.target_id))), total }, paging);
  },
});

const counts = route('GET /api/v1/favorites', {
  id: 'countFavorites',
  access: 'user',
  summary: 'Count favourites by kind',
  reply: Type.Object({
    data: Type.Array(Type.Object({ type: Kind, count: Type.Integer({ minimum: 0 }) }, { $id: 'FavoriteCount' })),
    total: Type.Integer({ minimum: 0 }),
  }),
  reads: [favorites],
  handle: async ({ caller }, { db }) => {
    const found = await countFavorites(db, caller.id);
    const data = favoriteKinds.map((type) => ({ type, count: found.get(type) ?? 0 }));
    return { data, total: data.reduce((sum, { count }) => sum + count, 0) };
  },
});

export const favoriteRoutes = [counts, list, add, remove];
