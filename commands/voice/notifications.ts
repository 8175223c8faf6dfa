/** What people are told of recordings that they have started. */
import { Type } from '@sinclair/typebox';
import { DAY_MS } from '../../domain/core/instants.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { voiceRecording } from '../../domain/voice/recording.ts';
import { notification } from '../core/notification.ts';

/** The list of recordings says why. */
const recordingRemoved = notification('voice_recording_removed', {
  kind: 'system',
  urgency: 'normal',
  worthMs: 3 * DAY_MS,
  params: Type.Object({ topic_id: Uuid, recording_id: Uuid }),
  on: {
    VoiceRecordingHidden: ({ streamId: recordingId, revision, data: { reason } }) =>
      reason === null ? undefined : { about: { recordingId, revision: String(revision) } },
  },
  takenBackBy: {
    VoiceRecordingRestored: async ({ streamId: key, revision }, { aggregates }) => {
      const { state } = await aggregates.load(voiceRecording, key);
      return state.status === 'none' ? undefined : { to: state.requestedBy, key, version: Number(revision) };
    },
  },
  find: async ({ recordingId = '', revision }, { deps }) => {
    const { state } = await deps.aggregates.load(voiceRecording, recordingId);
    if (state.status === 'none' || state.takenAway === null) return [];
    const params = { topic_id: state.topicId, recording_id: recordingId };
    return [{ to: state.requestedBy, key: recordingId, version: Number(revision), params }];
  },
  text: {
    ru: () => ({
      title: 'Ваша запись удалена',
      body: 'Запись голосовой комнаты, которую вы начали, удалена. Причина указана в списке записей. Вы можете подать апелляцию.',
    }),
    en: () => ({
      title: 'Your recording was removed',
      body: 'A recording of a voice room that you started was removed. The list of recordings says why. You can appeal.',
    }),
  },
  link: ({ topic_id }) => `/forums/topics/${topic_id}`,
});

export const voiceNotifications = [recordingRemoved];
