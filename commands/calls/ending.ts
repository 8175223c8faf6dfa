/** The end of a person's call when the account ends: nobody else could hang up for them. */
import { type CommandContext, followUp } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import { endCall } from './calls.ts';
import type { CallDeps } from './deps.ts';
import { callOnLine } from './lines.ts';

/** Ends the call that a person is in, also one that rings. Safe to repeat. */
export const endCallOf = async (deps: CallDeps, context: CommandContext, person: string): Promise<void> => {
  const on = await callOnLine(deps, person);
  if (!on) return;
  const step = followUp(context, `call ${on.callId}`);
  // One that is still being placed has not begun: the policy ends it when it does.
  await unlessRejected(() => endCall(deps, step, on.callId, { by: person, reason: 'hung_up' }), 'not_found');
};
