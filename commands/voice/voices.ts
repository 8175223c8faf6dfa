/** Whose voice may be in which recording: who was in the room while it was recorded. */
import { voicePurpose } from '../../domain/voice/index.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';

export const voiceMigrations = migrations('voice', {
  '0001_voices': `
    create table ops.recorded_voices (
      recording_id uuid not null,
      person_id uuid not null,
      recorded_at timestamptz not null,
      primary key (recording_id, person_id)
    );
    create index recorded_voices_person on ops.recorded_voices (person_id);
  `,
  personalData: {
    'ops.recorded_voices': {
      whose: 'person_id',
      exported: ['recording_id', 'recorded_at'],
      erased: 'deleted',
      why: voicePurpose,
      retention: { until: 'the file of the recording is deleted' },
      seenBy: ['nobody'],
    },
  },
});

/** A person, and a recording that their voice may be in. */
export interface RecordedVoice {
  readonly recordingId: string;
  readonly personId: string;
}

/** Safe to repeat. @param at RFC 3339 */
export const keepVoice = async (db: Queryable, { recordingId, personId }: RecordedVoice, at: string): Promise<void> => {
  await db.query(
    'insert into ops.recorded_voices (recording_id, person_id, recorded_at) values ($1, $2, $3) on conflict do nothing',
    [recordingId, personId, at],
  );
};

/** The ids of the recordings that a person's voice may be in. */
export const recordingsWith = async (db: Queryable, personId: string): Promise<string[]> => {
  const { rows } = await db.query<{ recording_id: string }>(
    'select recording_id from ops.recorded_voices where person_id = $1 order by recording_id',
    [personId],
  );
  return rows.map(({ recording_id }) => recording_id);
};

/** Once the file of a recording is deleted. Safe to repeat. */
export const forgetVoices = async (db: Queryable, recordingId: string): Promise<void> => {
  await db.query('delete from ops.recorded_voices where recording_id = $1', [recordingId]);
};
