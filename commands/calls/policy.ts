/** A block ends the call of the two, also one that was being placed meanwhile. */
import { isParty } from '../../domain/calls/call.ts';
import { policy } from '../core/policy.ts';
import { blockedBetween } from '../friends/friends.ts';
import { endCall } from './calls.ts';
import type { CallDeps } from './deps.ts';
import { callOnLine } from './lines.ts';

export const callPolicy = policy<CallDeps>('calls', {
  // By the callee: to the caller it looks like any call that is not wanted, whoever has blocked.
  CallStarted: async ({ streamId, data: { callerId, calleeId } }, { deps, context }) => {
    if (await blockedBetween(deps, callerId, calleeId))
      await endCall(deps, context, streamId, { by: calleeId, reason: 'hung_up' });
  },
  PersonBlocked: async ({ data: { by, other } }, { deps, context }) => {
    const on = await callOnLine(deps, by);
    if (on && isParty(on, other)) await endCall(deps, context, on.callId, { by, reason: 'hung_up' });
  },
});
