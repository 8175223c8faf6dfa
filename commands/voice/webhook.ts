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
import { applyEgress } from './recordings.ts';
import { lookSoon, voiceServerOf } from './rooms.ts';
import type { VoiceEvent } from './server.ts';

/** @returns whether it was about something of ours */
const applied = async (deps: VoiceDeps, context: CommandContext, event: VoiceEvent): Promise<boolean> => {
  if (event.type === 'egress') return applyEgress(deps, context, event.egress);
  const { topicId } = event;
  if (topicId === null) return false;
  if ((await deps.aggregates.load(forumTopic, topicId)).state.status === 'none') return false;
  if (event.type !== 'joined' && event.type !== 'left') return true;
  const type = event.type === 'joined' ? 'Join' : 'Leave';
  await deps.aggregates.handle(voiceRoom, topicId, { type, ...event.connection }, context);
  await lookSoon(deps, context, topicId);
  return true;
};

/**
 * Verifies and applies a report. One that is about nothing of ours is counted and logged, for an operator.
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
  metrics.reviewNeeded.inc({ what: 'voice event' });
  deps.log.warn({ event: event.id, topic: event.topicId }, 'the voice server reports what is not known here');
};
