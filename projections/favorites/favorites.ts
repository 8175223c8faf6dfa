/** What people have marked to find it again. */

import { type Static, Type } from '@sinclair/typebox';
import { DateOnly, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { hasBegun, Target, type Watch, WatchedStay } from '../../domain/favorites/favorites.ts';
import { favoritesPurpose } from '../../domain/favorites/index.ts';
import { type FavoriteKind, watchReasons } from '../../domain/favorites/kinds.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { statement } from '../engine/statements.ts';

/** What the person is told, and for which dates. */
export const watchColumns = {
  notify: Type.Array(OneOf(watchReasons)),
  check_in: Nullable(DateOnly),
  check_out: Nullable(DateOnly),
  guests: Nullable(WatchedStay.properties.guests),
};
export const columnsOf = (watch: Watch | null) => ({
  notify: watch?.reasons ?? [],
  check_in: watch?.stay?.checkIn ?? null,
  check_out: watch?.stay?.checkOut ?? null,
  guests: watch?.stay?.guests ?? null,
});
/** What is shown at an instant: a watch of dates ends when they have begun. */
export const shownAt = <Row extends ReturnType<typeof columnsOf>>(row: Row, at: string): Row =>
  hasBegun(row.check_in, at) ? { ...row, ...columnsOf(null) } : row;

const Row = Type.Object({
  user_id: Uuid,
  kind: Target.properties.kind,
  target_id: Uuid,
  ...watchColumns,
  added_at: Instant,
});
export type FavoriteRow = Static<typeof Row>;

const rowOfTarget = ({ streamId, data }: { streamId: string; data: { target: Target } }) => [
  { user_id: streamId, kind: data.target.kind, target_id: data.target.id },
];

export const favorites = readModel('favorites', {
  version: 1,
  row: Row,
  key: ['user_id', 'kind', 'target_id'],
  personalData: {
    whose: 'user_id',
    erased: 'deleted',
    why: favoritesPurpose,
    retention: { until: 'the person removes it, or the account is erased' },
  },
  on: {
    FavoriteAdded: {
      keys: rowOfTarget,
      fold: (_, { at }, key) => ({ ...key, ...columnsOf(null), added_at: at }),
    },
    FavoriteRemoved: { keys: rowOfTarget, fold: () => null },
    FavoriteWatchSet: {
      keys: rowOfTarget,
      fold: (row, { data }) => (row ? { ...row, ...columnsOf(data.watch) } : null),
    },
  },
  indexes: ['user_id, kind, added_at desc, target_id'],
});

const of = (db: ReadDb, userId: string) => tables(db, favorites).selectFrom('favorites').where('user_id', '=', userId);

/** Those of one kind, the newest first. */
export const listFavorites = (
  db: ReadDb,
  userId: string,
  kind: FavoriteKind,
  paging: Paging,
): Promise<Page<FavoriteRow>> =>
  pageOf(
    db,
    of(db, userId).selectAll().where('kind', '=', kind).orderBy('added_at', 'desc').orderBy('target_id'),
    paging,
  );

/** How many of each kind. */
export const countFavorites = async (db: ReadDb, userId: string): Promise<ReadonlyMap<string, number>> => {
  const rows = await of(db, userId)
    .select(['kind', (q) => q.fn.countAll<number>().as('count')])
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]));
};

const marked = statement<
  { readonly userId: string; readonly kind: string; readonly ids: readonly string[] },
  { target_id: string }
>((db, { userId, kind, ids }) =>
  of(db, userId).select('target_id').where('kind', '=', kind).where(isAnyOf('target_id', ids)),
);

/** Which of these things of a kind the person has marked. */
export const favoritesAmong = async (
  db: ReadDb,
  userId: string,
  kind: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set();
  return new Set((await marked(db, { userId, kind, ids })).map(({ target_id }) => target_id));
};
