/** A block ends the call of the two. */
import { isParty } from '../../domain/calls/call.ts';
import { policy } from '../core/policy.ts';
import { endCall } from './calls.ts';
import type { CallDeps } from './deps.ts';
import { callOnLine } from './lines.ts';

export const callPolicy = policy<CallDeps>('calls', {
  PersonBlocked: async ({ data: { by, other } }, { deps, context }) => {
    const on = await callOnLine(deps, by);
    if (on && isParty(on, other)) await endCall(deps, context, on.callId, { by, reason: 'hung_up' });
  },
});
