/** A block ends the call of the two, and the end of an account its call; also one that was being placed meanwhile. */
import { isParty } from '../../domain/calls/call.ts';
import { wasErased } from '../accounts/accounts.ts';
import { followUp } from '../core/handle.ts';
import { policy } from '../core/policy.ts';
import { blockedBetween } from '../friends/friends.ts';
import { endCall } from './calls.ts';
import type { CallDeps } from './deps.ts';
import { endCallOf } from './ending.ts';
import { callOnLine } from './lines.ts';

export const callPolicy = policy<CallDeps>('calls', {
  // By the callee: to the caller it looks like any call that is not wanted, whoever has blocked.
  CallStarted: async ({ streamId, data: { callerId, calleeId } }, { deps, context }) => {
    for (const person of [callerId, calleeId])
      if (await wasErased(deps, person)) await endCallOf(deps, followUp(context, person), person);
    if (await blockedBetween(deps, callerId, calleeId))
      await endCall(deps, context, streamId, { by: calleeId, reason: 'hung_up' });
  },
  // Signed out everywhere, the person cannot hang up any more.
  ErasureRequested: ({ streamId }, { deps, context }) => endCallOf(deps, context, streamId),
  PersonBlocked: async ({ data: { by, other } }, { deps, context }) => {
    const on = await callOnLine(deps, by);
    if (on && isParty(on, other)) await endCall(deps, context, on.callId, { by, reason: 'hung_up' });
  },
});
