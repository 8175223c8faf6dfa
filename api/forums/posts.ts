/** Posts: read in pages, written, edited, deleted. */
import { type Static, Type } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import {
  deletePost,
  editPost,
  type KnownPost,
  type PostInput,
  postIdOf,
  writePost,
} from '../../commands/forums/posts.ts';
import { loadTopic } from '../../commands/forums/topics.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { Nullable, Uuid } from '../../domain/core/schema.ts';
import { EDIT_DAYS } from '../../domain/forums/post.ts';
import { ReactionKind } from '../../domain/forums/reaction.ts';
import { MAX_PICTURES, MAX_QUOTES, Mentions, PostBody } from '../../domain/forums/topicEvents.ts';
import type { RecentPost } from '../../domain/forums/topicState.ts';
import { toCamel } from '../../infra/naming.ts';
import { topicActivity } from '../../projections/forums/activity.ts';
import { topicChannel } from '../../projections/forums/channels.ts';
import { forumPostEdits } from '../../projections/forums/postEdits.ts';
import {
  ForumPost,
  forumPosts,
  type PostRow,
  pageOfPosts,
  postById,
  postsByIds,
  showPosts,
  tombstone,
  withOwnReactions,
  writtenRow,
} from '../../projections/forums/posts.ts';
import { REPORTED } from '../../projections/forums/queries.ts';
import { forumReactions, ownReactions } from '../../projections/forums/reactions.ts';
import { forumReaders } from '../../projections/forums/readers.ts';
import { hasOpenReport } from '../../projections/reports/reports.ts';
import type { App } from '../http/app.ts';
import type { Caller } from '../http/caller.ts';
import { isProvenAdmin } from '../http/harm.ts';
import { ById, route, withStatus } from '../http/route.ts';
import { SeqListOf, seqListOf, seqPagingOf, seqQuery } from '../http/seqPaging.ts';
import { madeBefore, shownAfter, shownAgain } from '../http/shownAfter.ts';
import { editedRow } from '../reports/editedRow.ts';
import { accountIdOf, readablePost, readableTopic, reportersFor, writerOf } from './access.ts';

const fields = {
  body: PostBody,
  picture_ids: Type.Optional(
    Type.Array(Uuid, {
      maxItems: MAX_PICTURES,
      uniqueItems: true,
      description: 'Ids of own files, uploaded to the folder `forums`. `image_url` of the post is the first one.',
    }),
  ),
  mentions: Type.Optional(Mentions),
};
const clientPostId = { client_post_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) };
const Written = Type.Object({ ...fields, ...clientPostId });

/** What every body with a new post has. */
export const postBody = {
  fields,
  description: '`mentions` are account ids: these people are told.',
  inputOf: ({ body, mentions = [], picture_ids = [], client_post_id }: Static<typeof Written>): PostInput => ({
    body,
    mentions,
    pictureIds: picture_ids,
    clientPostId: client_post_id ?? null,
  }),
};

/** A post with how the caller has reacted to it. */
const SeenPost = Type.Object(
  { ...ForumPost.properties, own_reaction: Nullable(ReactionKind) },
  { $id: 'ForumPostSeen' },
);

/** Posts as the caller sees them. */
const seenPosts = async (app: App, caller: Caller, rows: readonly PostRow[]) => {
  const [me, ids] = [accountIdOf(caller), rows.map(({ id }) => id)];
  const [forms, own] = await Promise.all([
    showPosts(app.db, rows, isProvenAdmin(caller) ? 'admin' : 'guest'),
    me === undefined ? new Map<string, Static<typeof ReactionKind>>() : ownReactions(app.db, me, ids),
  ]);
  return withOwnReactions(forms, rows, own);
};
const seenPost = async (app: App, caller: Caller, row: PostRow) => {
  const [shown] = await seenPosts(app, caller, [row]);
  return shown as NonNullable<typeof shown>;
};

const list = route('GET /api/v1/forums/topics/:id/posts', {
  id: 'listForumPosts',
  access: 'public',
  summary: 'List the posts of a topic',
  description:
    'By ascending number: the newest, or those before, after or around the number of a post; `after=0` begins with the first one. New posts do not move the pages.',
  params: ById,
  query: seqQuery('Post'),
  reply: SeqListOf(SeenPost, 'post'),
  errors: ['not_found'],
  reads: [forumPosts, forumReactions],
  channel: { of: topicChannel, id: ({ params }) => params.id },
  handle: async ({ params: { id }, query, caller }, app) => {
    const { cursor, limit } = seqPagingOf(query);
    await readableTopic(app, caller, id);
    const page = await pageOfPosts(app.db, id, cursor, limit);
    return seqListOf(page, await seenPosts(app, caller, page.rows));
  },
});

const get = route('GET /api/v1/forums/posts/:id', {
  id: 'getForumPost',
  access: 'public',
  summary: 'Get a post',
  params: ById,
  reply: SeenPost,
  errors: ['not_found'],
  reads: [forumPosts, forumReactions],
  handle: async ({ params, caller }, app) => seenPost(app, caller, await readablePost(app, caller, params.id)),
});

/** Other posts of the topic, by their ids. @throws Rejected `invalid` for one that is not in it */
const othersIn = async (
  app: App,
  topicId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecentPost>> => {
  if (ids.length === 0) return new Map();
  const found = (await postsByIds(app.db, ids))
    .filter(({ topic_id }) => topic_id === topicId)
    .map(({ id, seq, author_id: authorId }) => ({ id, seq, authorId }));
  // The others may have been written just now.
  const { recent } = found.length < ids.length ? await loadTopic(app, topicId) : { recent: [] };
  const byId = new Map([...recent, ...found].map((one) => [one.id, one]));
  if (ids.some((id) => !byId.has(id)))
    throw new Rejected('invalid', 'reply_to_id and quotes must be posts of the same topic.', {
      fields: ['reply_to_id', 'quotes'],
    });
  return byId;
};

const write = route('POST /api/v1/forums/topics/:id/posts', {
  id: 'createForumPost',
  access: 'user',
  summary: 'Write a post in a topic',
  description: `With a \`client_post_id\`, unique for the author in the topic, a repeated request returns the first post. ${postBody.description} \`quotes\` are posts of the topic that this one quotes: it refers to them, and does not copy them.`,
  params: ById,
  body: Type.Object(
    {
      ...Written.properties,
      reply_to_id: Type.Optional(Uuid),
      quotes: Type.Optional(Type.Array(Uuid, { maxItems: MAX_QUOTES, uniqueItems: true })),
    },
    { $id: 'NewForumPost' },
  ),
  reply: SeenPost,
  status: 201,
  alternatives: { 200: { description: 'The post was written before.' } },
  errors: ['not_found', 'invalid', 'forbidden', 'conflict', 'too_many_attempts'],
  projections: [forumPosts, topicActivity, forumReaders],
  handle: async ({ params: { id: topicId }, body, caller, context }, app) => {
    const input = postBody.inputOf(body);
    const postId = postIdOf(context, caller.id, { topicId, clientPostId: input.clientPostId });
    const shown = async () => {
      const row = await postById(app.db, postId);
      return row && seenPost(app, caller, row);
    };
    const before = input.clientPostId === null ? undefined : await shown();
    if (before) return withStatus(200, before);
    const { reply_to_id, quotes = [] } = body;
    const others = await othersIn(app, topicId, [...new Set([...quotes, ...(reply_to_id ? [reply_to_id] : [])])]);
    const reply = {
      ...input,
      topicId,
      replyTo: (reply_to_id && others.get(reply_to_id)) || null,
      quotes: quotes.flatMap((id) => {
        const seq = others.get(id)?.seq;
        return seq === undefined ? [] : [{ id, seq }];
      }),
    };
    const reporters = reportersFor(app, caller, context);
    const write = (own: CommandContext) => writePost(app, own, writerOf(caller), reply, reporters);
    const written = await shownAfter(app, context, [forumPosts], write, madeBefore);
    if (written) return seenPost(app, caller, writtenRow(topicId, written, context.at));
    return shownAgain(await shown(), 'This post was written');
  },
});

/** What the commands need of a post. */
export const factsOf = (row: PostRow): KnownPost => ({
  id: row.id,
  of: { topicId: row.topic_id, authorId: row.author_id },
  writtenAt: row.created_at,
  body: row.body ?? '',
  mentions: row.mentions,
  files: toCamel(row.pictures),
});

const edit = route('PATCH /api/v1/forums/posts/:id', {
  id: 'updateForumPost',
  access: 'user',
  summary: 'Edit your post',
  description: `For ${EDIT_DAYS} days. Without \`mentions\` the same people are mentioned.`,
  params: ById,
  body: Type.Object({ body: PostBody, mentions: Type.Optional(Mentions) }, { $id: 'ForumPostUpdate' }),
  reply: SeenPost,
  errors: ['not_found', 'invalid', 'forbidden', 'conflict'],
  projections: [forumPosts, forumPostEdits],
  handle: async ({ params, body: { body, mentions }, caller, context }, app) => {
    const row = await readablePost(app, caller, params.id);
    const changes = { body, ...(mentions && { mentions }) };
    const edited = await editPost(app, context, writerOf(caller), factsOf(row), changes);
    return seenPost(app, caller, editedRow(row, edited, context.at));
  },
});

const remove = route('DELETE /api/v1/forums/posts/:id', {
  id: 'deleteForumPost',
  access: 'user',
  summary: 'Delete your post',
  description:
    'It stays as a tombstone, so that numbers and replies keep their meaning. Its pictures are deleted. While a report of it is open, admins keep seeing what it said, and for 30 days its pictures.',
  params: ById,
  reply: SeenPost,
  errors: ['not_found', 'forbidden'],
  projections: [forumPosts, forumPostEdits],
  handle: async ({ params, caller, context }, app) => {
    const row = await postById(app.db, params.id);
    if (row?.author_id !== caller.id) {
      await readablePost(app, caller, params.id);
      throw new Rejected('forbidden', 'Only its author can delete a post.');
    }
    const isReported = await hasOpenReport(app.db, { kind: REPORTED, id: row.id });
    await deletePost(app, context, factsOf(row), { by: caller.id, isReported });
    return seenPost(app, caller, tombstone(row));
  },
});

export const postRoutes = [list, get, write, edit, remove];
