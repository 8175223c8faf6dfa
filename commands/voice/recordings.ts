/** Recordings: started and stopped by people, ended by the voice server. */

import { Rejected } from '../../domain/core/decider.ts';
import { voiceRecording } from '../../domain/voice/recording.ts';
import { voiceRoom } from '../../domain/voice/room.ts';
import { derivedId } from '../../infra/ids.ts';
import { type CommandContext, madeBefore } from '../core/handle.ts';
import type { Writer } from '../forums/deps.ts';
import type { VoiceDeps } from './deps.ts';
import { apply, begin } from './egresses.ts';
import { recordingLook, watchEnd, watchStart } from './recordingLook.ts';
import { enterable } from './rights.ts';
import { voiceServerOf } from './rooms.ts';
import { VoiceServerError } from './voiceServer.ts';

/** Who is in the room, by the list of the voice server; undefined when it does not answer. */
const listed = async (deps: VoiceDeps, topicId: string) => {
  try {
    return await voiceServerOf(deps).devices(topicId);
  } catch (error) {
    if (!(error instanceof VoiceServerError)) throw error;
    deps.log.warn({ err: error, topic: topicId }, 'the voice server does not say who is in a room');
    return undefined;
  }
};

/**
 * Starts to record the room of a topic. Repeated with the same `context.commandId` it is the same recording.
 * @returns its id
 * @throws Rejected `not_found`, `forbidden` also for people who are not in the room, `conflict` while another one runs and for
 * an empty room, `voice_unavailable`
 */
export const startRecording = async (
  deps: VoiceDeps,
  context: CommandContext,
  topicId: string,
  { accountId: by, isModerator }: Writer,
): Promise<string> => {
  voiceServerOf(deps);
  const { authorId } = await enterable(deps, context, topicId, by);
  const recordingId = derivedId(context.commandId, 'voiceRecording');
  if ((await madeBefore(deps, voiceRecording, recordingId, context)).status !== 'none') return recordingId;
  const mayRecord = isModerator || authorId === by;
  // Before the room is reserved: it frees the room if this process ends.
  await watchStart(deps, context, recordingId, topicId);
  const people = await listed(deps, topicId);
  const reservation = {
    type: 'ReserveRecording',
    recordingId,
    by,
    mayRecord,
    ...(people && { listed: people }),
  } as const;
  await deps.aggregates.handle(voiceRoom, topicId, reservation, context);
  const request = { type: 'RequestRecording', topicId, requestedBy: by } as const;
  await deps.aggregates.handle(voiceRecording, recordingId, request, context);
  try {
    await begin(deps, context, recordingId, topicId);
  } catch (error) {
    // Nobody knows whether it has begun: the job looks for it before it tries again.
    if (!(error instanceof VoiceServerError)) throw error;
    deps.log.warn({ err: error, recording: recordingId }, 'the voice server did not answer');
  }
  return recordingId;
};

/**
 * Stops the recording that runs. Safe to repeat, also once it is over.
 * @returns its id
 * @throws Rejected `not_found`, `forbidden`, `conflict` where nothing was ever recorded, `voice_unavailable`
 */
export const stopRecording = async (
  deps: VoiceDeps,
  context: CommandContext,
  topicId: string,
  { accountId: by, isModerator }: Writer,
): Promise<string> => {
  voiceServerOf(deps);
  const { authorId } = await enterable(deps, context, topicId, by);
  const { openedBy, recordingId, lastRecordingId } = (await deps.aggregates.load(voiceRoom, topicId)).state;
  if (!isModerator && by !== authorId && by !== openedBy)
    throw new Rejected(
      'forbidden',
      'Only who has opened the room, the author of the topic and moderators can stop it.',
    );
  if (recordingId === null && lastRecordingId !== null) return lastRecordingId; // it was stopped before
  if (recordingId === null) throw new Rejected('conflict', 'This room is not being recorded.');
  await endRecording(deps, context, recordingId, by);
  return recordingId;
};

/** Ends the recording that runs. Safe to repeat. @param by null: nobody may record there any more */
export const endRecording = async (
  deps: VoiceDeps,
  context: CommandContext,
  recordingId: string,
  by: string | null,
): Promise<void> => {
  const before = (await deps.aggregates.load(voiceRecording, recordingId)).state;
  const { egressId, topicId } = await apply(deps, context, recordingId, { type: 'StopRecording', by });
  const isFirst = before.status !== 'none' && !before.isStopping;
  if (isFirst) await watchEnd(deps, context, recordingId, topicId);
  else await recordingLook.runNow(deps.jobs, recordingId);
  try {
    if (egressId !== null) await deps.voiceServer?.stopRecording(egressId);
  } catch (error) {
    if (!(error instanceof VoiceServerError)) throw error;
    deps.log.warn({ err: error, recording: recordingId }, 'the voice server did not answer');
  }
};
