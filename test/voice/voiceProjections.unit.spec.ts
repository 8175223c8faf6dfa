/** What the read models of voice rooms make of events, and who is told. */
import { describe, expect, it } from 'vitest';
import type { VoiceRecordingEvent } from '../../domain/voice/recording.ts';
import type { VoiceRoomEvent } from '../../domain/voice/room.ts';
import { voiceRecordings } from '../../projections/voice/recordings.ts';
import { voiceRooms } from '../../projections/voice/rooms.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';

const [TOPIC, ANNA, RECORDING] = [id(1), id(2), id(4)] as const;
const [AT, LATER] = ['2026-01-10T10:00:00.000Z', '2026-01-10T10:00:10.000Z'] as const;
const inRoom = (event: VoiceRoomEvent) => happened('voiceRoom', TOPIC, event, AT);
const ofRecording = (event: VoiceRecordingEvent) => happened('voiceRecording', RECORDING, event, AT);
const topicId = TOPIC;

describe('rooms', () => {
  const rowsAfter = projection(voiceRooms);
  const anna = { connectionId: 'PA_1', accountId: ANNA };
  const opened = inRoom({ type: 'VoiceRoomOpened', data: { openedBy: ANNA } });
  const joined = inRoom({ type: 'VoiceParticipantJoined', data: anna });
  const left = inRoom({ type: 'VoiceParticipantLeft', data: anna });
  const reserved = inRoom({ type: 'VoiceRecordingReserved', data: { recordingId: RECORDING } });
  const freed = inRoom({ type: 'VoiceRecordingFreed', data: { recordingId: RECORDING } });

  it('show who is there and whether they are recorded', () => {
    const row = {
      topic_id: TOPIC,
      opened_by: ANNA,
      recording_id: RECORDING,
      is_recording: false,
      participants: [{ connection_id: 'PA_1', account_id: ANNA, joined_at: AT }],
    };
    expect(rowsAfter([opened, joined, reserved])).toEqual([row]);
    expect(toldOn(voiceRooms, row)).toEqual([`topic_${TOPIC}`]);
    const begun = ofRecording({ type: 'VoiceRecordingStarted', data: { topicId: TOPIC, egressId: 'EG_1' } });
    expect(rowsAfter([opened, joined, reserved, begun])).toEqual([{ ...row, is_recording: true }]);
    // One that is over meanwhile.
    expect(rowsAfter([opened, joined, reserved, freed, begun])).toMatchObject([{ is_recording: false }]);
    expect(rowsAfter([opened, joined, reserved, begun, freed])).toMatchObject([{ is_recording: false }]);
    const closed = inRoom({ type: 'VoiceRoomClosed', data: {} });
    expect(rowsAfter([opened, joined, reserved, left, freed, closed])).toEqual([
      { topic_id: TOPIC, opened_by: null, recording_id: null, is_recording: false, participants: [] },
    ]);
  });
});

describe('recordings', () => {
  const rowsAfter = projection(voiceRecordings);
  const requested = ofRecording({ type: 'VoiceRecordingRequested', data: { topicId, requestedBy: ANNA } });
  const started = ofRecording({ type: 'VoiceRecordingStarted', data: { topicId, egressId: 'EG_1' } });
  const stopping = ofRecording({ type: 'VoiceRecordingStopRequested', data: { topicId, stoppedBy: ANNA } });
  const file = { location: 's3://voice/1.ogg', durationS: 61, sizeBytes: 4_096 };
  const ended = ofRecording({ type: 'VoiceRecordingEnded', data: { topicId, ...file } });
  const failed = ofRecording({ type: 'VoiceRecordingFailed', data: { topicId, reason: 'empty' } });

  it('keep the file of a hidden one for those who judge, until it is restored or removed', () => {
    const hidden = (reason: string | null) =>
      ofRecording({ type: 'VoiceRecordingHidden', data: { topicId, requestedBy: ANNA, by: ANNA, reason } });
    const whole = [requested, started, ended];
    const kept = { status: 'removed', is_kept: true, location: file.location, removal_reason: 'Rude' };
    expect(rowsAfter([...whole, hidden('Rude')])).toMatchObject([kept]);
    expect(rowsAfter([...whole, hidden(null)])).toMatchObject([{ ...kept, removal_reason: null }]);
    expect(rowsAfter([...whole, hidden(null), hidden('Rude')])).toMatchObject([kept]);
    const restored = ofRecording({ type: 'VoiceRecordingRestored', data: { topicId } });
    expect(rowsAfter([...whole, hidden('Rude'), restored])).toMatchObject([
      { status: 'ended', is_kept: false, location: file.location, removal_reason: null },
    ]);
    const removed = ofRecording({ type: 'VoiceRecordingRemoved', data: { topicId, reason: 'by_request' } });
    expect(rowsAfter([...whole, hidden('Rude'), removed])).toMatchObject([
      { status: 'removed', is_kept: false, location: null, removal_reason: 'Rude' },
    ]);
    expect(rowsAfter([requested, started, hidden('Rude'), removed])).toMatchObject([{ is_kept: false }]);
  });

  it('show what has become of them', () => {
    expect(rowsAfter([requested])).toMatchObject([{ status: 'starting', started_at: null }]);
    expect(rowsAfter([requested, started])).toMatchObject([{ status: 'recording', started_at: AT }]);
    const accepted = ofRecording({ type: 'VoiceRecordingAccepted', data: { topicId, egressId: 'EG_1' } });
    expect(rowsAfter([requested, accepted])).toMatchObject([
      { status: 'starting', started_at: null, egress_id: 'EG_1' },
    ]);
    const from = (startedAt: string) =>
      rowsAfter([
        requested,
        {
          ...ofRecording({ type: 'VoiceRecordingStarted', data: { topicId, egressId: 'EG_1', startedAt } }),
          at: LATER,
        },
      ])[0]?.started_at;
    expect(from('2026-01-10T10:00:08.000Z')).toBe('2026-01-10T10:00:08.000Z');
    // By a clock that is wrong.
    expect([from('2026-01-10T09:00:00.000Z'), from('2026-01-10T11:00:00.000Z')]).toEqual([AT, LATER]);
    expect(rowsAfter([requested, stopping, started])).toMatchObject([{ status: 'stopping' }]);
    const [row] = rowsAfter([requested, started, stopping, ended]);
    expect(row).toMatchObject({ status: 'ended', recording_duration_s: 61, location: file.location, failure: null });
    expect(toldOn(voiceRecordings, row as never)).toEqual([`topic_${TOPIC}`]);
    expect(rowsAfter([requested, started, failed])).toMatchObject([{ status: 'failed', failure: 'empty' }]);
    expect(rowsAfter([requested, started])).toMatchObject([{ egress_id: 'EG_1' }]);
  });

  it('have no file once they are removed, and do not say who asked for it', () => {
    const removed = (reason: 'expired' | 'person_erased') =>
      ofRecording({ type: 'VoiceRecordingRemoved', data: { topicId, reason } });
    const whole = [requested, started, ended];
    const gone = { location: null, size_bytes: null };
    expect(rowsAfter([...whole, removed('expired')])).toMatchObject([{ status: 'expired', ...gone }]);
    expect(rowsAfter([...whole, removed('person_erased')])).toMatchObject([{ status: 'removed', ...gone }]);
    expect(rowsAfter([requested, started, removed('person_erased')])).toMatchObject([
      { status: 'removed', ended_at: AT },
    ]);
  });
});
