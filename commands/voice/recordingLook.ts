/** Asks the voice server about recordings: what its reports do not bring, and what it does not answer. */

import { addMs, DAY_MS, HOUR_MS, isBefore, msBetween } from '../../domain/core/instants.ts';
import { isOver, isRunning, type KnownRecording, voiceRecording } from '../../domain/voice/recording.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { unlessRejected } from '../core/refusals.ts';
import type { VoiceDeps } from './deps.ts';
import { apply, applyEgress, begin, egressesFor, RECORDING_JOB, settle } from './egresses.ts';
import { type VoiceServer, VoiceServerError } from './voiceServer.ts';

/** The first look after a start, and how often from then on, in milliseconds. */
const FIRST_LOOK_MS = 15_000;
const LOOK_MS = 30_000;
/** What has not begun by then has failed. */
const BEGIN_MS = 120_000;
const LONGEST_MS = 6 * HOUR_MS;
/** A recording that should have ended is given up this long afterwards: its file is still being stored. */
const PATIENCE_MS = HOUR_MS;
/** Likewise when the voice server does not answer. */
const SILENCE_MS = DAY_MS;

interface Due {
  readonly topicId: string;
  /** Nothing is recorded by then: it has failed. */
  readonly beginBy: string;
  readonly endBy: string;
}

type Again = { readonly againAt: string };

const giveUp = async (
  deps: VoiceDeps,
  context: CommandContext,
  id: string,
  reason: 'refused' | 'not_started' | 'lost',
): Promise<undefined> => {
  await apply(deps, followUp(context, reason), id, { type: 'GiveUp', reason });
  return undefined;
};

/** The egress of a recording, where the voice server has one; the one that runs, if there are several. */
const egressFor = async (server: VoiceServer, recording: KnownRecording, recordingId: string) => {
  const found = await egressesFor(server, recording, recordingId);
  const { egressId } = recording;
  if (egressId !== null) return found.find((one) => one.egressId === egressId);
  return found.find(isRunning) ?? found[0];
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
  const egress = await egressFor(deps.voiceServer, state, id);
  if (egress) {
    await applyEgress(deps, context, egress);
    if (!isRunning(egress)) return undefined;
    if (egress.phase === 'starting' && now >= Date.parse(beginBy)) {
      // Such as one of people who have sent nothing yet. What comes of it is none of ours any more.
      await giveUp(deps, context, id, 'not_started');
      await deps.voiceServer.stopRecording(egress.egressId);
      return undefined;
    }
    return now >= Date.parse(endBy) + PATIENCE_MS ? giveUp(deps, context, id, 'lost') : again;
  }
  if (state.egressId !== null) return giveUp(deps, context, id, 'lost');
  if (state.isStopping || now >= Date.parse(beginBy)) return giveUp(deps, context, id, 'not_started');
  await unlessRejected(() => begin(deps, context, id, topicId)); // refused: it has failed
  return again;
};

/** Asks the voice server about a recording until it is over. Its id is the recording's. */
export const recordingLook = defineJob<Due, VoiceDeps>(RECORDING_JOB, async ({ id, data }, { deps, context }) => {
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
    if (!(error instanceof VoiceServerError)) throw error;
    const now = (await deps.aggregates.load(voiceRecording, id)).state;
    if (now.status !== 'none' && now.egressId === null) {
      // It was never confirmed. A job stops what may have begun nevertheless.
      if (error.kind === 'refused') return giveUp(deps, context, id, 'refused');
      if (!isBefore(context.at, data.beginBy)) return giveUp(deps, context, id, 'not_started');
    }
    // However long it does not answer: how the recording has ended is asked for once it does.
    const patienceMs = error.kind === 'refused' ? PATIENCE_MS : SILENCE_MS;
    if (msBetween(data.endBy, context.at) >= patienceMs) return giveUp(deps, context, id, 'lost');
    deps.log.warn({ err: error, recording: id }, 'the voice server does not say what has become of a recording');
    return { againAt: addMs(context.at, LOOK_MS) };
  }
});

/** From now on looks at a recording that is about to be asked for. */
export const watchStart = (deps: VoiceDeps, context: CommandContext, id: string, topicId: string): Promise<void> => {
  const { at } = context;
  const data = { topicId, beginBy: addMs(at, BEGIN_MS), endBy: addMs(at, LONGEST_MS) };
  return recordingLook.scheduleOnce(deps.jobs, context, { id, dueAt: addMs(at, FIRST_LOOK_MS), data });
};

/** Looks now at a recording that was just stopped: one that was not confirmed has failed, unless the voice server has it. */
export const watchEnd = (deps: VoiceDeps, context: CommandContext, id: string, topicId: string): Promise<void> => {
  const { at } = context;
  const data = { topicId, beginBy: at, endBy: at };
  return recordingLook.schedule(deps.jobs, context, { id, dueAt: at, data });
};
