/** Posts as admins and everybody see them. */
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { PostContent, PostKind, type PostState } from '../../domain/content/post.ts';
import { foldedText, wordsIn } from '../../domain/core/folded.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { hasWords, wordsOf } from '../catalog/sql.ts';
import { ONE_CHANNEL } from '../engine/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, rowColumns, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';
import { contentChannel } from './channels.ts';

/** A post with its texts in both languages. */
export const PostForm = Type.Object(
  { id: Uuid, kind: PostKind, ...snakeSchema(PostContent).properties, created_at: Instant, updated_at: Instant },
  { $id: 'Post' },
);
export type PostForm = Static<typeof PostForm>;

const Row = Type.Object({
  ...PostForm.properties,
  /** Of events, as `happening` says. */
  starts_at: Type.Union([Instant, Type.Null()]),
  ends_at: Type.Union([Instant, Type.Null()]),
  /** How often it was changed, for calendars. */
  sequence: Type.Integer(),
  /** Whether listeners were told of it. */
  is_published: Type.Boolean(),
  /** Of the post's stream. */
  revision: Type.Integer(),
});
export type PostRow = Static<typeof Row>;

/** All that is searched of a post. */
const textOf = ({ texts, happening }: Pick<PostRow, 'texts' | 'happening'>): string =>
  [texts.ru, texts.en]
    .flatMap((text) => (text ? [text.title, text.summary, text.body] : []))
    .concat(happening?.place ?? [])
    .join(' ');

const columnsOf = (content: PostContent) => ({
  ...toSnake(content),
  starts_at: content.happening?.startsAt ?? null,
  ends_at: content.happening?.endsAt ?? null,
});

export const postForm = ({ id, kind, texts, images, link, promo_code, happening, ...row }: PostRow): PostForm => {
  const { publish_at, expires_at, created_at, updated_at } = row;
  return {
    ...{ id, kind, texts, images, link, promo_code, happening },
    ...{ publish_at, expires_at, created_at, updated_at },
  };
};

export const posts = readModel('posts', {
  version: 3,
  row: Row,
  key: 'id',
  on: {
    PostCreated: (_, { streamId: id, at, revision, data: { kind, content } }) => ({
      ...{ id, kind, ...columnsOf(content) },
      ...{ sequence: 0, is_published: false, created_at: at, updated_at: at },
      revision: Number(revision),
    }),
    PostChanged: (row, { at, revision, data: { content } }) => {
      const before = existing(row);
      return {
        ...before,
        ...columnsOf(content),
        sequence: before.sequence + 1,
        updated_at: at,
        revision: Number(revision),
      };
    },
    PostPublished: (row, { revision }) => ({ ...existing(row), is_published: true, revision: Number(revision) }),
    PostUnpublished: (row, { revision }) => ({ ...existing(row), is_published: false, revision: Number(revision) }),
    PostDeleted: () => null,
  },
  folded: { folded_words: (row) => foldedText(textOf(row)) },
  indexes: [
    'publish_at desc nulls first, created_at desc, id',
    'kind, publish_at desc nulls first, created_at desc, id',
    'starts_at',
    `gin ${wordsOf('folded_words')}`,
  ],
  // Who listens gets `created` when a post is published and `removed` when it expires.
  publishTo: [
    {
      channel: contentChannel,
      idsOf: ({ is_published }) => (is_published ? ONE_CHANNEL : []),
      audience: 'guest',
    },
  ],
  wire: wireForm(PostForm, postForm),
});
/** Whether a post, by its columns, is in a state at an instant. */
export const inState: Readonly<Record<PostState, (at: string) => ReturnType<typeof sql<boolean>>>> = {
  draft: () => sql<boolean>`publish_at is null`,
  scheduled: (at) => sql<boolean>`publish_at > ${at}::timestamptz`,
  published: (at) =>
    sql<boolean>`publish_at <= ${at}::timestamptz and (expires_at is null or expires_at > ${at}::timestamptz)`,
  expired: (at) => sql<boolean>`publish_at <= ${at}::timestamptz and expires_at <= ${at}::timestamptz`,
};

export interface PostFilter extends Paging {
  readonly at: string;
  readonly kind?: PostKind | undefined;
  readonly state?: PostState | undefined;
  readonly q?: string | undefined;
  /** Of events: those that end after this instant. */
  readonly from?: string | undefined;
  /** Of events: those that start before this instant. */
  readonly to?: string | undefined;
}

/** News and promotions newest first, events in the order in which they start. */
export const listPosts = (
  db: ReadDb,
  { at, kind, state, q, from, to, ...paging }: PostFilter,
): Promise<Page<PostRow>> => {
  let found = tables(db, posts).selectFrom('posts').select(rowColumns(posts));
  if (kind) found = found.where('kind', '=', kind);
  if (state) found = found.where(inState[state](at));
  if (q !== undefined && wordsIn(q).length > 0) found = found.where(sql<boolean>`${hasWords('folded_words', q)}`);
  if (from) found = found.where(sql<boolean>`ends_at > ${from}::timestamptz`);
  if (to) found = found.where(sql<boolean>`starts_at < ${to}::timestamptz`);
  const ordered =
    kind === 'event'
      ? found.orderBy('starts_at')
      : found.orderBy(sql`publish_at desc nulls first`).orderBy('created_at', 'desc');
  return pageOf(db, ordered.orderBy('id'), paging);
};

export const postById = (db: ReadDb, id: string): Promise<PostRow | undefined> =>
  tables(db, posts).selectFrom('posts').select(rowColumns(posts)).where('id', '=', id).executeTakeFirst();
