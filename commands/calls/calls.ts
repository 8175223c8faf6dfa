/** Calls: placed, answered, ended. Their media never pass through here. */
import { type Call, call, isParty, type Parties, RING_MS } from '../../domain/calls/call.ts';
import type { LineCall } from '../../domain/calls/line.ts';
import { existing, Rejected } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { loadAccount } from '../accounts/accounts.ts';
import { type CommandContext, followUp, madeBefore } from '../core/handle.ts';
import { blockedBetween, type CountingDeps } from '../friends/friends.ts';
import { countStranger } from '../friends/strangers.ts';
import { callDeadline, SILENCE_MS } from './deadline.ts';
import type { CallDeps } from './deps.ts';
import { callOnLine, freeLines, takeLines } from './lines.ts';

type Deps = Pick<CallDeps, 'aggregates' | 'jobs' | 'pool'>;

/** A call that exists. */
export interface Placed {
  readonly callId: string;
  readonly state: Exclude<Call, { status: 'none' }>;
}

const inCall = (callId: string) =>
  new Rejected('in_call', 'You are in another call. End it before you call somebody else.', { call_id: callId });

const foundBusy = async (deps: Deps, context: CommandContext, { callId, ...parties }: LineCall, isHidden: boolean) => {
  const command = { type: 'FindBusy', isHidden, ...parties } as const;
  const { state } = await deps.aggregates.handle(call, callId, command, followUp(context, 'busy'));
  return { callId, state: existing(state, 'call') };
};

/**
 * Calls somebody. A person who calls a person that is calling them answers that call, with this device; somebody who is
 * in a call with that person already gets this call.
 * @param sessionId of the device
 * @returns the call, and whether this command has made it
 * @throws Rejected `not_found`, `in_call`, `invalid` for oneself, `too_many_attempts` for too many strangers
 */
export const placeCall = async (
  deps: Deps & CountingDeps,
  context: CommandContext,
  { sessionId, ...parties }: Parties & { readonly sessionId: string },
): Promise<Placed & { readonly isNew: boolean }> => {
  const { callerId, calleeId } = parties;
  if (callerId === calleeId) throw new Rejected('invalid', 'You cannot call yourself.', { fields: ['callee_id'] });
  const wanted = { callId: derivedId(context.commandId, 'call'), ...parties };
  const before = await madeBefore(deps, call, wanted.callId, context);
  if (before.status !== 'none') return { callId: wanted.callId, state: existing(before, 'call'), isNew: true };
  await loadAccount(deps, calleeId);
  const own = await callOnLine(deps, callerId);
  if (own && !isParty(own, calleeId)) throw inCall(own.callId);
  // Before the block is looked up: also who is blocked learns nothing by the limit.
  if (!own) await countStranger(deps, context, 'ring', { by: callerId, other: calleeId });
  // The line seems busy, so that nobody learns that they are blocked.
  if (await blockedBetween(deps, callerId, calleeId))
    return { ...(await foundBusy(deps, context, wanted, true)), isNew: true };

  // Before the lines are taken: it frees them if this process ends.
  const deadline = { id: wanted.callId, dueAt: addMs(context.at, RING_MS), data: parties };
  await callDeadline.scheduleOnce(deps.jobs, context, deadline);
  const taken = await takeLines(deps, context, wanted);
  if ('engaged' in taken) {
    if (taken.engaged === callerId) throw inCall(taken.with.callId);
    return { ...(await foundBusy(deps, context, wanted, false)), isNew: true };
  }
  // Also for the call of the other, whose process may not have come so far.
  const { callId, ...ofCall } = taken;
  const started = await deps.aggregates.handle(
    call,
    callId,
    { type: 'StartCall', ...ofCall },
    followUp(context, 'start'),
  );
  if (ofCall.calleeId !== callerId)
    return { callId, state: existing(started.state, 'call'), isNew: callId === wanted.callId };
  const answer = followUp(context, 'answer');
  return { ...(await acceptCall(deps, answer, callId, { by: callerId, sessionId })), isNew: false };
};

/**
 * Answers a call, with this device.
 * @throws Rejected `not_found`, `forbidden` for the caller, `answered_elsewhere`, `invalid_transition` when it is over
 */
export const acceptCall = async (
  deps: Deps,
  context: CommandContext,
  callId: string,
  { by, sessionId }: { readonly by: string; readonly sessionId: string },
): Promise<Placed> => {
  const { state } = await deps.aggregates.handle(call, callId, { type: 'AcceptCall', by, sessionId }, context);
  const placed = { callId, state: existing(state, 'call') };
  const { callerId, calleeId, kind } = placed.state;
  const data = { callerId, calleeId, kind, acceptedAt: context.at };
  await callDeadline.schedule(deps.jobs, context, { id: callId, dueAt: addMs(context.at, SILENCE_MS), data });
  return placed;
};

const over = async (deps: Deps, context: CommandContext, callId: string, state: Call): Promise<Placed> => {
  const placed = { callId, state: existing(state, 'call') };
  await freeLines(deps, context, { callId, ...placed.state });
  return placed;
};

/** Rejects a call that rings. @throws Rejected `not_found`, `forbidden`, `answered_elsewhere`, `invalid_transition` */
export const rejectCall = async (deps: Deps, context: CommandContext, callId: string, by: string): Promise<Placed> => {
  const { state } = await deps.aggregates.handle(call, callId, { type: 'RejectCall', by }, context);
  return over(deps, context, callId, state);
};

/** Ends a call, whatever it is doing. @throws Rejected `not_found` */
export const endCall = async (
  deps: Deps,
  context: CommandContext,
  callId: string,
  { by, reason }: { readonly by: string; readonly reason: 'hung_up' | 'failed' },
): Promise<Placed> => {
  const { state } = await deps.aggregates.handle(call, callId, { type: 'EndCall', by, reason }, context);
  return over(deps, context, callId, state);
};
