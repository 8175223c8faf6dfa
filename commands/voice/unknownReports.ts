/**
 * What the voice server reports of rooms and recordings that are not known here: another product may use the same server, or
 * something of ours was lost. One row for each room, recording and kind of report, until an operator has looked at it or
 * for 30 days.
 */
import { beginningOf } from '../../domain/core/storable.ts';
import { derivedId } from '../../infra/ids.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool, Queryable } from '../../infra/postgres.ts';
import { TRIAL } from './livekit.ts';
import type { VoiceEvent } from './voiceServer.ts';

export const unknownMigrations = migrations('voice', {
  '0002_unknown_reports': `
    create table ops.unknown_voice_reports (
      -- of the room, the recording and the kind: repeated reports are counted
      id uuid primary key,
      event text not null,
      room text not null,
      egress_id text,
      times integer not null default 1,
      first_at timestamptz not null,
      last_at timestamptz not null
    );
    create index unknown_voice_reports_newest on ops.unknown_voice_reports (last_at);
  `,
  personalData: { 'ops.unknown_voice_reports': { nothing: 'names of rooms and recordings that are not known here' } },
});

const LONGEST_NAME = 256;
/** A server that others use, too, must not fill the table. */
const KEPT = 1_000;

/** Keeps a report for review. @param at RFC 3339 */
export const keepUnknown = async (db: Queryable, event: VoiceEvent, at: string): Promise<void> => {
  const egressId = event.type === 'egress' ? event.egress.egressId : null;
  const room = beginningOf(event.room, LONGEST_NAME);
  await db.query(
    `insert into ops.unknown_voice_reports as report (id, event, room, egress_id, first_at, last_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (id) do update set times = report.times + 1, last_at = excluded.last_at`,
    [derivedId('unknown voice report', event.name, room, egressId ?? ''), event.name, room, egressId, at],
  );
};

export interface UnknownReport {
  readonly id: string;
  readonly event: string;
  readonly room: string;
  readonly egress_id: string | null;
  readonly times: number;
  readonly first_at: string;
  readonly last_at: string;
}

const COLUMNS = 'id, event, room, egress_id, times, first_at, last_at';

/** The newest first, at most 100, without those of `voice check`. */
export const unknownReports = async (db: Queryable): Promise<UnknownReport[]> => {
  const { rows } = await db.query<UnknownReport>(
    `select ${COLUMNS} from ops.unknown_voice_reports
     where not starts_with(room, $1) order by last_at desc, id limit 100`,
    [TRIAL],
  );
  return rows;
};

/** Whether the voice server has reported something of a room that is not known here. */
export const hasReported = async (db: Queryable, room: string): Promise<boolean> => {
  const { rowCount } = await db.query('select 1 from ops.unknown_voice_reports where room = $1 limit 1', [room]);
  return rowCount === 1;
};

/** Forgets what was reported of a room, once it was looked at. Safe to repeat. */
export const forgetReports = async (db: Queryable, room: string): Promise<void> => {
  await db.query('delete from ops.unknown_voice_reports where room = $1', [room]);
};

/** Deletes what nobody has looked at for 30 days, and all but the newest. */
export const pruneUnknown = async (pool: Pool): Promise<void> => {
  await pool.query(
    `delete from ops.unknown_voice_reports where last_at < now() - interval '30 days' or id in (
       select id from ops.unknown_voice_reports order by last_at desc offset ${KEPT})`,
  );
};
