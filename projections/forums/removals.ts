/** What moderators have removed, and why: for its author and admins. */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, OneOf, textOrNull, Uuid } from '../../domain/core/schema.ts';
import { forumsPurpose } from '../../domain/forums/index.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';

const Row = Type.Object({
  /** Of the post or topic. */
  id: Uuid,
  kind: OneOf(['post', 'topic'] as const),
  topic_id: Uuid,
  author_id: Uuid,
  reason: Type.String(),
  removed_at: Instant,
});
type Row = Static<typeof Row>;

export const forumRemovals = readModel('forum_removals', {
  version: 1,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'author_id',
    texts: ['reason'],
    why: forumsPurpose,
    retention: 'account',
    seenBy: ['self', 'admins'],
  },
  on: {
    ForumPostRemoved: (_: Row | undefined, { streamId: id, at, data: { topicId, authorId, reason } }) => ({
      ...{ id, kind: 'post' as const, topic_id: topicId, author_id: authorId, reason, removed_at: at },
    }),
    ForumTopicRemoved: (_, { streamId: id, at, data: { authorId, reason } }) => ({
      ...{ id, kind: 'topic' as const, topic_id: id, author_id: authorId, reason, removed_at: at },
    }),
    ForumPostRestored: () => null,
    ForumPostDeleted: () => null,
    ForumTopicDeleted: { keys: ({ data }) => [{ id: data.postId }], fold: () => null },
    ForumTopicRestored: () => null,
  },
  indexes: ['author_id, removed_at desc, id', 'removed_at desc, id'],
});

export const Removal = Type.Object(
  {
    ...Row.properties,
    id: { ...Uuid, description: 'Of the post or topic.' },
    reason: Type.Union([Type.String(), Type.Null()], { description: 'null: the account of the author was erased.' }),
  },
  { $id: 'ForumRemoval' },
);

/** The newest first. @param authorId undefined: of everybody */
export const listRemovals = async (
  db: ReadDb,
  { authorId, ...paging }: Paging & { readonly authorId?: string },
): Promise<Page<Static<typeof Removal>>> => {
  const found = tables(db, forumRemovals)
    .selectFrom('forum_removals')
    .selectAll()
    .$if(authorId !== undefined, (q) => q.where('author_id', '=', authorId as string));
  const { rows, total } = await pageOf(db, found.orderBy('removed_at', 'desc').orderBy('id'), paging);
  return { rows: rows.map((row) => ({ ...row, reason: textOrNull(row.reason) })), total };
};
