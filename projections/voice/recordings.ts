/** Recordings of voice rooms. */
import { type Static, Type } from '@sinclair/typebox';
import { isBefore } from '../../domain/core/instants.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { voicePurpose } from '../../domain/voice/index.ts';
import { recordingFailures } from '../../domain/voice/recording.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';
import { topicChannel } from '../forums/channels.ts';

/** `starting`: nothing is recorded yet · `expired`, `removed`: the file was deleted, because it was kept long enough, or because somebody asked for it. */
const recordingStatuses = ['starting', 'recording', 'stopping', 'ended', 'failed', 'expired', 'removed'] as const;

const Row = Type.Object({
  id: Uuid,
  topic_id: Uuid,
  status: OneOf(recordingStatuses),
  requested_by: Uuid,
  requested_at: Instant,
  started_at: Nullable(Type.String({ ...Instant, description: 'From then on it is recorded.' })),
  ended_at: Nullable(Instant),
  recording_duration_s: Nullable(Type.Integer({ description: 'Whole seconds.' })),
  failure: Nullable(OneOf(recordingFailures)),
  egress_id: Nullable(Type.String({ description: 'What the voice server calls it.' })),
  /** Where the voice server has put the file. */
  location: Nullable(Type.String()),
  size_bytes: Nullable(Type.Integer()),
  /** Its file is there for those who judge. */
  is_kept: Type.Boolean(),
  /** Why somebody else has removed it: for who has started it. */
  removal_reason: Nullable(Type.String()),
});
export type RecordingRow = Static<typeof Row>;

const { location: _, size_bytes: __, is_kept: ___, removal_reason: ____, ...shown } = Row.properties;
export const RecordingWire = Type.Object(shown, { $id: 'VoiceRecordingChange' });

export const wireOf = ({
  location,
  size_bytes,
  is_kept,
  removal_reason,
  ...row
}: RecordingRow): Static<typeof RecordingWire> => row;

/** The row of a recording that was just asked for. */
const requestedRow = (
  id: string,
  { topicId, requestedBy }: { readonly topicId: string; readonly requestedBy: string },
  at: string,
): RecordingRow => ({
  id,
  topic_id: topicId,
  status: 'starting',
  requested_by: requestedBy,
  requested_at: at,
  started_at: null,
  ended_at: null,
  recording_duration_s: null,
  failure: null,
  egress_id: null,
  location: null,
  size_bytes: null,
  is_kept: false,
  removal_reason: null,
});

/** An instant by the clock of the voice server, which may be wrong. */
const between = (from: string, instant: string, to: string): string => {
  if (isBefore(instant, from)) return from;
  return isBefore(to, instant) ? to : instant;
};

export const voiceRecordings = readModel('voice_recordings', {
  version: 4,
  row: Row,
  key: 'id',
  // Who asked for it. Whose voices it may have is in `ops.recorded_voices`.
  personalData: {
    whose: 'requested_by',
    texts: ['removal_reason'],
    why: voicePurpose,
    retention: { always: 'that there was a recording, by id; its file goes with everybody whose voice it may have' },
  },
  on: {
    VoiceRecordingRequested: (_row, { streamId, at, data }) => requestedRow(streamId, data, at),
    VoiceRecordingAccepted: (row, { data }) => ({ ...existing(row), egress_id: data.egressId }),
    VoiceRecordingStarted: (row, { at, data: { egressId, startedAt } }) => {
      const before = existing(row);
      const status = before.status === 'stopping' ? before.status : ('recording' as const);
      const started_at = startedAt === undefined ? at : between(before.requested_at, startedAt, at);
      return { ...before, status, started_at, egress_id: egressId };
    },
    VoiceRecordingStopRequested: (row) => ({ ...existing(row), status: 'stopping' as const }),
    VoiceRecordingEnded: (row, { at, data }) => ({
      ...existing(row),
      status: 'ended' as const,
      ended_at: at,
      recording_duration_s: data.durationS,
      location: data.location,
      size_bytes: data.sizeBytes,
    }),
    VoiceRecordingFailed: (row, { at, data }) => ({
      ...existing(row),
      status: 'failed' as const,
      ended_at: at,
      failure: data.reason,
    }),
    VoiceRecordingHidden: (row, { at, data: { reason } }) => {
      const before = existing(row);
      const isKept = before.location !== null;
      const removal_reason = reason ?? before.removal_reason;
      return {
        ...before,
        status: 'removed' as const,
        is_kept: isKept,
        removal_reason,
        ended_at: before.ended_at ?? at,
      };
    },
    VoiceRecordingRestored: (row) => ({
      ...existing(row),
      ...{ status: 'ended' as const, is_kept: false, removal_reason: null },
    }),
    VoiceRecordingRemoved: (row, { at, data }) => {
      const before = existing(row);
      const status = data.reason === 'expired' ? ('expired' as const) : ('removed' as const);
      const gone = { location: null, size_bytes: null, is_kept: false };
      return { ...before, status, ended_at: before.ended_at ?? at, ...gone };
    },
  },
  indexes: ['topic_id, requested_at desc, id', 'requested_by'],
  wire: wireForm(RecordingWire, wireOf),
  publishTo: [{ channel: topicChannel, idsOf: ({ topic_id }) => [topic_id], audience: 'guest' }],
});

const all = (db: ReadDb) => tables(db, voiceRecordings).selectFrom('voice_recordings').selectAll();

export const recordingById = (db: ReadDb, id: string): Promise<RecordingRow | undefined> =>
  all(db).where('id', '=', id).executeTakeFirst();

export const recordingsByIds = (db: ReadDb, ids: readonly string[]): Promise<RecordingRow[]> =>
  all(db).where(isAnyOf('id', ids)).execute();

/** The newest one of a topic that has a file. */
export const newestPlayable = (db: ReadDb, topicId: string): Promise<RecordingRow | undefined> =>
  all(db)
    .where('topic_id', '=', topicId)
    .where('status', '=', 'ended')
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Of one topic, the newest first. */
export const listRecordings = (db: ReadDb, topicId: string, paging: Paging): Promise<Page<RecordingRow>> =>
  pageOf(db, all(db).where('topic_id', '=', topicId).orderBy('requested_at', 'desc').orderBy('id'), paging);
