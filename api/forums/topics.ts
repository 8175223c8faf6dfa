/** Topics: listed, read, started, changed, deleted. */
import { Type } from '@sinclair/typebox';
import { changeTopic, deleteTopic, startTopic } from '../../commands/forums/topics.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { TopicTitle } from '../../domain/forums/topicEvents.ts';
import { topicActivity } from '../../projections/forums/activity.ts';
import { categoryById, forumCategories } from '../../projections/forums/categories.ts';
import { topicChannel } from '../../projections/forums/channels.ts';
import { forumPostEdits } from '../../projections/forums/postEdits.ts';
import { forumPosts, pageOfPosts } from '../../projections/forums/posts.ts';
import { listTopics, newTopic, REPORTED, SeenTopic, showTopics } from '../../projections/forums/queries.ts';
import { forumReaders } from '../../projections/forums/readers.ts';
import { forumTopics, startedRow, topicById } from '../../projections/forums/topics.ts';
import { hasOpenReport } from '../../projections/reports/reports.ts';
import type { App } from '../http/app.ts';
import type { Caller } from '../http/caller.ts';
import { Favorable } from '../http/favorite.ts';
import { ListOf, pagingOf, pagingQuery, textListOf } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { shownAfter, shownAgain } from '../http/shownAfter.ts';
import { accountIdOf, readableTopic, reportersFor, writerOf } from './access.ts';
import { factsOf, postBody } from './posts.ts';

const READ = [forumTopics, topicActivity, forumReaders] as const;

const ShownTopic = Favorable(SeenTopic, 'topic');

const list = route('GET /api/v1/forums/categories/:id/topics', {
  id: 'listForumTopics',
  access: 'public',
  summary: 'List the topics of a category',
  description: 'Pinned ones first, then by the newest post. People who are signed in see what they have not read.',
  params: ById,
  query: Type.Object(pagingQuery),
  reply: ListOf(ShownTopic),
  reads: [forumCategories, ...READ],
  errors: ['not_found'],
  handle: async ({ params: { id: categoryId }, query, caller }, { db }) => {
    const paging = pagingOf(query);
    const { rows, total } = await listTopics(db, { categoryId, ...paging });
    if (total.count === 0 && !(await categoryById(db, categoryId))) throw notFound('forum category');
    return textListOf({ rows: await showTopics(db, rows, accountIdOf(caller)), total }, paging);
  },
});

/** A topic as the caller sees it now. @throws Rejected `not_found` */
const seenTopic = async (app: App, caller: Caller, id: string) => {
  const [shown] = await showTopics(app.db, [await readableTopic(app, caller, id)], accountIdOf(caller));
  return shown as NonNullable<typeof shown>;
};

const get = route('GET /api/v1/forums/topics/:id', {
  id: 'getForumTopic',
  access: 'public',
  summary: 'Get a topic',
  params: ById,
  reply: ShownTopic,
  reads: READ,
  errors: ['not_found'],
  channel: { of: topicChannel, id: ({ params }) => params.id },
  handle: ({ params, caller }, app) => seenTopic(app, caller, params.id),
});

const start = route('POST /api/v1/forums/topics', {
  id: 'createForumTopic',
  access: 'user',
  summary: 'Start a topic with its first post',
  description: `${postBody.description} Send an \`Idempotency-Key\`, so that a repeated request starts no second topic.`,
  body: Type.Object({ category_id: Uuid, title: TopicTitle, ...postBody.fields }, { $id: 'NewForumTopic' }),
  status: 201,
  reply: SeenTopic,
  alternatives: { 200: { description: 'The topic was started before.' } },
  errors: ['not_found', 'invalid', 'forbidden', 'conflict', 'too_many_attempts'],
  projections: [...READ, forumPosts],
  handle: async ({ body, caller, context }, app) => {
    const { category_id: categoryId, title } = body;
    const topic = { categoryId, title, post: postBody.inputOf(body) };
    const reporters = reportersFor(app, caller, context);
    const { topicId, post } = await startTopic(app, context, writerOf(caller), topic, reporters);
    if (post) return newTopic(startedRow(topicId, { authorId: caller.id, categoryId, title }, context.at), post.author);
    const isKnown = (await topicById(app.db, topicId)) !== undefined;
    return shownAgain(isKnown ? await seenTopic(app, caller, topicId) : undefined, 'This topic was started');
  },
});

const change = route('PATCH /api/v1/forums/topics/:id', {
  id: 'updateForumTopic',
  access: 'user',
  harm: { of: 'content', by: 'admin' },
  summary: 'Update a topic',
  description: 'Its author can rename it. Admins can also move, pin and lock it: only admins write in a locked topic.',
  params: ById,
  body: Type.Partial(
    Type.Object({ title: TopicTitle, category_id: Uuid, pinned: Type.Boolean(), locked: Type.Boolean() }),
    { minProperties: 1, $id: 'ForumTopicUpdate' },
  ),
  reply: SeenTopic,
  errors: ['not_found', 'forbidden', 'conflict'],
  projections: [forumTopics, topicActivity],
  handle: async ({ params: { id }, body, caller, context }, app) => {
    const { title, category_id: categoryId, pinned: isPinned, locked: isLocked } = body;
    const changes = {
      ...(title !== undefined && { title }),
      ...(categoryId !== undefined && { categoryId }),
      ...(isPinned !== undefined && { isPinned }),
      ...(isLocked !== undefined && { isLocked }),
    };
    await shownAfter(app, context, [forumTopics], (own) => changeTopic(app, own, id, writerOf(caller), changes));
    return seenTopic(app, caller, id);
  },
});

const remove = route('DELETE /api/v1/forums/topics/:id', {
  id: 'deleteForumTopic',
  access: 'user',
  summary: 'Delete your topic',
  description:
    'While it has only its first post. While a report of this post is open, admins keep seeing what it said, and for 30 days its pictures.',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found', 'forbidden', 'conflict'],
  projections: [forumTopics, topicActivity, forumPosts, forumPostEdits],
  handle: async ({ params: { id }, caller, context }, app) => {
    const { rows } = await pageOfPosts(app.db, id, { after: 0 }, 1);
    const [first] = rows;
    if (!first) throw new Rejected('not_found', 'This topic does not exist, or cannot be shown yet.');
    const isReported = await hasOpenReport(app.db, { kind: REPORTED, id: first.id });
    await deleteTopic(app, context, factsOf(first), { by: caller.id, isReported });
    return null;
  },
});

export const topicRoutes = [list, get, start, change, remove];
