/** What moderators have decided about the caller, and appeals against it. */
import { Type } from '@sinclair/typebox';
import { topicActivity } from '../../projections/forums/activity.ts';
import { forumPosts } from '../../projections/forums/posts.ts';
import { forumRemovals, listRemovals, Removal } from '../../projections/forums/removals.ts';
import { forumSanctions, listSanctions, Sanction } from '../../projections/forums/sanctions.ts';
import { forumTopics } from '../../projections/forums/topics.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { appealRoutes as forumAppealRoutes } from '../reports/appealRoutes.ts';

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

const ofForums = forumAppealRoutes({
  path: 'forums/appeals',
  name: 'ForumAppeal',
  where: ' in the forums',
  kinds: ['post', 'topic', 'sanction'],
  about: 'About a post or topic of yours that was removed, or your mute or ban.',
  undoes: 'what was removed is restored, a mute or ban is lifted.',
  projections: [forumPosts, forumTopics, topicActivity, forumRemovals, forumSanctions],
});

export const appealRoutes = [ownSanctions, ownRemovals, ...ofForums];
