/** The voice rooms of topics: who is in them, and whether they are recorded. */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { voicePurpose } from '../../domain/voice/index.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';
import { topicChannel } from '../forums/channels.ts';

const Row = Type.Object({
  topic_id: Uuid,
  /** Who was let in first; null: nobody is expected in it. */
  opened_by: Nullable(Uuid),
  recording_id: Nullable(Uuid),
  is_recording: Type.Boolean({ description: 'Whether it is recorded now. A recording that starts is not yet.' }),
  /** One entry for each device. */
  participants: Type.Array(Type.Object({ connection_id: Type.String(), account_id: Uuid, joined_at: Instant })),
});
type Row = Static<typeof Row>;
export type RoomRow = Row;

/** A room in which nobody is. */
export const emptyRoom = (topic_id: string): Row => ({
  topic_id,
  opened_by: null,
  recording_id: null,
  is_recording: false,
  participants: [],
});

export const VoiceRoomWire = Type.Object(Row.properties, { $id: 'VoiceRoomChange' });

export const voiceRooms = readModel('voice_rooms', {
  version: 2,
  row: Row,
  key: 'topic_id',
  personalData: {
    whose: null,
    why: voicePurpose,
    retention: { until: 'the person leaves the room' },
    exported: 'no: it is gone when the person leaves',
  },
  on: {
    VoiceRoomOpened: (row, { streamId, data }) => ({ ...(row ?? emptyRoom(streamId)), opened_by: data.openedBy }),
    VoiceRoomClosed: (row, { streamId }) => ({ ...(row ?? emptyRoom(streamId)), opened_by: null }),
    VoiceParticipantJoined: (row, { streamId, at, data }) => {
      const before = row ?? emptyRoom(streamId);
      const one = { connection_id: data.connectionId, account_id: data.accountId, joined_at: at };
      return { ...before, participants: [...before.participants, one] };
    },
    VoiceParticipantLeft: (row, { streamId, data }) => {
      const before = row ?? emptyRoom(streamId);
      const participants = before.participants.filter((one) => one.connection_id !== data.connectionId);
      return { ...before, participants };
    },
    VoiceRecordingReserved: (row, { streamId, data }) => ({
      ...(row ?? emptyRoom(streamId)),
      recording_id: data.recordingId,
    }),
    VoiceRecordingStarted: {
      keys: ({ data }) => [{ topic_id: data.topicId }],
      fold: (row, { streamId }) => (row?.recording_id === streamId ? { ...row, is_recording: true } : (row ?? null)),
    },
    VoiceRecordingFreed: (row, { streamId }) => ({
      ...(row ?? emptyRoom(streamId)),
      recording_id: null,
      is_recording: false,
    }),
  },
  wire: wireForm(VoiceRoomWire, (row: Row) => row),
  publishTo: [{ channel: topicChannel, idsOf: ({ topic_id }) => [topic_id], audience: 'guest' }],
});

export const voiceRoomOf = (db: ReadDb, topicId: string): Promise<Row | undefined> =>
  tables(db, voiceRooms).selectFrom('voice_rooms').selectAll().where('topic_id', '=', topicId).executeTakeFirst();
