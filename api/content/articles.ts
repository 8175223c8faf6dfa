/** News and promotions, for everybody. */
import { type Static, Type } from '@sinclair/typebox';
import type { PostLanguage } from '../../domain/content/post.ts';
import { listPosts, PostForm, type PostRow, posts } from '../../projections/content/posts.ts';
import type { App } from '../http/app.ts';
import { ListOf, paged } from '../http/paging.ts';
import { ById, type Input, route } from '../http/route.ts';
import { languageHeader, languageOf } from './language.ts';
import { cache, Lang, LIVE, NewsItem, publishedPost, searching, shownFields, shownPost } from './publishedPosts.ts';

const Promotion = Type.Object({ ...shownFields, promo_code: PostForm.properties.promo_code }, { $id: 'Promotion' });
const shownPromotion = (row: PostRow, language: PostLanguage): Static<typeof Promotion> => ({
  ...shownPost(row, language),
  promo_code: row.promo_code,
});

type Show<T> = (row: PostRow, language: PostLanguage) => T;
const Search = Type.Object(searching);

const list =
  <T>(kind: PostRow['kind'], show: Show<T>) =>
  ({ query, context, request }: Input<'public', undefined, typeof Search, undefined>, { db }: Pick<App, 'db'>) => {
    const language = languageOf(query.lang, request);
    return paged(
      query,
      (paging) => listPosts(db, { ...paging, kind, state: 'published', q: query.q, at: context.at }),
      (row) => show(row, language),
    );
  };
const one =
  <T>(kind: PostRow['kind'], show: Show<T>) =>
  async (
    { params, query, context, request }: Input<'public', typeof ById, typeof Lang, undefined>,
    app: Pick<App, 'db'>,
  ) =>
    show(await publishedPost(app, kind, params.id, context.at), languageOf(query.lang, request));

/** What the declarations share. */
const shared = { access: 'public', headers: languageHeader, reads: [posts], cache } as const;
const listing = { ...shared, description: `Newest first. ${LIVE}`, query: Search } as const;
const single = { ...shared, params: ById, query: Lang, errors: ['not_found'] } as const;

export const articleRoutes = [
  route('GET /api/v1/news', {
    ...listing,
    id: 'listNews',
    summary: 'List news',
    reply: ListOf(NewsItem),
    handle: list('news', shownPost),
  }),
  route('GET /api/v1/news/:id', {
    ...single,
    id: 'getNewsItem',
    summary: 'Get a news item',
    reply: NewsItem,
    handle: one('news', shownPost),
  }),
  route('GET /api/v1/promotions', {
    ...listing,
    id: 'listPromotions',
    summary: 'List promotions',
    reply: ListOf(Promotion),
    handle: list('promotion', shownPromotion),
  }),
  route('GET /api/v1/promotions/:id', {
    ...single,
    id: 'getPromotion',
    summary: 'Get a promotion',
    reply: Promotion,
    handle: one('promotion', shownPromotion),
  }),
];
