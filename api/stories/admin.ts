/** Stories of the resort, written by admins. */
import { type Static, Type } from '@sinclair/typebox';
import {
  changeResortStory,
  createResortStory,
  deleteResortStory,
  type ResortStoryInput,
} from '../../commands/stories/resortStories.ts';
import { notFound } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { ResortStoryContent } from '../../domain/stories/resortStory.ts';
import { SHOWN_MS } from '../../domain/stories/story.ts';
import { snakeSchema } from '../../infra/naming.ts';
import { resortStories, resortStoryById } from '../../projections/stories/queries.ts';
import { resortRow, stories } from '../../projections/stories/stories.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { ResortStory, resortStoryOf } from './wire.ts';

const OF_THE_RESORT = { none: 'stories of the resort, which everybody sees' };

const { title, text, link, roles, publish_at, expires_at } = snakeSchema(ResortStoryContent).properties;
const Input = Type.Object(
  {
    title,
    media_id: { ...Uuid, description: 'A file of yours in the folder `stories`, or the one that it shows already.' },
    text: Type.Optional(text),
    link: Type.Optional({ ...link, description: 'Where it leads.' }),
    roles: Type.Optional({ ...roles, description: 'Who sees it; empty: everybody who is signed in.' }),
    publish_at: Type.Optional({ ...publish_at, description: 'Now by default.' }),
    expires_at: Type.Optional({ ...expires_at, description: '24 hours after `publish_at` by default.' }),
  },
  { $id: 'ResortStoryInput' },
);

const contentOf = (sent: Static<typeof Input>, at: string): ResortStoryInput => {
  const publishAt = sent.publish_at ?? at;
  return {
    ...{ title: sent.title, mediaId: sent.media_id, text: sent.text ?? '', link: sent.link ?? null },
    ...{ roles: sent.roles ?? [], publishAt },
    expiresAt: sent.expires_at ?? addMs(publishAt, SHOWN_MS),
  };
};

const list = route('GET /api/v1/stories/admin', {
  id: 'listResortStories',
  access: 'admin',
  harm: OF_THE_RESORT,
  summary: 'List stories of the resort',
  description: 'The newest first. Scheduled and expired ones are included.',
  query: Type.Object(pagingQuery),
  reply: ListOf(ResortStory),
  reads: [stories],
  handle: ({ query, caller, context: { at } }, { db }) =>
    paged(
      query,
      (paging) => resortStories(db, caller.id, paging),
      (row) => resortStoryOf(row, at),
    ),
});

const get = route('GET /api/v1/stories/admin/:id', {
  id: 'getResortStory',
  access: 'admin',
  harm: OF_THE_RESORT,
  summary: 'Get a story of the resort',
  params: ById,
  reply: ResortStory,
  reads: [stories],
  errors: ['not_found'],
  handle: async ({ params, caller, context: { at } }, { db }) => {
    const row = await resortStoryById(db, caller.id, params.id);
    if (!row) throw notFound('story');
    return resortStoryOf(row, at);
  },
});

const create = route('POST /api/v1/stories/admin', {
  id: 'createResortStory',
  access: 'admin',
  harm: OF_THE_RESORT,
  summary: 'Write a story of the resort',
  body: Input,
  reply: ResortStory,
  status: 201,
  errors: ['invalid', 'not_found', 'conflict'],
  projections: [stories],
  handle: async ({ body, context }, app) => {
    const { at } = context;
    const { id, content } = await createResortStory(app, context, contentOf(body, at));
    return resortStoryOf({ ...resortRow(id, content, { created_at: at, updated_at: at }), views: 0, likes: 0 }, at);
  },
});

const replace = route('PUT /api/v1/stories/admin/:id', {
  id: 'replaceResortStory',
  access: 'admin',
  harm: OF_THE_RESORT,
  summary: 'Replace a story of the resort',
  description: 'Fields that are left out get their defaults. A picture or video that is not shown any more is deleted.',
  params: ById,
  body: Input,
  reply: ResortStory,
  errors: ['invalid', 'not_found', 'conflict'],
  projections: [stories],
  handle: async ({ params: { id }, body, caller, context }, app) => {
    const { at } = context;
    const content = await changeResortStory(app, context, id, contentOf(body, at));
    const { created_at = at, views = 0, likes = 0 } = (await resortStoryById(app.db, caller.id, id)) ?? {};
    return resortStoryOf({ ...resortRow(id, content, { created_at, updated_at: at }), views, likes }, at);
  },
});

const remove = route('DELETE /api/v1/stories/admin/:id', {
  id: 'deleteResortStory',
  access: 'admin',
  harm: OF_THE_RESORT,
  summary: 'Delete a story of the resort',
  description: 'With its picture or video.',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: [stories],
  handle: async ({ params, context }, app) => {
    await deleteResortStory(app, context, params.id);
    return null;
  },
});

export const resortStoryRoutes = [list, create, get, replace, remove];
