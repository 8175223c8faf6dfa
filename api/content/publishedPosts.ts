/** Published posts as everybody sees them, and what their lists have in common. */
import { type Static, Type } from '@sinclair/typebox';
import { type PostLanguage, PostText, postStateAt, textIn } from '../../domain/content/post.ts';
import { notFound } from '../../domain/core/decider.ts';
import { Instant } from '../../domain/core/schema.ts';
import { PostForm, type PostRow, postById, postForm } from '../../projections/content/posts.ts';
import type { App } from '../http/app.ts';
import { pagingQuery } from '../http/paging.ts';
import { langQuery } from './language.ts';

const { texts: _texts, kind: _kind, happening: _, promo_code: __, publish_at: ___, ...common } = PostForm.properties;
/** The fields of every published post, in one language. */
export const shownFields = {
  ...common,
  lang: { ...Type.String({ examples: ['ru'] }), description: 'The language that the texts are in.' },
  ...PostText.properties,
  published_at: Instant,
};
export const NewsItem = Type.Object(shownFields, { $id: 'NewsItem' });

export const shownPost = (row: PostRow, language: PostLanguage): Static<typeof NewsItem> => {
  const { texts, kind, happening, promo_code, publish_at, ...same } = postForm(row);
  return { ...same, ...textIn(texts, language), published_at: publish_at ?? row.created_at };
};

/** Query fields of the lists. */
export const searching = {
  ...pagingQuery,
  ...langQuery,
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Words, or their beginnings.' })),
};
export const Lang = Type.Object(langQuery);
export const cache = { maxAge: 60, shared: true } as const;
export const LIVE = 'The channel `content` tells of changes.';

const WORDS: Readonly<Record<PostRow['kind'], string>> = {
  news: 'news item',
  promotion: 'promotion',
  event: 'event',
};

/** @throws Rejected `not_found` for a post that nobody sees, or of another kind */
export const publishedPost = async (
  { db }: Pick<App, 'db'>,
  kind: PostRow['kind'],
  id: string,
  at: string,
): Promise<PostRow> => {
  const row = await postById(db, id);
  const isShown = row && postStateAt({ publishAt: row.publish_at, expiresAt: row.expires_at }, at) === 'published';
  if (!isShown || row.kind !== kind) throw notFound(WORDS[kind]);
  return row;
};
