/**
 * The former texts of edited posts, for their authors and admins. Those of a deleted post are gone, unless it was reported
 * before its author deleted it: then admins have all that it said, and for a while its pictures.
 */

import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import type { FileFacts } from '../../domain/files/file.ts';
import { forumsPurpose } from '../../domain/forums/purpose.ts';
import { FormerTexts, TextVersions, versionsFor, withFormer } from '../engine/formerTexts.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { Evidence, evidenceAt, KeptFiles, keptAt, NO_FILES } from '../files/evidence.ts';
import type { PostRow } from './posts.ts';

const Row = Type.Object({
  /** Of the post. */
  id: Uuid,
  topic_id: Uuid,
  author_id: Uuid,
  /** Deleted while a report was open. */
  is_deleted: Type.Boolean(),
  former: FormerTexts,
  ...KeptFiles,
});
type Row = Static<typeof Row>;

interface Replaced {
  readonly id: string;
  readonly topicId: string;
  readonly authorId: string;
  readonly formerBody: string;
  readonly at: string;
}
const edited = (row: Row | undefined, { id, topicId, authorId, ...replaced }: Replaced): Row => ({
  id,
  topic_id: topicId,
  author_id: authorId,
  is_deleted: row?.is_deleted ?? false,
  former: withFormer(row?.former, replaced),
  ...NO_FILES,
});

interface Left {
  readonly formerBody?: string;
  readonly keptFiles?: readonly FileFacts[];
}
/** What stays of a post that its author deletes. What was kept once stays when its topic is deleted, too. */
const kept = (
  row: Row | undefined,
  { id, topicId, authorId, at, formerBody, keptFiles = [] }: Omit<Replaced, 'formerBody'> & Left,
): Row | null => {
  if (row?.is_deleted) return row;
  if (formerBody === undefined) return null;
  return { ...edited(row, { id, topicId, authorId, formerBody, at }), is_deleted: true, ...keptAt(at, keptFiles) };
};

export const forumPostEdits = readModel('forum_post_edits', {
  version: 3,
  row: Row,
  key: 'id',
  personal: {
    of: 'author_id',
    texts: ['former.*.body'],
    why: forumsPurpose,
    kept: 'account',
    seenBy: ['self', 'admins'],
  },
  on: {
    ForumPostEdited: (row: Row | undefined, { streamId: id, at, data: { topicId, authorId, formerBody } }) =>
      edited(row, { id, topicId, authorId, formerBody, at }),
    ForumPostDeleted: (row, { streamId: id, at, data }) => kept(row, { id, at, ...data }),
    ForumTopicDeleted: {
      keys: ({ data }) => [{ id: data.postId }],
      fold: (row, { streamId: topicId, at, data }) => kept(row, { id: data.postId, topicId, at, ...data }),
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
  const text = { body, writtenAt: created_at, isDeleted: is_deleted, former: edits?.former };
  const versions = versionsFor(reader, text);
  return { post_id: id, versions, pictures: versions.length > 0 ? evidenceAt(at, edits) : [] };
};
