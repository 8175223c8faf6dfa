/** What moderators have decided about the caller, and appeals against it. */
import { Type } from '@sinclair/typebox';
import { answerAppeal, fileAppeal } from '../../commands/forums/appeals.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { appealKinds } from '../../domain/forums/appeal.ts';
import { ModeratorText } from '../../domain/forums/topicEvents.ts';
import { topicActivity } from '../../projections/forums/activity.ts';
import { Appeal, appealStatuses, forumAppeals, listAppeals } from '../../projections/forums/appeals.ts';
import { forumPosts } from '../../projections/forums/posts.ts';
import { forumRemovals, listRemovals, Removal } from '../../projections/forums/removals.ts';
import { forumSanctions, listSanctions, Sanction } from '../../projections/forums/sanctions.ts';
import { forumTopics } from '../../projections/forums/topics.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route, withStatus } from '../http/route.ts';

const OWN = { access: 'user', description: 'The newest first.', query: Type.Object(pagingQuery) } as const;

const ownSanctions = route('GET /api/v1/forums/sanctions/me', {
  ...OWN,
  id: 'listOwnForumSanctions',
  summary: 'List own mutes and bans in the forums',
  reply: ListOf(Sanction),
  reads: [forumSanctions],
  channel: callersChannel,
  handle: ({ query, caller }, { db }) =>
    paged(query, (paging) => listSanctions(db, { accountId: caller.id, ...paging })),
});

const ownRemovals = route('GET /api/v1/forums/removals/me', {
  ...OWN,
  id: 'listOwnForumRemovals',
  summary: 'List own posts and topics that a moderator has removed',
  reply: ListOf(Removal),
  reads: [forumRemovals],
  handle: ({ query, caller }, { db }) => paged(query, (paging) => listRemovals(db, { authorId: caller.id, ...paging })),
});

const ownAppeals = route('GET /api/v1/forums/appeals/me', {
  ...OWN,
  id: 'listOwnForumAppeals',
  summary: 'List own appeals',
  reply: ListOf(Appeal),
  reads: [forumAppeals],
  channel: callersChannel,
  handle: ({ query, caller }, { db }) => paged(query, (paging) => listAppeals(db, { accountId: caller.id, ...paging })),
});

const Filed = Type.Object({ id: Uuid, status: OneOf(['open'] as const) }, { $id: 'FiledForumAppeal' });

const file = route('POST /api/v1/forums/appeals', {
  id: 'fileForumAppeal',
  access: 'user',
  summary: 'Appeal against a decision of a moderator',
  description:
    'About a post or topic of yours that was removed, or your mute or ban. Each decision can be appealed once.',
  body: Type.Object(
    {
      kind: OneOf(appealKinds),
      subject_id: { ...Uuid, description: 'Of the post, topic or sanction.' },
      text: ModeratorText,
    },
    { $id: 'NewForumAppeal' },
  ),
  reply: Filed,
  status: 201,
  alternatives: { 200: { description: 'The caller has appealed before, and the appeal is open.' } },
  errors: ['not_found', 'conflict'],
  projections: [forumAppeals],
  handle: async ({ body: { kind, subject_id: id, text }, caller, context }, app) => {
    const { appealId, isNew } = await fileAppeal(app, context, { accountId: caller.id, kind, id, text });
    const reply = { id: appealId, status: 'open' as const };
    return isNew ? reply : withStatus(200, reply);
  },
});

const list = route('GET /api/v1/admin/forums/appeals', {
  id: 'listForumAppeals',
  access: 'admin',
  harm: 'content',
  summary: 'List appeals in the forums',
  description: 'The oldest first.',
  query: Type.Object({ ...pagingQuery, status: Type.Optional(OneOf(appealStatuses)) }),
  reply: ListOf(Appeal),
  reads: [forumAppeals],
  handle: ({ query: { status, ...query } }, { db }) => paged(query, (paging) => listAppeals(db, { status, ...paging })),
});

const answer = route('POST /api/v1/admin/forums/appeals/:id/answer', {
  id: 'answerForumAppeal',
  access: 'admin',
  harm: 'rights',
  summary: 'Answer an appeal in the forums',
  description: '`accept` undoes the decision: what was removed is restored, a mute or ban is lifted.',
  params: ById,
  body: Type.Object({
    action: OneOf(['accept', 'refuse'] as const),
    answer: { ...ModeratorText, description: 'For who has appealed.' },
  }),
  ...NO_CONTENT,
  errors: ['not_found', 'conflict', 'invalid_transition'],
  projections: [forumAppeals, forumPosts, forumTopics, topicActivity, forumRemovals, forumSanctions],
  handle: async ({ params, body, context }, app) => {
    await answerAppeal(app, context, params.id, { accepted: body.action === 'accept', answer: body.answer });
    return null;
  },
});

export const appealRoutes = [ownSanctions, ownRemovals, ownAppeals, file, list, answer];
