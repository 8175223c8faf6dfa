/** Ends what nobody ends: a call that nobody answers, and one that both have left without a word. */
import { call, isOver, LONGEST_CALL_MS, type Parties } from '../../domain/calls/call.ts';
import { instantOf } from '../../domain/core/instants.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import type { CallDeps } from './deps.ts';
import { lastHeartbeat } from './heartbeats.ts';
import { freeLines } from './lines.ts';

/** A call whose devices send heartbeats has ended once none came for this long, in milliseconds. */
export const SILENCE_MS = 120_000;

interface Due extends Parties {
  readonly acceptedAt?: string;
}

const endIfGone = async (
  deps: CallDeps,
  context: CommandContext,
  callId: string,
  acceptedAt: string,
): Promise<string | undefined> => {
  const now = Date.parse(context.at);
  const heard = await lastHeartbeat(deps.pool, callId);
  const silentAt = heard === undefined ? Number.POSITIVE_INFINITY : Date.parse(heard) + SILENCE_MS;
  const longestAt = Date.parse(acceptedAt) + LONGEST_CALL_MS;
  if (now < silentAt && now < longestAt) return instantOf(Math.min(silentAt, longestAt, now + SILENCE_MS));
  const reason = now < longestAt ? 'both_gone' : 'too_long';
  await deps.aggregates.handle(call, callId, { type: 'ExpireCall', reason }, context);
  return undefined;
};

/** The job's id is the call's. */
export const callDeadline = defineJob<Due, CallDeps>('call_deadline', async ({ id, data }, { deps, context }) => {
  const { state } = await deps.aggregates.load(call, id);
  if (state.status === 'ringing') await deps.aggregates.handle(call, id, { type: 'MissCall' }, context);
  if (state.status === 'accepted') {
    if (data.acceptedAt === undefined) {
      // The process that recorded the answer has ended before it said when.
      const since = { ...data, acceptedAt: context.at };
      await callDeadline.schedule(deps.jobs, context, { id, dueAt: context.at, data: since });
      return undefined;
    }
    const againAt = await endIfGone(deps, context, id, data.acceptedAt);
    if (againAt !== undefined) return { againAt };
  }
  const { state: last } = await deps.aggregates.load(call, id);
  if (last.status === 'none' || isOver(last)) await freeLines(deps, context, { callId: id, ...data });
  return undefined;
});
