/** The former texts of edited posts, for their authors and admins. Those of a deleted post are gone. */

import { type Static, Type } from '@sinclair/typebox';
import { textOrNull, Uuid } from '../../domain/core/schema.ts';
import { forumsPurpose } from '../../domain/forums/purpose.ts';
import { FormerTexts, TextVersions, versionsOf } from '../engine/formerTexts.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import type { PostRow } from './posts.ts';

const Row = Type.Object({
  /** Of the post. */
  id: Uuid,
  author_id: Uuid,
  former: FormerTexts,
});
type Row = Static<typeof Row>;

export const forumPostEdits = readModel('forum_post_edits', {
  version: 1,
  row: Row,
  key: 'id',
  personal: { of: 'author_id', texts: ['former.*.body'], why: forumsPurpose, kept: 'account' },
  on: {
    ForumPostEdited: (row: Row | undefined, { streamId: id, at, data: { authorId, formerBody } }) => ({
      id,
      author_id: authorId,
      former: [...(row?.former ?? []), { body: formerBody, replaced_at: at }],
    }),
    ForumPostDeleted: () => null,
    ForumTopicDeleted: { keys: ({ data }) => [{ id: data.postId }], fold: () => null },
  },
  indexes: ['author_id'],
});

export const PostHistory = Type.Object(
  {
    post_id: Uuid,
    versions: TextVersions('post'),
  },
  { $id: 'ForumPostHistory' },
);

/** What a post has said, from when on each; also one that was removed. Nothing of one that was deleted or erased. */
export const historyOf = async (
  db: ReadDb,
  { id, body, created_at }: Pick<PostRow, 'id' | 'body' | 'created_at'>,
): Promise<Static<typeof PostHistory>> => {
  const now = textOrNull(body);
  if (now === null) return { post_id: id, versions: [] };
  const edits = await tables(db, forumPostEdits)
    .selectFrom('forum_post_edits')
    .select('former')
    .where('id', '=', id)
    .executeTakeFirst();
  const versions = versionsOf(edits?.former ?? [], { body: now, writtenAt: created_at });
  return { post_id: id, versions };
};
