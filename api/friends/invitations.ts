/** Invitations to friendship: sent, answered, withdrawn. */
import { Type } from '@sinclair/typebox';
import { endAddressInvitation, inviteAddress } from '../../commands/friends/addresses.ts';
import { accept, countBeginning, decline, invite, withdraw } from '../../commands/friends/friends.ts';
import { notFound } from '../../domain/core/decider.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import {
  FriendInvitation,
  friendInvitationById,
  friendInvitations,
  listFriendInvitations,
} from '../../projections/friends/friendInvitations.ts';
import { Email } from '../accounts/auth.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { changed, listRoute, other, pairOf } from './friends.ts';

const Invitee = Type.Object(
  {
    user_id: Type.Optional(Uuid),
    phone: Type.Optional(Type.String({ minLength: 5, maxLength: 40, examples: ['+79990000000'] })),
    email: Type.Optional(Email),
  },
  { minProperties: 1, maxProperties: 1, $id: 'Invitee' },
);

const inviteFriend = route('POST /api/v1/friends/invite', {
  id: 'inviteFriend',
  access: 'user',
  summary: 'Invite a friend',
  description:
    'By exactly one of `user_id`, `phone`, `email`. Reply, lists and limits are the same whether or not such a person exists. An address without an account waits 90 days for one. Two people who invite each other are friends at once.',
  body: Invitee,
  reply: Type.Object({ status: OneOf(['invited'] as const) }),
  status: 202,
  errors: ['invalid', 'conflict', 'too_many_attempts'],
  projections: changed,
  handle: async ({ body: { user_id, phone, email }, caller, context }, app) => {
    if (phone !== undefined) await inviteAddress(app, context, caller.id, 'phone', phone);
    else if (email !== undefined) await inviteAddress(app, context, caller.id, 'email', email);
    else if (user_id !== undefined) {
      await countBeginning(app, context, caller.id);
      await invite(app, context, { by: caller.id, other: user_id }, 'id');
    }
    return { status: 'invited' as const };
  },
});

const acceptInvitation = route('POST /api/v1/friends/invitations/:user_id/accept', {
  id: 'acceptFriendInvitation',
  access: 'user',
  summary: 'Accept an invitation',
  params: other,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: changed,
  handle: async ({ params, caller, context }, app) => {
    await accept(app, context, pairOf(caller, params));
    return null;
  },
});

const declineInvitation = route('POST /api/v1/friends/invitations/:user_id/decline', {
  id: 'declineFriendInvitation',
  access: 'user',
  summary: 'Decline an invitation',
  description: 'The person is not told, and cannot invite you again until you invite them.',
  params: other,
  ...NO_CONTENT,
  errors: ['not_found', 'invalid_transition'],
  projections: changed,
  handle: async ({ params, caller, context }, app) => {
    await decline(app, context, pairOf(caller, params));
    return null;
  },
});

const sent = route('GET /api/v1/friends/invitations/sent', {
  id: 'listSentFriendInvitations',
  access: 'user',
  summary: 'List sent invitations',
  description: 'The newest first. Declined ones stay until they are withdrawn or expire.',
  query: Type.Object(pagingQuery),
  reply: ListOf(FriendInvitation),
  reads: [friendInvitations],
  channel: callersChannel,
  handle: ({ query, caller, context }, app) =>
    paged(query, (paging) => listFriendInvitations(app.db, { personId: caller.id, at: context.at, ...paging })),
});

const withdrawInvitation = route('DELETE /api/v1/friends/invitations/sent/:id', {
  id: 'withdrawFriendInvitation',
  access: 'user',
  summary: 'Withdraw an invitation',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found', 'invalid_transition'],
  projections: changed,
  handle: async ({ params, caller, context }, app) => {
    const found = await friendInvitationById(app.db, caller.id, params.id);
    if (!found) throw notFound('invitation');
    const { user_id, address_id } = found;
    if (user_id !== null) await withdraw(app, context, { by: caller.id, other: user_id });
    else if (address_id !== null) await endAddressInvitation(app, context, caller.id, address_id);
    return null;
  },
});

export const invitationRoutes = [
  inviteFriend,
  listRoute('/api/v1/friends/invitations', 'listFriendInvitations', 'incoming', 'List received invitations'),
  acceptInvitation,
  declineInvitation,
  sent,
  withdrawInvitation,
];
