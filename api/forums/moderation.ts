/** Moderation: people report posts; admins remove and restore, mute and ban. */
import { Type } from '@sinclair/typebox';
import { removePost } from '../../commands/forums/posts.ts';
import { imposeSanction, liftSanction } from '../../commands/forums/sanctions.ts';
import { removeTopic, restoreTopic } from '../../commands/forums/topics.ts';
import { restoreText } from '../../commands/reports/authoredText.ts';
import { notFound } from '../../domain/core/decider.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { forumPost } from '../../domain/forums/post.ts';
import { ModeratorText } from '../../domain/forums/topicEvents.ts';
import { topicActivity } from '../../projections/forums/activity.ts';
import { ForumPost, forumPosts, postById, postsByIds, showPosts } from '../../projections/forums/posts.ts';
import { REPORTED } from '../../projections/forums/queries.ts';
import { forumRemovals, listRemovals, Removal } from '../../projections/forums/removals.ts';
import { forumSanctions, listSanctions, Sanction } from '../../projections/forums/sanctions.ts';
import { forumTopics } from '../../projections/forums/topics.ts';
import { reports } from '../../projections/reports/reports.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { byId, closeReportsOf, filingRoute, reportRoutes } from '../reports/reportRoutes.ts';
import { livePost } from './access.ts';
import { factsOf } from './posts.ts';

const report = filingRoute('POST /api/v1/forums/posts/:id/report', {
  id: 'reportForumPost',
  summary: 'Report a post to the admins',
  description: 'Whoever is reported by several people may write less, until an admin has dismissed the reports.',
  param: 'id',
  find: async (app, caller, id) => {
    const { topic_id: within, author_id: authorId, body: text } = await livePost(app, caller, id);
    return { subject: { kind: REPORTED, id, within }, authorId, text };
  },
});

const POST_CHANGE = [forumPosts, forumRemovals] as const;
const answers = reportRoutes({
  path: 'forums/reports',
  kinds: [REPORTED],
  what: 'posts in the forums',
  name: 'ForumReport',
  content: ForumPost,
  show: async (app, ids) => {
    const found = await postsByIds(app.db, ids);
    return byId(found, await showPosts(app.db, found, 'admin'));
  },
  history: 'GET /forums/posts/{id}/history',
  removal: 'the post is removed.',
  reasonFor: 'the author of the post',
  remove: async (app, context, { subject_id: id }, { reason }) => {
    const row = await postById(app.db, id);
    if (row) await removePost(app, context, factsOf(row), reason);
  },
  projections: POST_CHANGE,
});

const MODERATION = {
  access: 'admin',
  harm: 'content',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found'],
} as const;
const WithReason = Type.Object({ reason: { ...ModeratorText, description: 'For the author.' } });

const removeOne = route('POST /api/v1/admin/forums/posts/:id/remove', {
  id: 'removeForumPost',
  summary: 'Remove a post of the forums',
  description: 'Only its author and admins see what it says then. Its author is told, and can appeal.',
  ...MODERATION,
  errors: [...MODERATION.errors, 'conflict'],
  body: WithReason,
  projections: [...POST_CHANGE, reports],
  handle: async ({ params, body, context }, app) => {
    const row = await postById(app.db, params.id);
    if (!row) throw notFound('post');
    await removePost(app, context, factsOf(row), body.reason);
    await closeReportsOf(app, context, { kind: REPORTED, id: row.id });
    return null;
  },
});

const restoreOne = route('POST /api/v1/admin/forums/posts/:id/restore', {
  id: 'restoreForumPost',
  summary: 'Restore a removed post of the forums',
  ...MODERATION,
  projections: POST_CHANGE,
  handle: async ({ params, context }, app) => {
    if (!(await postById(app.db, params.id))) throw notFound('post');
    await restoreText(app, context, forumPost, params.id);
    return null;
  },
});

const TOPIC_CHANGE = [forumTopics, topicActivity, forumRemovals] as const;

const removeWhole = route('POST /api/v1/admin/forums/topics/:id/remove', {
  id: 'removeForumTopic',
  summary: 'Remove a topic of the forums',
  description: 'Only its author and admins see it then. Its author is told, and can appeal.',
  ...MODERATION,
  errors: [...MODERATION.errors, 'conflict'],
  body: WithReason,
  projections: TOPIC_CHANGE,
  handle: async ({ params, body, context }, app) => {
    await removeTopic(app, context, params.id, body.reason);
    return null;
  },
});

const restoreWhole = route('POST /api/v1/admin/forums/topics/:id/restore', {
  id: 'restoreForumTopic',
  summary: 'Restore a removed topic of the forums',
  ...MODERATION,
  projections: TOPIC_CHANGE,
  handle: async ({ params, context }, app) => {
    await restoreTopic(app, context, params.id);
    return null;
  },
});

const removals = route('GET /api/v1/admin/forums/removals', {
  id: 'listForumRemovals',
  access: 'admin',
  harm: 'content',
  summary: 'List removed posts and topics of the forums',
  description: 'The newest first.',
  query: Type.Object(pagingQuery),
  reply: ListOf(Removal),
  reads: [forumRemovals],
  handle: ({ query }, { db }) => paged(query, (paging) => listRemovals(db, paging)),
});

const impose = route('POST /api/v1/admin/forums/sanctions', {
  id: 'imposeForumSanction',
  access: 'admin',
  harm: 'rights',
  summary: 'Mute somebody in a topic, or ban them from the forums',
  description:
    'With `topic_id` the person cannot write in this topic, without it nowhere in the forums, until `until`. Again for the same person and place it changes the end. The person is told, and can appeal.',
  body: Type.Object(
    { account_id: Uuid, topic_id: Type.Optional(Uuid), until: Instant, reason: ModeratorText },
    { $id: 'NewForumSanction' },
  ),
  reply: Type.Object({ id: Uuid }),
  status: 201,
  errors: ['not_found', 'invalid', 'conflict'],
  projections: [forumSanctions],
  handle: async ({ body: { account_id: accountId, topic_id: topicId = null, until, reason }, context }, app) => ({
    id: await imposeSanction(app, context, { accountId, topicId, until, reason }),
  }),
});

const lift = route('POST /api/v1/admin/forums/sanctions/:id/lift', {
  id: 'liftForumSanction',
  summary: 'Lift a mute or a ban of the forums',
  ...MODERATION,
  harm: 'rights',
  projections: [forumSanctions],
  handle: async ({ params, context }, app) => {
    await liftSanction(app, context, params.id);
    return null;
  },
});

const sanctions = route('GET /api/v1/admin/forums/sanctions', {
  id: 'listForumSanctions',
  access: 'admin',
  harm: 'content',
  summary: 'List mutes and bans of the forums',
  description: 'The newest first.',
  query: Type.Object({
    ...pagingQuery,
    account_id: Type.Optional(Uuid),
    active: Type.Optional(Type.Boolean({ description: 'true: only those that hold now.' })),
  }),
  reply: ListOf(Sanction),
  reads: [forumSanctions],
  handle: ({ query: { account_id: accountId, active, ...query }, context }, { db }) =>
    paged(query, (paging) => listSanctions(db, { accountId, holdsAt: active ? context.at : undefined, ...paging })),
});

export const moderationRoutes = [
  ...[report, ...answers, removeOne, restoreOne, removeWhole, restoreWhole, removals],
  ...[impose, lift, sanctions],
];
