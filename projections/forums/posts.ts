/** Posts. One that is deleted or removed stays as a tombstone, so that numbers, replies and quotes keep their meaning. */

import { type Static, Type } from '@sinclair/typebox';
import { foldedText } from '../../domain/core/folded.ts';
import { ERASED, Instant, isPlaceholder, Nullable, OneOf, textOrNull, Uuid } from '../../domain/core/schema.ts';
import { forumsPurpose } from '../../domain/forums/index.ts';
import type { ReactionKind } from '../../domain/forums/reaction.ts';
import { PostReference, type PostWritten } from '../../domain/forums/topicEvents.ts';
import { type JsonText, withFields } from '../../infra/jsonText.ts';
import { toSnake } from '../../infra/naming.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { wordsOf } from '../catalog/sql.ts';
import { isAnyOf, type ReadDb, rowColumns, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { formsOf } from '../engine/replies.ts';
import { type Cursor, type SeqPage, seqPageOf } from '../engine/seqPages.ts';
import { rowsById } from '../engine/statements.ts';
import { type Audience, SeenBy, wireFormWith } from '../engine/wire.ts';
import { Attachment, AttachmentRow, attachmentsOf } from '../files/links.ts';
import { authorsOf } from './authors.ts';
import { topicChannel } from './channels.ts';
import { inPeriods, periodsOf } from './periods.ts';
import { ReactionCount, reactionsOf } from './reactions.ts';

const Fields = {
  id: Uuid,
  topic_id: Uuid,
  seq: Type.Integer({ description: 'Its number within the topic: 1, 2, and so on.' }),
  author_id: Uuid,
  reply_to_id: Nullable(Uuid),
  reply_to_seq: Nullable(Type.Integer()),
  quotes: Type.Array(PostReference, { description: 'Other posts of the topic, which it quotes.' }),
  mentions: Type.Array(Uuid),
  client_post_id: Nullable(Type.String()),
  created_at: Instant,
  edited_at: Nullable(Instant),
};
const Row = Type.Object({
  ...Fields,
  /** null: deleted by its author. What a moderator has removed stays, hidden. */
  body: Nullable(Type.String()),
  mentions: Type.Array(Uuid, { column: 'uuid[]' }),
  pictures: Type.Array(AttachmentRow),
  is_deleted: Type.Boolean(),
  is_removed: Type.Boolean(),
});
export type PostRow = Static<typeof Row>;

export const ForumPost = Type.Object(
  {
    ...Fields,
    author: Type.String({ description: 'First name and initial; `Deleted user` once the account is erased.' }),
    body: Nullable(Type.String({ description: 'null: see `deletion`.' })),
    image_url: Nullable(Type.String({ description: 'The first of its pictures.' })),
    pictures: Type.Array(Attachment),
    deletion: Nullable(
      OneOf(['author', 'moderator', 'erased'] as const, {
        description: 'Why it has no text. `erased`: the account of its author was erased.',
      }),
    ),
    reactions: Type.Array(ReactionCount, { description: 'How many people have reacted to it.' }),
    removed_body: SeenBy(['admin'], Type.String(), 'What a post that a moderator has removed says.'),
  },
  { $id: 'ForumPost' },
);
export type ForumPost = Static<typeof ForumPost>;

const deletionOf = ({ body, is_deleted, is_removed }: PostRow): ForumPost['deletion'] => {
  if (is_deleted) return 'author';
  if (is_removed) return 'moderator';
  return body !== null && isPlaceholder(body) ? 'erased' : null;
};

/** The row of a post that was written. */
export const writtenRow = (topic_id: string, post: PostWritten, created_at: string): PostRow => ({
  id: post.postId,
  topic_id,
  seq: post.seq,
  author_id: post.authorId,
  body: post.body,
  reply_to_id: post.replyTo?.id ?? null,
  reply_to_seq: post.replyTo?.seq ?? null,
  quotes: post.quotes,
  mentions: post.mentions,
  pictures: toSnake([...post.pictures]),
  client_post_id: post.clientPostId,
  created_at,
  edited_at: null,
  is_deleted: false,
  is_removed: false,
});

export const tombstone = (row: PostRow): PostRow => ({
  ...row,
  body: null,
  mentions: [],
  pictures: [],
  is_deleted: true,
});

/** Body and picture of a post are shown to everybody, or to admins only. */
const isHidden = ({ body, is_removed }: Pick<PostRow, 'body' | 'is_removed'>, audience: Audience): boolean =>
  textOrNull(body) === null || (is_removed && audience !== 'admin');

/** The post of a reaction stays as it is. */
const reacted = {
  keys: ({ data }: { readonly data: { readonly postId: string } }) => [{ id: data.postId }],
  fold: (row: PostRow | undefined): PostRow | null => row ?? null,
};

export const forumPosts = readModel('forum_posts', {
  version: 4,
  row: Row,
  key: 'id',
  wire: wireFormWith({
    schema: ForumPost,
    make: (row: PostRow) => {
      const { body, is_removed, pictures: _, ...rest } = row;
      const text = textOrNull(body);
      return {
        ...rest,
        body: is_removed ? null : text,
        deletion: deletionOf(row),
        ...(is_removed && text !== null && { removed_body: text }),
      };
    },
    overlay: {
      fields: ['author', 'pictures', 'image_url', 'reactions'],
      needs: ['id', 'author_id', 'body', 'pictures', 'is_removed'],
      read: async (db, rows) => {
        const [authorOf, reactions] = await Promise.all([
          authorsOf(db, rows),
          reactionsOf(
            db,
            rows.map(({ id }) => id),
          ),
        ]);
        return (row, audience, at) => {
          const pictures = isHidden(row, audience) ? [] : attachmentsOf(row.pictures, at);
          return {
            author: authorOf(row),
            pictures,
            image_url: pictures[0]?.url ?? null,
            reactions: reactions.get(row.id) ?? [],
          };
        };
      },
    },
  }),
  personalData: {
    whose: 'author_id',
    texts: ['body', 'client_post_id'],
    reportedAs: 'forum_post',
    others: { 'mentions.*': keptBecause.with },
    why: forumsPurpose,
    retention: 'account',
  },
  on: {
    ForumPostWritten: {
      keys: ({ data }) => [{ id: data.postId }],
      fold: (_, { streamId, at, data }) => writtenRow(streamId, data, at),
    },
    ForumPostEdited: (row, { at, data: { body, mentions } }) => ({ ...existing(row), body, mentions, edited_at: at }),
    ForumPostDeleted: (row) => tombstone(existing(row)),
    ForumTopicDeleted: {
      keys: ({ data }) => [{ id: data.postId }],
      fold: (row) => tombstone(existing(row)),
    },
    ForumPostRemoved: (row) => ({ ...existing(row), is_removed: true }),
    ForumPostRestored: (row) => ({ ...existing(row), is_removed: false }),
    // Its form has the numbers of reactions: whoever follows the topic gets it with the new ones.
    ForumReactionGiven: reacted,
    ForumReactionWithdrawn: reacted,
  },
  folded: {
    folded_body: ({ body }) => foldedText(body ?? ''),
    posted_in: ({ created_at }) => periodsOf(created_at),
  },
  indexes: [
    'unique topic_id, seq',
    'author_id, created_at',
    `gin ${wordsOf('folded_body')}, ${inPeriods('posted_in')}`,
  ],
  publishTo: [
    {
      channel: topicChannel,
      idsOf: ({ topic_id }) => [topic_id],
      audience: 'guest',
      withdraws: (before, after) =>
        before.body !== after.body || (after.is_removed && !before.is_removed) ? after : null,
    },
  ],
});

/** Whether everybody can read what it says. SQL for `forum_posts` under this alias. */
export const readable = (alias: string): string =>
  `not ${alias}.is_deleted and not ${alias}.is_removed and ${alias}.body <> '${ERASED}'`;

const byIds = rowsById((db, ids) =>
  tables(db, forumPosts).selectFrom('forum_posts').select(rowColumns(forumPosts)).where(isAnyOf('id', ids)),
);

/** Those that exist, in any order. */
export const postsByIds = async (db: ReadDb, ids: readonly string[]): Promise<PostRow[]> => {
  // Rows that others ask for at the same time are among them.
  const found = await byIds(db, ids);
  return ids.flatMap((id) => found.get(id) ?? []);
};
export const postById = async (db: ReadDb, id: string): Promise<PostRow | undefined> => (await byIds(db, [id])).get(id);

/** At most `limit` posts of a topic. */
export const pageOfPosts = (db: ReadDb, topicId: string, cursor: Cursor, limit: number): Promise<SeqPage<PostRow>> =>
  seqPageOf(
    tables(db, forumPosts).selectFrom('forum_posts').select(rowColumns(forumPosts)).where('topic_id', '=', topicId),
    cursor,
    limit,
  );

/** Posts as an audience sees them. */
export const showPosts = async (
  db: ReadDb,
  rows: readonly PostRow[],
  audience: Audience,
): Promise<JsonText<ForumPost>[]> => {
  const formFor = await formsOf(db, forumPosts, rows, [audience]);
  return rows.map((row) => formFor(row, audience) as JsonText<ForumPost>);
};

/** With the reaction of the person who reads them. @param own post → reaction */
export const withOwnReactions = (
  forms: readonly JsonText<ForumPost>[],
  rows: readonly Pick<PostRow, 'id'>[],
  own: ReadonlyMap<string, ReactionKind>,
): JsonText<ForumPost & { own_reaction: ReactionKind | null }>[] =>
  forms.map((form, n) => withFields(form, { own_reaction: own.get(rows[n]?.id ?? '') ?? null }));
