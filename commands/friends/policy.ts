/** Delivers invitations by address, now and when an account gets the address, ends those that have served, and remembers pairs. */
import type { AccountDeps } from '../accounts/deps.ts';
import { policy } from '../core/policy.ts';
import { deliver, deliverWaiting, endInvitationsTo, takeBack } from './addresses.ts';
import { restorePair } from './friends.ts';
import { stopSharing } from './live.ts';

export const friendPolicy = policy<AccountDeps>('friends', {
  AddressInvited: ({ streamId, data }, { deps, context }) => deliver(deps, context, data.by, streamId),
  AddressInvitationEnded: ({ streamId, data }, { deps, context }) => takeBack(deps, context, data.by, streamId),
  AccountOpened: ({ streamId }, { deps, context }) => deliverWaiting(deps, context, streamId),
  EmailVerified: ({ streamId }, { deps, context }) => deliverWaiting(deps, context, streamId),
  PhoneChanged: ({ streamId }, { deps, context }) => deliverWaiting(deps, context, streamId),
  // Signed out everywhere, the person cannot stop it any more.
  ErasureRequested: ({ streamId }, { deps, context }) => stopSharing(deps, streamId, context.at),
  FriendInvited: ({ data }, { deps, context }) => restorePair(deps, context, data),
  PersonBlocked: ({ data }, { deps, context }) => restorePair(deps, context, data),
  FriendAccepted: async ({ data: { by, other } }, { deps, context }) => {
    await endInvitationsTo(deps, context, by, other);
    await endInvitationsTo(deps, context, other, by);
  },
});
