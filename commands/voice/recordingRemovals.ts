/**
 * The end of recordings: after the retention, when somebody who may removes one, and when a person is erased whose voice may
 * be in it. A voice cannot be taken out of a recording, so that it goes as a whole.
 */
import { Rejected, requireExisting } from '../../domain/core/decider.ts';
import { addMs, DAY_MS, isBefore, msBetween } from '../../domain/core/instants.ts';
import { forumTopic } from '../../domain/forums/topic.ts';
import { voicePurpose } from '../../domain/voice/index.ts';
import { isRunning, type KnownRecording, voiceRecording } from '../../domain/voice/recording.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';
import type { ErasureStep } from '../core/erasure.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { expectBytesGone } from '../files/erasure.ts';
import type { Writer } from '../forums/deps.ts';
import type { VoiceDeps } from './deps.ts';
import { apply, egressesFor } from './egresses.ts';
import { recordingKey } from './livekit.ts';
import { VoiceServerError } from './voiceServer.ts';
import { forgetVoices, recordingsWith } from './voices.ts';

export const soundRecordings: ExternalPersonalData = {
  what: 'sound recordings of voice rooms: the bucket',
  where: 'files',
  why: voicePurpose,
  retention: { until: '`VOICE_RECORDING_DAYS` after the recording has ended, when a job deletes the file' },
  exported: 'which ones, in `recorded_voices` and `voice_recordings`; people who were in the room can play them',
  erased: 'the file as a whole, of every recording during which the person was in the room',
};

const SOON_MS = 30_000;
/** A voice server that still writes a file this long after its removal is not waited for. */
const PATIENCE_MS = DAY_MS;

const earlier = (a: string, b: string): string => (isBefore(a, b) ? a : b);

/** @returns whether they have started it @throws Rejected `not_found`, `forbidden` */
const refuseStrangers = async (
  { aggregates }: Pick<VoiceDeps, 'aggregates'>,
  id: string,
  { accountId: by, isModerator }: Writer,
): Promise<boolean> => {
  const { state } = await aggregates.load(voiceRecording, id);
  requireExisting(state, 'recording');
  const topic = (await aggregates.load(forumTopic, state.topicId)).state;
  const isAuthor = topic.status !== 'none' && topic.authorId === by;
  if (!isModerator && !isAuthor && state.requestedBy !== by)
    throw new Rejected('forbidden', 'Only who has started it, the author of the topic and moderators can remove it.');
  return state.requestedBy === by;
};

/**
 * Removes a recording, also while it runs. Safe to repeat. Who has started it removes it for good, unless a report of it is
 * open. Others give a reason, and its file stays for the time in which the person can appeal.
 * @throws Rejected `not_found`, `forbidden` for people who have not started it, are not the author of the topic and no
 * moderator, `invalid` for others without a reason, `conflict` for another reason
 */
export const removeRecording = async (
  deps: VoiceDeps,
  context: CommandContext,
  id: string,
  who: Writer,
  { isReported = false, reason }: { readonly isReported?: boolean; readonly reason?: string | undefined } = {},
): Promise<void> => {
  const isOwn = await refuseStrangers(deps, id, who);
  if (!isOwn && reason === undefined)
    throw new Rejected('invalid', 'Write a reason for who has started this recording.', { fields: ['reason'] });
  const command =
    isOwn && !isReported
      ? ({ type: 'RemoveRecording', reason: 'by_request' } as const)
      : ({ type: 'HideRecording', by: who.accountId, reason: isOwn ? null : (reason ?? null) } as const);
  const { status } = await apply(deps, context, id, command);
  if (status === 'removed') await deps.fileStore.remove(recordingKey(id));
};

/** What was not taken away stays as it is. */
export const restoreRecording = async (
  { aggregates }: Pick<VoiceDeps, 'aggregates'>,
  context: CommandContext,
  id: string,
): Promise<void> => {
  await aggregates.handle(voiceRecording, id, { type: 'RestoreRecording' }, context);
};

/** At the erasure of a person: removes every recording that their voice may be in. */
export const removeRecordingsOf: ErasureStep<VoiceDeps> = async (deps, context, person) => {
  for (const id of await recordingsWith(deps.pool, person)) {
    const bytes = { holder: 'sound recordings of voice rooms', keys: [recordingKey(id)] } as const;
    await expectBytesGone(deps, context, person, bytes);
    const step = followUp(context, `recording ${id}`);
    await apply(deps, step, id, { type: 'RemoveRecording', reason: 'person_erased' });
  }
};

/** Whether the voice server still writes the file. It is told to stop. */
const isStillWritten = async ({ voiceServer, log }: VoiceDeps, id: string, recording: KnownRecording) => {
  if (!voiceServer) return false;
  try {
    const running = (await egressesFor(voiceServer, recording, id)).filter(isRunning);
    for (const { egressId } of running) await voiceServer.stopRecording(egressId);
    return running.length > 0;
  } catch (error) {
    if (!(error instanceof VoiceServerError)) throw error;
    log.warn({ err: error, recording: id }, 'the voice server does not say whether a recording has ended');
    return error.kind === 'away'; // refused: it does not record
  }
};

/** Deletes the file of a recording that is over, once it was kept long enough or was removed. Its id is the recording's. */
export const recordingFile = defineJob<{ readonly topicId: string; readonly overAt: string }, VoiceDeps>(
  'voice_recording_file',
  async ({ id, data: { topicId, overAt } }, { deps, context }) => {
    const { state } = await deps.aggregates.load(voiceRecording, id);
    if (state.status === 'none') return undefined;
    const isRemoved = state.status === 'removed';
    // Nobody waits for what these leave: one that failed may have begun unseen.
    const isUnwanted = isRemoved || state.status === 'failed';
    const isPatient = msBetween(overAt, context.at) < PATIENCE_MS;
    const isWritten = isUnwanted && isPatient && (await isStillWritten(deps, id, { ...state, topicId }));
    const soon = { againAt: addMs(context.at, SOON_MS) };
    const keptUntil = addMs(overAt, deps.settings.voiceRecordingDays * DAY_MS);
    // Every day, because the setting can be lowered meanwhile.
    if (!isRemoved && isBefore(context.at, keptUntil))
      return isWritten ? soon : { againAt: earlier(keptUntil, addMs(context.at, DAY_MS)) };
    await apply(deps, context, id, { type: 'RemoveRecording', reason: 'expired' });
    await deps.fileStore.remove(recordingKey(id));
    if (isWritten) return soon;
    await forgetVoices(deps.pool, id);
    return undefined;
  },
);
