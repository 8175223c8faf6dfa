/** Who comes to which event. */

import { Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { contentPurpose } from '../../domain/content/index.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, rowColumns, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';
import { inState, type PostRow, posts } from './posts.ts';

export const attendances = readModel('attendances', {
  version: 1,
  row: Type.Object({ post_id: Uuid, user_id: Uuid, at: Instant }),
  key: ['post_id', 'user_id'],
  personalData: {
    whose: 'user_id',
    erased: 'deleted',
    why: contentPurpose,
    retention: { until: 'the person withdraws it, or the account is erased' },
  },
  on: {
    AttendanceAnnounced: {
      keys: ({ data }) => [{ post_id: data.postId, user_id: data.userId }],
      fold: (_, { at, data }) => ({ post_id: data.postId, user_id: data.userId, at }),
    },
    AttendanceWithdrawn: {
      keys: ({ data }) => [{ post_id: data.postId, user_id: data.userId }],
      fold: () => null,
    },
  },
  indexes: ['user_id'],
});
export type AttendanceRow = RowOf<typeof attendances>;

/** How many people come to each of these events; none where nobody does. */
export const attendeesOf = async (db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  if (ids.length === 0) return new Map();
  const found = await tables(db, attendances)
    .selectFrom('attendances')
    .select(['post_id', (q) => q.fn.countAll<number>().as('people')])
    .where(sql<boolean>`post_id = any(${ids}::uuid[])`)
    .groupBy('post_id')
    .execute();
  return new Map(found.map(({ post_id, people }) => [post_id, Number(people)]));
};

/** In the order in which they said so. */
export const listAttendances = (db: ReadDb, postId: string, paging: Paging): Promise<Page<AttendanceRow>> =>
  pageOf(
    db,
    tables(db, attendances)
      .selectFrom('attendances')
      .selectAll()
      .where('post_id', '=', postId)
      .orderBy('at')
      .orderBy('user_id'),
    paging,
  );

/** The published events that a person comes to and that are not over, in the order in which they start. */
export const eventsAttendedBy = (db: ReadDb, userId: string, at: string, paging: Paging): Promise<Page<PostRow>> =>
  pageOf(
    db,
    tables(db, posts, attendances)
      .selectFrom('posts')
      .innerJoin('attendances', 'attendances.post_id', 'posts.id')
      .select(rowColumns(posts).map((column) => `posts.${column}` as const))
      .where('attendances.user_id', '=', userId)
      .where(inState.published(at))
      .where(sql<boolean>`ends_at > ${at}::timestamptz`)
      .orderBy('starts_at')
      .orderBy('id'),
    paging,
  );
