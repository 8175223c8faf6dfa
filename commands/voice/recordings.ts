/**
 * Recordings: started and stopped by people, ended by the voice server. What its reports do not bring is asked for by a job,
 * which lives as long as the recording does.
 */

import { notFound, Rejected } from '../../domain/core/decider.ts';
import { addMs, DAY_MS, HOUR_MS, msBetween } from '../../domain/core/instants.ts';
import {
  isOver,
  isStray,
  type KnownRecording,
  type VoiceRecordingCommand,
  voiceRecording,
} from '../../domain/voice/recording.ts';
import { voiceRoom } from '../../domain/voice/room.ts';
import { derivedId } from '../../infra/ids.ts';
import { type CommandContext, followUp, madeBefore } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { unlessRejected } from '../core/refusals.ts';
import type { Writer } from '../forums/deps.ts';
import type { VoiceDeps } from './deps.ts';
import { enterable } from './rights.ts';
import { voiceServerOf } from './rooms.ts';
import { type FoundEgress, type VoiceServer, VoiceServerError } from './voiceServer.ts';

/** The first look after a start, and how often from then on, in milliseconds. */
const FIRST_LOOK_MS = 15_000;
const LOOK_MS = 30_000;
/** What has not begun by then has failed. */
const BEGIN_MS = 120_000;
const LONGEST_MS = 6 * HOUR_MS;
/** A recording that should have ended is given up this long afterwards. */
const PATIENCE_MS = 600_000;
/** Likewise when the voice server does not say anything. */
const SILENCE_MS = DAY_MS;

interface Due {
  readonly topicId: string;
  readonly beginBy: string;
  readonly endBy: string;
}

/** What follows once a recording is over: another one can begin. */
const settle = async (deps: VoiceDeps, context: CommandContext, recordingId: string, topicId: string) => {
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
  if (state.status === 'none') throw notFound('recording');
  if (isOver(state)) await settle(deps, context, recordingId, state.topicId);
  const hasBegun = events.some(({ type }) => type === 'VoiceRecordingStarted');
  if (isOver(state) ? events.length > 0 : hasBegun)
    await showInRoom(deps, state.topicId, isOver(state) ? null : recordingId);
  return state;
};

/**
 * Records what the voice server says of an egress. One that nobody waits for any more is stopped.
 * @returns whether it is one of ours
 */
export const applyEgress = async (
  deps: VoiceDeps,
  context: CommandContext,
  { recordingId, ...egress }: FoundEgress,
): Promise<boolean> => {
  if (recordingId === null) return false;
  const { state } = await deps.aggregates.load(voiceRecording, recordingId);
  if (state.status === 'none') return false;
  if (isStray(state, egress)) {
    if (egress.phase === 'running') await voiceServerOf(deps).stopRecording(egress.egressId);
    return true;
  }
  const step = followUp(context, `egress ${egress.egressId} ${egress.phase}`);
  const applied = await apply(deps, step, recordingId, { type: 'ApplyEgress', egress });
  if (egress.phase === 'running' && (applied.isStopping || isOver(applied)))
    await voiceServerOf(deps).stopRecording(egress.egressId);
  return true;
};

/** @throws Rejected `voice_unavailable` when the voice server refuses · VoiceServerError when it does not answer */
const begin = async (deps: VoiceDeps, context: CommandContext, recordingId: string, topicId: string) => {
  try {
    await applyEgress(deps, context, await voiceServerOf(deps).startRecording(topicId, recordingId));
  } catch (error) {
    if (!(error instanceof VoiceServerError) || error.kind === 'away') throw error;
    const command = { type: 'GiveUp', reason: 'refused' } as const;
    await apply(deps, followUp(context, 'refused'), recordingId, command);
    deps.log.warn({ err: error, recording: recordingId }, 'the voice server refuses to record');
    throw new Rejected(
      'voice_unavailable',
      'The voice server did not start the recording. Join the room, then try again.',
    );
  }
};

/**
 * Starts to record the room of a topic. Repeated with the same `context.commandId` it is the same recording.
 * @returns its id
 * @throws Rejected `not_found`, `forbidden`, `conflict` while another one runs, `voice_unavailable`
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
  const { at } = context;
  const data: Due = { topicId, beginBy: addMs(at, BEGIN_MS), endBy: addMs(at, LONGEST_MS) };
  await recordingLook.scheduleOnce(deps.jobs, context, { id: recordingId, dueAt: addMs(at, FIRST_LOOK_MS), data });
  const reservation = { type: 'ReserveRecording', recordingId, by, mayRecord } as const;
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
  const server = voiceServerOf(deps);
  const { authorId } = await enterable(deps, context, topicId, by);
  const { openedBy, recordingId, lastRecordingId } = (await deps.aggregates.load(voiceRoom, topicId)).state;
  if (!isModerator && by !== authorId && by !== openedBy)
    throw new Rejected(
      'forbidden',
      'Only who has opened the room, the author of the topic and moderators can stop it.',
    );
  if (recordingId === null && lastRecordingId !== null) return lastRecordingId; // it was stopped before
  if (recordingId === null) throw new Rejected('conflict', 'This room is not being recorded.');
  const { egressId } = await apply(deps, context, recordingId, { type: 'StopRecording', by });
  try {
    if (egressId !== null) await server.stopRecording(egressId);
  } catch (error) {
    if (!(error instanceof VoiceServerError)) throw error;
    deps.log.warn({ err: error, recording: recordingId }, 'the voice server did not answer');
  }
  await recordingLook.runNow(deps.jobs, recordingId);
  return recordingId;
};

type Again = { readonly againAt: string };

const giveUp = async (
  deps: VoiceDeps,
  context: CommandContext,
  id: string,
  reason: 'not_started' | 'lost',
): Promise<undefined> => {
  await apply(deps, followUp(context, reason), id, { type: 'GiveUp', reason });
  return undefined;
};

/** The egress of a recording, where the voice server has one; the one that runs, if there are several. */
export const egressFor = async (server: VoiceServer, topicId: string, recordingId: string, egressId: string | null) => {
  const found = (await server.recordingsOf(topicId)).filter((one) => one.recordingId === recordingId);
  if (egressId !== null) return found.find((one) => one.egressId === egressId);
  return found.find(({ phase }) => phase === 'running') ?? found[0];
};

/** @returns when to ask again; undefined once it is over. @throws VoiceServerError */
const lookAt = async (
  deps: VoiceDeps & { readonly voiceServer: VoiceServer },
  context: CommandContext,
  id: string,
  { state, due: { topicId, beginBy, endBy } }: { readonly state: KnownRecording; readonly due: Due },
): Promise<Again | undefined> => {
  const now = Date.parse(context.at);
  const again = { againAt: addMs(context.at, LOOK_MS) };
  const isLate = now >= Date.parse(endBy);
  if (isLate) await apply(deps, followUp(context, 'stop'), id, { type: 'StopRecording', by: null });
  const egress = await egressFor(deps.voiceServer, topicId, id, state.egressId);
  if (egress) {
    await applyEgress(deps, context, egress);
    if (egress.phase !== 'running') return undefined;
    return now >= Date.parse(endBy) + PATIENCE_MS ? giveUp(deps, context, id, 'lost') : again;
  }
  if (state.status === 'started') return giveUp(deps, context, id, 'lost');
  if (state.isStopping || now >= Date.parse(beginBy)) return giveUp(deps, context, id, 'not_started');
  await unlessRejected(() => begin(deps, context, id, topicId)); // refused: it has failed
  return again;
};

/** Asks the voice server about a recording until it is over. Its id is the recording's. */
export const recordingLook = defineJob<Due, VoiceDeps>('voice_recording', async ({ id, data }, { deps, context }) => {
  const { state } = await deps.aggregates.load(voiceRecording, id);
  if (state.status === 'none' || isOver(state)) {
    await settle(deps, context, id, data.topicId);
    return undefined;
  }
  const { voiceServer } = deps;
  if (!voiceServer) return giveUp(deps, context, id, 'lost');
  try {
    return await lookAt({ ...deps, voiceServer }, context, id, { state, due: data });
  } catch (error) {
    // However long it does not answer: how the recording has ended is asked for once it does.
    if (!(error instanceof VoiceServerError)) throw error;
    if (msBetween(data.endBy, context.at) >= SILENCE_MS) return giveUp(deps, context, id, 'lost');
    deps.log.warn({ err: error, recording: id }, 'the voice server does not say what has become of a recording');
    return { againAt: addMs(context.at, LOOK_MS) };
  }
});
