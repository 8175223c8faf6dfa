/**
 * Reports of the voice server. They are applied at once: repeated and late ones change nothing, and what is lost is asked for
 * by the jobs of rooms and recordings.
 */
import { forumTopic } from '../../domain/forums/topic.ts';
import { voiceRoom } from '../../domain/voice/room.ts';
import { derivedId } from '../../infra/ids.ts';
import { metrics } from '../../infra/metrics.ts';
import type { CommandContext } from '../core/handle.ts';
import type { VoiceDeps } from './deps.ts';
import { applyEgress } from './egresses.ts';
import { isTrial } from './livekit.ts';
import { holdToRights } from './rights.ts';
import { lookAtOpened, lookSoon, roomLook, voiceServerOf } from './rooms.ts';
import { keepUnknown } from './unknownReports.ts';
import type { VoiceEvent } from './voiceServer.ts';

/** @returns whether it was about something of ours */
const applied = async (deps: VoiceDeps, context: CommandContext, event: VoiceEvent): Promise<boolean> => {
  if (event.type === 'egress') return applyEgress(deps, context, event.egress);
  const { topicId } = event;
  if (topicId === null) return false;
  if ((await deps.aggregates.load(forumTopic, topicId)).state.status === 'none') return false;
  if (event.type === 'opened') await lookAtOpened(deps, context, topicId);
  if (event.type !== 'joined' && event.type !== 'left') return true;
  const { device } = event;
  const type = event.type === 'joined' ? 'Join' : 'Leave';
  const { connectionId, accountId } = device;
  await deps.aggregates.handle(voiceRoom, topicId, { type, connectionId, accountId }, context);
  await lookSoon(deps, context, topicId);
  if (event.type === 'left') return true;
  const until = await holdToRights({ ...deps, voiceServer: voiceServerOf(deps) }, context, topicId, device);
  // The next look comes when the mute ends.
  if (until !== undefined) await roomLook.runNow(deps.jobs, topicId);
  return true;
};

/**
 * Verifies and applies a report. One that is about nothing of ours is kept for an operator, counted and logged.
 * @param admit called once the sender is verified; throws to refuse
 * @throws ForgedVoiceEvent · Rejected `voice_unavailable`
 */
export const receiveVoiceEvent = async (
  deps: VoiceDeps,
  context: CommandContext,
  { rawBody, authorization }: { readonly rawBody: string; readonly authorization: string | undefined },
  admit: () => Promise<void>,
): Promise<void> => {
  const event = await voiceServerOf(deps).readEvent(rawBody, authorization);
  await admit();
  const own = { ...context, commandId: derivedId('voice event', event.id) };
  if (await applied(deps, own, event)) return;
  await keepUnknown(deps.pool, event, context.at);
  if (isTrial(event.room)) return;
  metrics.reviewNeeded.inc({ what: 'voice event' });
  deps.log.warn(
    { event: event.id, name: event.name, room: event.room },
    'the voice server reports what is not known here',
  );
};
