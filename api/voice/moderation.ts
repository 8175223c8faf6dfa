/** Reports of recordings, and how admins answer them. */
import { removeRecording } from '../../commands/voice/recordingRemovals.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { JsonText } from '../../infra/jsonText.ts';
import { recordingById, recordingsByIds, voiceRecordings } from '../../projections/voice/recordings.ts';
import { voiceRooms } from '../../projections/voice/rooms.ts';
import { readableTopic, writerOf } from '../forums/access.ts';
import { filingRoute, reportRoutes } from '../reports/reportRoutes.ts';
import { RECORDING, Recording, shownToJudge } from './recordings.ts';

const report = filingRoute('POST /api/v1/forums/voice/recordings/:id/report', {
  id: 'reportVoiceRecording',
  summary: 'Report a recording to the admins',
  param: 'id',
  find: async (app, caller, id) => {
    const row = await recordingById(app.db, id);
    if (row?.status !== 'ended') throw new Rejected('not_found', 'There is no such recording, or it was removed.');
    await readableTopic(app, caller, row.topic_id);
    return { subject: { kind: RECORDING, id, within: row.topic_id }, authorId: row.requested_by, text: null };
  },
});

const answers = reportRoutes({
  path: 'voice-recording-reports',
  kinds: [RECORDING],
  what: 'recordings of voice rooms',
  name: 'VoiceRecordingReport',
  content: Recording,
  show: async (app, ids) => {
    const at = new Date().toISOString();
    const found = await recordingsByIds(app.db, ids);
    return new Map(found.map((row) => [row.id, new JsonText(JSON.stringify(shownToJudge(app, row, at)))]));
  },
  removal: 'nobody else plays the recording any more.',
  reasonFor: 'the person who has started the recording',
  remove: async (app, context, { subject_id: id }, { caller, reason }) => {
    await removeRecording(app, context, id, writerOf(caller), { reason });
  },
  projections: [voiceRecordings, voiceRooms],
});

export const voiceModerationRoutes = [report, ...answers];
