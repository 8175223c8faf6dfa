/** What follows from what happens in voice rooms, and in the forums they belong to. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { voiceRecording } from '../../domain/voice/recording.ts';
import { voiceRoom } from '../../domain/voice/room.ts';
import { wasErased } from '../accounts/accounts.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { unlessRejected } from '../core/refusals.ts';
import { keepRemoved } from '../reports/evidence.ts';
import type { VoiceDeps } from './deps.ts';
import { apply } from './egresses.ts';
import { recordingFile, removeRecordingsOf } from './recordingRemovals.ts';
import { endRecording } from './recordings.ts';
import { lookWherePersonIs, roomLook } from './rooms.ts';
import { keepVoice } from './voices.ts';

type Ctx = PolicyContext<VoiceDeps>;
type Over = Recorded<EventOf<'VoiceRecordingEnded' | 'VoiceRecordingFailed' | 'VoiceRecordingRemoved'>>;
type OfTopic = Recorded<EventOf<'ForumTopicLocked' | 'ForumTopicUnlocked' | 'ForumTopicRemoved' | 'ForumTopicDeleted'>>;
type OfAccount = Recorded<EventOf<'ProfileChanged' | 'SessionEnded' | 'TokensRevoked' | 'PersonErased'>>;
type Sanction = Recorded<EventOf<'ForumSanctionImposed' | 'ForumSanctionLifted'>>;

const keepFile = ({ streamId: id, at, meta, data: { topicId } }: Over, { deps }: Ctx): Promise<void> =>
  recordingFile.scheduleOnce(deps.jobs, meta, { id, dueAt: at, data: { topicId, overAt: at } });

/** People in the room keep only the rights that they have now. */
const lookAtTopic = ({ streamId: topicId }: OfTopic, { deps }: Ctx): Promise<void> =>
  roomLook.runNow(deps.jobs, topicId);
const lookForSanctioned = ({ data: { accountId, topicId } }: Sanction, { deps }: Ctx): Promise<void> =>
  topicId === null ? lookWherePersonIs(deps, accountId) : roomLook.runNow(deps.jobs, topicId);
/** Whoever signs out is out, whoever changes the role keeps the rights of the new one, and a new name is shown. */
const lookForAccount = ({ streamId: accountId }: OfAccount, { deps }: Ctx): Promise<void> =>
  lookWherePersonIs(deps, accountId);

/** Nobody is recorded in a topic that is not open any more. */
const closeRoom = async (event: OfTopic, ctx: Ctx): Promise<void> => {
  const { deps, context } = ctx;
  const { recordingId } = (await deps.aggregates.load(voiceRoom, event.streamId)).state;
  // One that was reserved and not asked for yet is freed by its job.
  if (recordingId !== null) await unlessRejected(() => endRecording(deps, context, recordingId, null), 'not_found');
  await lookAtTopic(event, ctx);
};

export const voicePolicy = policy<VoiceDeps>('voice', {
  VoiceParticipantRecorded: async ({ at, data: { recordingId, accountId: personId } }, { deps, context }) => {
    await keepVoice(deps.pool, { recordingId, personId }, at);
    // Erased meanwhile: the erasure did not see this recording.
    if (await wasErased(deps, personId)) await removeRecordingsOf(deps, context, personId);
  },
  VoiceRecordingEnded: keepFile,
  VoiceRecordingFailed: keepFile,
  VoiceRecordingRemoved: async (event, ctx) => {
    await keepFile(event, ctx);
    await recordingFile.runNow(ctx.deps.jobs, event.streamId);
  },
  // Its file stays for those who judge.
  VoiceRecordingHidden: ({ streamId: id, at, data: { topicId: within, requestedBy: authorId } }, { deps, context }) =>
    keepRemoved(deps, context, { subject: { kind: 'voice_recording', id, within }, authorId }, at),
  EvidenceEnded: async ({ data: { subject } }, { deps, context }) => {
    if (subject.kind !== 'voice_recording') return;
    const { state } = await deps.aggregates.load(voiceRecording, subject.id);
    if (state.status !== 'hidden') return;
    await apply(deps, context, subject.id, { type: 'RemoveRecording', reason: 'by_request' });
  },
  ForumTopicLocked: lookAtTopic,
  ForumTopicUnlocked: lookAtTopic,
  ForumTopicRemoved: closeRoom,
  ForumTopicDeleted: closeRoom,
  ForumSanctionImposed: lookForSanctioned,
  ForumSanctionLifted: lookForSanctioned,
  ProfileChanged: lookForAccount,
  SessionEnded: lookForAccount,
  TokensRevoked: lookForAccount,
  PersonErased: lookForAccount,
});
