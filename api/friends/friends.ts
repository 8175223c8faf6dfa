/** Friends and blocks. */
import { Type } from '@sinclair/typebox';
import { block, type Pair, remove, unblock } from '../../commands/friends/friends.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { friendInvitations } from '../../projections/friends/friendInvitations.ts';
import {
  FriendshipForm,
  friendships,
  listFriendships,
  type ShownRelation,
} from '../../projections/friends/friendships.ts';
import { callersChannel } from '../accounts/channels.ts';
import type { User } from '../http/caller.ts';
import { ListOf, pagedText, pagingQuery } from '../http/paging.ts';
import { NO_CONTENT, route } from '../http/route.ts';

/** The person in the path. */
export const other = Type.Object({ user_id: Uuid });
export const pairOf = (caller: User, { user_id }: { readonly user_id: string }): Pair => ({
  by: caller.id,
  other: user_id,
});
export const changed = [friendships, friendInvitations];

/** The route that lists the others who are this to the caller. */
export const listRoute = (path: `/${string}`, id: string, relation: ShownRelation, summary: string) =>
  route(`GET ${path}`, {
    id,
    access: 'user',
    summary,
    description: 'The newest first.',
    query: Type.Object(pagingQuery),
    reply: ListOf(FriendshipForm),
    reads: [friendships],
    channel: callersChannel,
    handle: ({ query, caller }, app) =>
      pagedText(query, (paging) => listFriendships(app.db, { personId: caller.id, relation, ...paging })),
  });

const removeFriend = route('DELETE /api/v1/friends/:user_id', {
  id: 'removeFriend',
  access: 'user',
  summary: 'Remove a friend',
  description: 'Ends the friendship for both. No effect on somebody who is no friend.',
  params: other,
  ...NO_CONTENT,
  projections: changed,
  handle: async ({ params, caller, context }, app) => {
    await remove(app, context, pairOf(caller, params));
    return null;
  },
});

const blockPerson = route('PUT /api/v1/friends/blocked/:user_id', {
  id: 'blockPerson',
  access: 'user',
  summary: 'Block a person',
  description:
    'Ends the friendship and withdraws your invitation. The person is not told; what they send from then on does not arrive.',
  params: other,
  ...NO_CONTENT,
  errors: ['invalid', 'too_many_attempts'],
  projections: changed,
  handle: async ({ params, caller, context }, app) => {
    await block(app, context, pairOf(caller, params));
    return null;
  },
});

const unblockPerson = route('DELETE /api/v1/friends/blocked/:user_id', {
  id: 'unblockPerson',
  access: 'user',
  summary: 'Unblock a person',
  params: other,
  ...NO_CONTENT,
  projections: changed,
  handle: async ({ params, caller, context }, app) => {
    await unblock(app, context, pairOf(caller, params));
    return null;
  },
});

export const friendRoutes = [
  listRoute('/api/v1/friends', 'listFriends', 'friends', 'List friends'),
  removeFriend,
  listRoute('/api/v1/friends/blocked', 'listBlockedPersons', 'blocked', 'List blocked persons'),
  blockPerson,
  unblockPerson,
];
