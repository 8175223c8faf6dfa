/** The former texts of edited posts, and what is kept of deleted ones. */

import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import type { FileFacts } from '../../domain/files/file.ts';
import { forumsPurpose } from '../../domain/forums/index.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { afterDeletion, Evidence, History, historyFor, TextVersions, withFormer } from '../reports/textHistory.ts';
import type { PostRow } from './posts.ts';

const Row = Type.Object({
  /** Of the post. */
  id: Uuid,
  topic_id: Uuid,
  author_id: Uuid,
  /** Deleted while a report was open. */
  is_deleted: Type.Boolean(),
  ...History,
});
type Row = Static<typeof Row>;

interface Deleted {
  readonly id: string;
  readonly topicId: string;
  readonly authorId: string;
  readonly formerBody?: string;
  readonly keptFiles?: readonly FileFacts[];
}
/** What stays of a post that its author deletes. What was kept once stays when its topic is deleted, too. */
const deleted = (row: Row | undefined, { id, topicId, authorId, ...left }: Deleted, at: string): Row | null => {
  if (row?.is_deleted) return row;
  const history = afterDeletion(row, left, at);
  return history && { id, topic_id: topicId, author_id: authorId, is_deleted: true, ...history };
};

export const forumPostEdits = readModel('forum_post_edits', {
  version: 3,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'author_id',
    texts: ['former.*.body'],
    why: forumsPurpose,
    retention: 'account',
    seenBy: ['self', 'admins'],
  },
  on: {
    ForumPostEdited: (row: Row | undefined, { streamId: id, at, data: { topicId, authorId, formerBody } }) => ({
      ...{ id, topic_id: topicId, author_id: authorId, is_deleted: row?.is_deleted ?? false },
      ...withFormer(row, formerBody, at),
    }),
    ForumPostDeleted: (row, { streamId: id, at, data }) => deleted(row, { id, ...data }, at),
    ForumTopicDeleted: {
      keys: ({ data }) => [{ id: data.postId }],
      fold: (row, { streamId: topicId, at, data }) => deleted(row, { id: data.postId, topicId, ...data }, at),
    },
    EvidenceEnded: {
      keys: ({ data: { subject } }) => (subject.kind === 'forum_post' ? [{ id: subject.id }] : []),
      fold: (row) => (row === undefined || row.is_deleted ? null : row),
    },
  },
  indexes: ['author_id', 'topic_id'],
});

export const PostHistory = Type.Object(
  {
    post_id: Uuid,
    versions: TextVersions('post'),
    pictures: Evidence('post'),
  },
  { $id: 'ForumPostHistory' },
);

/** Whether something of a topic that its author deleted was kept for admins. */
export const isKept = async (db: ReadDb, topicId: string): Promise<boolean> => {
  const texts = tables(db, forumPostEdits).selectFrom('forum_post_edits').select('id').where('topic_id', '=', topicId);
  return (await texts.where('is_deleted', '=', true).limit(1).executeTakeFirst()) !== undefined;
};

/**
 * What a post has said, as its author or an admin reads it; also one that was removed.
 * @param at when it is read, RFC 3339
 */
export const historyOf = async (
  db: ReadDb,
  { id, body, created_at, is_deleted }: Pick<PostRow, 'id' | 'body' | 'created_at' | 'is_deleted'>,
  reader: 'author' | 'admin',
  at: string,
): Promise<Static<typeof PostHistory>> => {
  const edits = await tables(db, forumPostEdits)
    .selectFrom('forum_post_edits')
    .select(['former', 'kept_files', 'kept_until'])
    .where('id', '=', id)
    .executeTakeFirst();
  const now = { body, writtenAt: created_at, gone: is_deleted ? ('deleted' as const) : null };
  const { versions, files } = historyFor(reader, now, edits, at);
  return { post_id: id, versions, pictures: files };
};
