/** What follows from what happens in voice rooms, and in the forums they belong to. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { wasErased } from '../accounts/accounts.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { VoiceDeps } from './deps.ts';
import { recordingFile, removeRecordingsOf } from './recordingRemovals.ts';
import { lookEverywhere, roomLook } from './rooms.ts';
import { keepVoice } from './voices.ts';

type Ctx = PolicyContext<VoiceDeps>;
type Over = Recorded<EventOf<'VoiceRecordingEnded' | 'VoiceRecordingFailed' | 'VoiceRecordingRemoved'>>;
type OfTopic = Recorded<EventOf<'ForumTopicLocked' | 'ForumTopicUnlocked' | 'ForumTopicRemoved' | 'ForumTopicDeleted'>>;
type Sanction = Recorded<EventOf<'ForumSanctionImposed' | 'ForumSanctionLifted'>>;

const keepFile = ({ streamId: id, at, meta, data: { topicId } }: Over, { deps }: Ctx): Promise<void> =>
  recordingFile.scheduleOnce(deps.jobs, meta, { id, dueAt: at, data: { topicId, overAt: at } });

/** People in the room keep only the rights that they have now. */
const lookAtTopic = ({ streamId: topicId }: OfTopic, { deps }: Ctx): Promise<void> =>
  roomLook.runNow(deps.jobs, topicId);
const lookForPerson = ({ data: { topicId } }: Sanction, { deps }: Ctx): Promise<void> =>
  topicId === null ? lookEverywhere(deps) : roomLook.runNow(deps.jobs, topicId);

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
  ForumTopicLocked: lookAtTopic,
  ForumTopicUnlocked: lookAtTopic,
  ForumTopicRemoved: lookAtTopic,
  ForumTopicDeleted: lookAtTopic,
  ForumSanctionImposed: lookForPerson,
  ForumSanctionLifted: lookForPerson,
  PersonErased: (_event, { deps }) => lookEverywhere(deps),
});
