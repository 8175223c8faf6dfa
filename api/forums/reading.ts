/** What people do with posts beside writing: read, react, search. */
import { Type } from '@sinclair/typebox';
import { react, readTopic } from '../../commands/forums/reading.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { ReactionKind } from '../../domain/forums/reaction.ts';
import { topicActivity } from '../../projections/forums/activity.ts';
import { forumPosts } from '../../projections/forums/posts.ts';
import { forumReactions } from '../../projections/forums/reactions.ts';
import { forumReaders } from '../../projections/forums/readers.ts';
import { FoundPost, searchPosts } from '../../projections/forums/search.ts';
import { forumTopics } from '../../projections/forums/topics.ts';
import { ListOf, pagedText, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { livePost, readablePost } from './access.ts';

const read = route('PUT /api/v1/forums/topics/:id/read', {
  id: 'readForumTopic',
  access: 'user',
  summary: 'Mark a topic as read up to a post',
  description: 'It never goes back, and not beyond the newest post.',
  params: ById,
  body: Type.Object({
    seq: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'The number of the post.' }),
  }),
  reply: Type.Object({
    topic_id: Uuid,
    last_read_seq: Type.Integer({ description: 'Everything up to this number is read.' }),
  }),
  errors: ['not_found'],
  projections: [forumReaders],
  handle: async ({ params: { id: topic_id }, body: { seq }, caller, context }, app) => {
    const reader = { topicId: topic_id, accountId: caller.id };
    return { topic_id, last_read_seq: await readTopic(app, context, reader, seq) };
  },
});

const REACTION = {
  access: 'user',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found', 'forbidden'],
  projections: [forumReactions],
} as const;

const give = route('PUT /api/v1/forums/posts/:id/reaction', {
  id: 'reactToForumPost',
  summary: 'React to a post',
  description: 'One reaction of a person to a post: another one replaces it.',
  ...REACTION,
  body: Type.Object({ kind: ReactionKind }),
  handle: async ({ params, body: { kind }, caller, context }, app) => {
    const { id: postId, topic_id: topicId } = await livePost(app, caller, params.id);
    await react(app, context, { topicId, postId, accountId: caller.id, kind });
    return null;
  },
});

const withdraw = route('DELETE /api/v1/forums/posts/:id/reaction', {
  id: 'withdrawForumReaction',
  summary: 'Withdraw the reaction to a post',
  ...REACTION,
  handle: async ({ params, caller, context }, app) => {
    const { id: postId, topic_id: topicId } = await readablePost(app, caller, params.id);
    await react(app, context, { topicId, postId, accountId: caller.id, kind: null });
    return null;
  },
});

const search = route('GET /api/v1/forums/search', {
  id: 'searchForums',
  access: 'public',
  summary: 'Search posts',
  description:
    'Posts with all of the words, and first posts of topics whose title has them. The newest first. Of words that many posts have, `total` counts those that were found for the page.',
  query: Type.Object({
    ...pagingQuery,
    q: Type.String({ minLength: 1, maxLength: 100, description: 'Words, or their beginnings.' }),
    category_id: Type.Optional(Uuid),
  }),
  reply: ListOf(FoundPost),
  reads: [forumPosts, forumTopics, topicActivity],
  needs: [forumPosts, forumTopics],
  handle: ({ query: { q, category_id: categoryId, ...query } }, { db, now }) =>
    pagedText(query, (paging) => searchPosts(db, { q, categoryId, at: now(), ...paging })),
});

export const readingRoutes = [read, give, withdraw, search];
