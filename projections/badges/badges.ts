/** The badges that there are. Retired ones stay: people have them. */
import { type Static, Type } from '@sinclair/typebox';
import { Badge } from '../../domain/badges/catalogue.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';

const Row = Type.Object({ id: Uuid, ...Badge.properties, created_at: Instant, retired_at: Nullable(Instant) });
export type BadgeRow = Static<typeof Row>;

const keys = ({ data }: { readonly data: { readonly badgeId: string } }) => [{ id: data.badgeId }];

export const badges = readModel('badges', {
  version: 1,
  row: Row,
  key: 'id',
  on: {
    BadgeDefined: {
      keys,
      fold: (_, { at, data: { badgeId: id, badge } }) => ({ id, ...badge, created_at: at, retired_at: null }),
    },
    BadgeChanged: { keys, fold: (row, { data: { badge } }) => ({ ...existing(row), ...badge }) },
    BadgeRetired: { keys, fold: (row, { at }) => ({ ...existing(row), retired_at: at }) },
  },
});

const rows = (db: ReadDb) => tables(db, badges).selectFrom('badges').selectAll();

/** Those that can be earned, the oldest first. */
export const listBadges = (db: ReadDb, paging: Paging): Promise<Page<BadgeRow>> =>
  pageOf(db, rows(db).where('retired_at', 'is', null).orderBy('created_at').orderBy('id'), paging);

/** Those that can be earned, and these others. */
export const badgesFor = (db: ReadDb, held: readonly string[]): Promise<BadgeRow[]> =>
  rows(db)
    .where((e) => e.or([e('retired_at', 'is', null), isAnyOf('id', held)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const badgeById = (db: ReadDb, id: string): Promise<BadgeRow | undefined> =>
  rows(db).where('id', '=', id).executeTakeFirst();
