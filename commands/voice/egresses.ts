/** What the voice server makes of recordings: its egresses, and what follows from what it says of them. */

import { Rejected, requireExisting } from '../../domain/core/decider.ts';
import {
  isOver,
  isRunning,
  isStray,
  type KnownRecording,
  type VoiceRecordingCommand,
  voiceRecording,
} from '../../domain/voice/recording.ts';
import { voiceRoom } from '../../domain/voice/room.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { jobIds } from '../core/jobs.ts';
import type { VoiceDeps } from './deps.ts';
import { voiceServerOf } from './rooms.ts';
import { type FoundEgress, type VoiceServer, VoiceServerError } from './voiceServer.ts';

/** The job of each recording that runs. Its id is the recording's. Stored in the table: never renamed. */
export const RECORDING_JOB = 'voice_recording';

/** What follows once a recording is over: another one can begin. */
export const settle = async (deps: VoiceDeps, context: CommandContext, recordingId: string, topicId: string) => {
  const command = { type: 'FreeRecording', recordingId } as const;
  await deps.aggregates.handle(voiceRoom, topicId, command, followUp(context, `free ${recordingId}`));
};

/** Shows in the room whether it is recorded. The channel of the topic tells it too, so a failure is only logged. */
const showInRoom = async ({ voiceServer, log }: VoiceDeps, topicId: string, recordingId: string | null) => {
  try {
    await voiceServer?.showRecording(topicId, recordingId);
  } catch (error) {
    if (!(error instanceof VoiceServerError)) throw error;
    log.warn({ err: error, topic: topicId }, 'the voice room does not show whether it is recorded');
  }
};

/** @throws Rejected `not_found` */
export const apply = async (
  deps: VoiceDeps,
  context: CommandContext,
  recordingId: string,
  command: VoiceRecordingCommand,
): Promise<KnownRecording> => {
  const { state, events } = await deps.aggregates.handle(voiceRecording, recordingId, command, context);
  requireExisting(state, 'recording');
  if (isOver(state)) await settle(deps, context, recordingId, state.topicId);
  const hasBegun = events.some(({ type }) => type === 'VoiceRecordingStarted');
  if (isOver(state) ? events.length > 0 : hasBegun)
    await showInRoom(deps, state.topicId, isOver(state) ? null : recordingId);
  return state;
};

/** The recording of an egress that does not name its file: the one that runs and was started as this egress. */
const recordingWith = async ({ pool, aggregates }: VoiceDeps, egressId: string): Promise<string | null> => {
  for (const id of await jobIds(pool, RECORDING_JOB)) {
    const { state } = await aggregates.load(voiceRecording, id);
    if (state.status !== 'none' && state.egressId === egressId) return id;
  }
  return null;
};

/**
 * Records what the voice server says of an egress. One that nobody waits for any more is stopped.
 * @returns whether it is one of ours
 */
export const applyEgress = async (
  deps: VoiceDeps,
  context: CommandContext,
  { recordingId: named, ...egress }: FoundEgress,
): Promise<boolean> => {
  const recordingId = named ?? (await recordingWith(deps, egress.egressId));
  if (recordingId === null) return false;
  const { state } = await deps.aggregates.load(voiceRecording, recordingId);
  if (state.status === 'none') return false;
  if (isStray(state, egress)) {
    if (isRunning(egress)) await voiceServerOf(deps).stopRecording(egress.egressId);
    return true;
  }
  const step = followUp(context, `egress ${egress.egressId} ${egress.phase}`);
  const applied = await apply(deps, step, recordingId, { type: 'ApplyEgress', egress });
  if (isRunning(egress) && egress.phase !== 'ending' && (applied.isStopping || isOver(applied)))
    await voiceServerOf(deps).stopRecording(egress.egressId);
  return true;
};

/** @throws Rejected `conflict` when the room is gone, `voice_unavailable` when the voice server refuses · VoiceServerError */
export const begin = async (deps: VoiceDeps, context: CommandContext, recordingId: string, topicId: string) => {
  try {
    await applyEgress(deps, context, await voiceServerOf(deps).startRecording(topicId, recordingId));
  } catch (error) {
    if (!(error instanceof VoiceServerError) || error.kind === 'away') throw error;
    const command = { type: 'GiveUp', reason: 'refused' } as const;
    await apply(deps, followUp(context, 'refused'), recordingId, command);
    deps.log.warn({ err: error, recording: recordingId }, 'the voice server refuses to record');
    if (error.isMissing)
      throw new Rejected('conflict', 'Nobody is in this voice room, so there is nothing to record. Join it first.');
    throw new Rejected(
      'voice_unavailable',
      'The voice server of this system cannot record until its operators have repaired that. Trying again does not help before.',
    );
  }
};

/** All that the voice server has for a recording. */
export const egressesFor = async (
  server: VoiceServer,
  { topicId, egressId }: Pick<KnownRecording, 'topicId' | 'egressId'>,
  recordingId: string,
): Promise<FoundEgress[]> => {
  const all = await server.recordingsOf(topicId);
  return all
    .filter((one) => one.recordingId === recordingId || one.egressId === egressId)
    .map((one) => ({ ...one, recordingId }));
};
