/** News, promotions and events, written by admins. */
import { type Static, Type } from '@sinclair/typebox';
import { changePost, createPost, deletePost, type Posted } from '../../commands/content/posts.ts';
import { PostContent, PostKind, PostText, post, postStateAt, postStates } from '../../domain/content/post.ts';
import { notFound } from '../../domain/core/decider.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { typedCode } from '../../domain/promotions/promoCode.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { attendances, listAttendances } from '../../projections/content/attendances.ts';
import { listPosts, PostForm, postById, postForm, posts } from '../../projections/content/posts.ts';
import { Pictures } from '../catalog/listingWire.ts';
import { tellRevision } from '../http/conditional.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';

const PUBLISHED = { none: 'what everybody sees, or will see' };

const State = OneOf(postStates);
const AdminPost = Type.Object(
  { ...PostForm.properties, state: { ...State, description: 'At the time of the reply.' } },
  { $id: 'AdminPost' },
);
const Attendee = Type.Object({ user_id: Uuid, at: attendances.row.properties.at }, { $id: 'Attendee' });

const { texts: _, images: __, promo_code: ___, ...same } = snakeSchema(PostContent).properties;
const Written = Type.Object({
  title: PostText.properties.title,
  summary: Type.Optional(PostText.properties.summary),
  body: Type.Optional(PostText.properties.body),
});
const NoText = Type.Null({ description: 'Not translated.' });
const input = {
  texts: Type.Object({
    ru: Type.Optional(Type.Union([Written, NoText])),
    en: Type.Optional(Type.Union([Written, NoText])),
  }),
  images: Pictures,
  ...same,
  promo_code: Type.Union([Type.String({ minLength: 3, maxLength: 40 }), Type.Null()]),
};
const Input = Type.Partial(Type.Object(input));

const textOf = (written: Static<typeof Written> | null | undefined) =>
  written ? { title: written.title, summary: written.summary ?? '', body: written.body ?? '' } : null;

/** The fields that were sent. Texts are replaced as a whole. */
const contentOf = ({ texts, promo_code, ...sent }: Static<typeof Input>) => ({
  ...toCamel(sent),
  ...(texts && { texts: { ru: textOf(texts.ru), en: textOf(texts.en) } }),
  ...(promo_code !== undefined && { promoCode: promo_code && typedCode(promo_code) }),
});
const empty = {
  texts: { ru: null, en: null },
  images: [],
  link: null,
  promoCode: null,
  happening: null,
  publishAt: null,
  expiresAt: null,
};

const withState = (form: PostForm, at: string): Static<typeof AdminPost> => ({
  ...form,
  state: postStateAt({ publishAt: form.publish_at, expiresAt: form.expires_at }, at),
});
const shown = ({ postId: id, kind, content }: Posted, created_at: string, at: string) =>
  withState({ id, kind, ...toSnake(content), created_at, updated_at: at }, at);

const POST = { what: 'the post', category: post.category };

const list = route('GET /api/v1/admin/posts', {
  id: 'listPosts',
  access: 'admin',
  harm: PUBLISHED,
  summary: 'List news, promotions and events',
  description: 'Also drafts, scheduled and expired ones, with their texts in both languages.',
  query: Type.Object({
    ...pagingQuery,
    kind: Type.Optional(PostKind),
    state: Type.Optional(State),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
  reply: ListOf(AdminPost),
  reads: [posts],
  handle: ({ query: { kind, state, q, ...query }, context: { at } }, { db }) =>
    paged(
      query,
      (paging) => listPosts(db, { ...paging, kind, state, q, at }),
      (row) => withState(postForm(row), at),
    ),
});

const get = route('GET /api/v1/admin/posts/:id', {
  id: 'getPost',
  access: 'admin',
  harm: PUBLISHED,
  summary: 'Get a news item, promotion or event',
  params: ById,
  reply: AdminPost,
  reads: [posts],
  errors: ['not_found'],
  cache: { maxAge: 0, revisionOf: 'told' },
  handle: async ({ params, context: { at }, request }, { db }) => {
    const row = await postById(db, params.id);
    if (!row) throw notFound('post');
    tellRevision(request, row.revision);
    return withState(postForm(row), at);
  },
});

const create = route('POST /api/v1/admin/posts', {
  id: 'createPost',
  access: 'admin',
  harm: 'safety',
  summary: 'Write a news item, promotion or event',
  description:
    'Everybody sees it from `publish_at` until `expires_at`. Without `publish_at` it is a draft. An event needs `happening`.',
  body: Type.Object({ kind: PostKind, ...Input.properties, texts: input.texts }, { $id: 'NewPost' }),
  status: 201,
  reply: AdminPost,
  errors: ['invalid', 'not_found', 'conflict'],
  projections: [posts],
  handle: async ({ body: { kind, ...sent }, context }, app) =>
    shown(await createPost(app, context, kind, { ...empty, ...contentOf(sent) }), context.at, context.at),
});

const change = route('PATCH /api/v1/admin/posts/:id', {
  id: 'updatePost',
  access: 'admin',
  harm: 'safety',
  summary: 'Update a news item, promotion or event',
  description:
    'Fields that are left out keep their values; `texts`, `images` and `happening` are replaced as a whole. `publish_at: null` takes it back to the drafts.',
  params: ById,
  ifMatch: POST,
  body: Type.Object(Input.properties, { minProperties: 1, $id: 'PostUpdate' }),
  reply: AdminPost,
  errors: ['not_found', 'invalid', 'conflict'],
  projections: [posts],
  handle: async ({ params, body, context }, app) => {
    const changed = await changePost(app, context, params.id, contentOf(body));
    const before = await postById(app.db, params.id);
    return shown(changed, before?.created_at ?? context.at, context.at);
  },
});

const remove = route('DELETE /api/v1/admin/posts/:id', {
  id: 'deletePost',
  access: 'admin',
  harm: 'safety',
  summary: 'Delete a news item, promotion or event',
  params: ById,
  ifMatch: POST,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: [posts],
  handle: async ({ params, context }, app) => {
    await deletePost(app, context, params.id);
    return null;
  },
});

const attendees = route('GET /api/v1/admin/events/:id/attendees', {
  id: 'listAttendees',
  access: 'admin',
  harm: 'content',
  summary: 'List who comes to an event',
  description: 'In the order in which they said so.',
  params: ById,
  query: Type.Object(pagingQuery),
  reply: ListOf(Attendee),
  reads: [posts, attendances],
  errors: ['not_found'],
  handle: async ({ params, query }, { db }) => {
    const row = await postById(db, params.id);
    if (row?.kind !== 'event') throw notFound('event');
    return paged(
      query,
      (paging) => listAttendances(db, params.id, paging),
      ({ user_id, at }) => ({ user_id, at }),
    );
  },
});

export const adminPostRoutes = [list, get, create, change, remove, attendees];
