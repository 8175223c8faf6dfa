/**
 * The points of sessions. They lie in a table of their own, outside of the log: there are thousands a second, they must be
 * deletable, and only what they come to matters later (`docs/decisions/0018-track-points.md`).
 *
 * The table is divided by the week of the session's day. The weeks are counted around, so that the partitions are always
 * the same ones: a partition is emptied long before its week comes around again.
 */

import { DAY_MS } from '../../domain/core/instants.ts';
import { trackingPurpose } from '../../domain/tracking/index.ts';
import type { Fix, TrackPoint } from '../../domain/tracking/point.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool, Queryable } from '../../infra/postgres.ts';

const SLOTS = 32;
const WEEK_MS = 7 * DAY_MS;
/** A partition must be emptied before its number comes again. */
export const MAX_RETENTION_DAYS = 26 * 7;

export const pointMigrations = migrations('tracking', {
  '0001_points': `
    create table ops.track_points (
      account_id uuid not null,
      session_id uuid not null,
      -- when the device was there
      recorded_at timestamptz not null,
      lat double precision not null,
      lon double precision not null,
      seq integer not null,
      alt real not null,
      acc real not null,
      speed real,
      -- the week of the session's day, modulo ${SLOTS}
      slot smallint not null,
      -- of every account, so that its points are found when it is erased
      primary key (account_id, session_id, seq, slot)
    ) partition by list (slot);
    do $$ begin
      for slot in 0..${SLOTS - 1} loop
        execute format('create table %s partition of ops.track_points for values in (%s)', 'ops.track_points_' || slot, slot);
      end loop;
    end $$;
  `,
  '0003_mock_locations': `
    alter table ops.track_points add column mock boolean;
  `,
  '0005_no_altitude': `
    -- null: the device does not know it
    alter table ops.track_points alter column alt drop not null;
  `,
  personalData: {
    'ops.track_points': {
      whose: 'account_id',
      exported: ['session_id', 'recorded_at', 'lat', 'lon', 'seq', 'alt', 'acc', 'speed', 'mock'],
      erased: 'deleted',
      why: trackingPurpose,
      retention: {
        until: 'the week of `TRACK_RETENTION_DAYS` before is over: whole weeks are emptied by `prunePoints`',
      },
    },
  },
});

/** Whose points, of which session, and the day that it counts for. */
export interface TrackKey {
  readonly accountId: string;
  readonly sessionId: string;
  readonly day: string;
}

const weekAt = (ms: number): number => Math.floor(ms / WEEK_MS);
const slotOf = (week: number): number => week % SLOTS;
const slotOfDay = (day: string): number => slotOf(weekAt(Date.parse(`${day}T00:00:00Z`)));
/** Named, so that a statement locks one table and not all of them. */
const partition = (slot: number): string => `ops.track_points_${slot}`;
/** The tables that have the points of sessions which can be open at a time, RFC 3339. */
export const partitionsNow = (at: string): string[] => {
  const days = [-2, -1, 0, 1].map((n) => slotOf(weekAt(Date.parse(at) + n * DAY_MS)));
  return [...new Set(days)].map(partition);
};
const ofSession = ({ accountId, sessionId, day }: TrackKey) => ({
  table: partition(slotOfDay(day)),
  values: [accountId, sessionId],
});

export interface AddedPoints {
  /** The numbers that were not there before. */
  readonly added: ReadonlySet<number>;
  /** The time of the fix with the highest number before; null when there was none. */
  readonly newestBefore: string | null;
}

/** Adds the points whose numbers the session does not have yet. Safe to repeat, also at the same time. */
export const insertPoints = async (
  db: Queryable,
  key: TrackKey,
  points: readonly TrackPoint[],
): Promise<AddedPoints> => {
  const { table, values } = ofSession(key);
  // In one order everywhere, so that the same points sent twice at once wait for each other and never deadlock.
  const sorted = points.toSorted((a, b) => a.seq - b.seq);
  const { rows } = await db.query<{ added: number[] | null; newest_before: string | null }>(
    `with before as (select recorded_at from ${table} where account_id = $1 and session_id = $2 order by seq desc limit 1),
     added as (
       insert into ${table} (account_id, session_id, slot, seq, recorded_at, lat, lon, alt, acc, speed, mock)
       select $1, $2, $3, * from unnest($4::int[], $5::timestamptz[], $6::float8[], $7::float8[], $8::real[], $9::real[], $10::real[], $11::boolean[])
       on conflict do nothing
       returning seq
     )
     select (select array_agg(seq) from added) as added, (select recorded_at from before) as newest_before`,
    [
      ...values,
      slotOfDay(key.day),
      sorted.map(({ seq }) => seq),
      sorted.map(({ t }) => t),
      sorted.map(({ lat }) => lat),
      sorted.map(({ lon }) => lon),
      // PostgreSQL refuses what is too small for single precision: here it becomes 0.
      sorted.map(({ alt = null }) => (alt === null ? null : Math.fround(alt))),
      sorted.map(({ acc }) => Math.fround(acc)),
      // Devices send a negative speed for an unknown one.
      sorted.map(({ speed = null }) => (speed === null || speed < 0 ? null : Math.fround(speed))),
      sorted.map(({ mock = null }) => mock),
    ],
  );
  return { added: new Set(rows[0]?.added ?? []), newestBefore: rows[0]?.newest_before ?? null };
};

/** All points of a session, for computing. */
export const readFixes = async (db: Queryable, key: TrackKey): Promise<Fix[]> => {
  const { table, values } = ofSession(key);
  const { rows } = await db.query<Fix>(
    `select seq, (extract(epoch from recorded_at) * 1000)::float8 as at, lat, lon, alt, acc, speed from ${table}
     where account_id = $1 and session_id = $2 order by seq`,
    values,
  );
  return rows;
};

/** A device that was off for so long recorded nothing: less is a ride that a watch leaves out, or lunch. */
const OFF_MINUTES = 30;

/** When a session was recorded, in milliseconds since 1970. */
export const spansOf = async (db: Queryable, key: TrackKey): Promise<{ from: number; to: number }[]> => {
  const { table, values } = ofSession(key);
  const { rows } = await db.query<{ from: number; to: number }>(
    `with fixes as (
       select recorded_at,
         recorded_at - lag(recorded_at) over (order by recorded_at) > interval '${OFF_MINUTES} minutes' as is_first
       from ${table} where account_id = $1 and session_id = $2
     ), spans as (
       select recorded_at, count(*) filter (where is_first) over (order by recorded_at) as span from fixes
     )
     select (extract(epoch from min(recorded_at)) * 1000)::float8 as from,
       (extract(epoch from max(recorded_at)) * 1000)::float8 as to
     from spans group by span order by 1`,
    values,
  );
  return rows;
};

/** Whether the device says of any point that its position was simulated. */
export const hasMocked = async (db: Queryable, key: TrackKey): Promise<boolean> => {
  const { table, values } = ofSession(key);
  const { rowCount } = await db.query(
    `select from ${table} where account_id = $1 and session_id = $2 and mock limit 1`,
    values,
  );
  return (rowCount ?? 0) > 0;
};

/** When the device was at the fix with the highest number; null without points. */
export const newestFix = async (db: Queryable, key: TrackKey): Promise<string | null> => {
  const { table, values } = ofSession(key);
  const { rows } = await db.query<{ recorded_at: string }>(
    `select recorded_at from ${table} where account_id = $1 and session_id = $2 order by seq desc limit 1`,
    values,
  );
  return rows[0]?.recorded_at ?? null;
};

export type StoredPoint = Required<Omit<TrackPoint, 'mock'>>;

/** The points after a number, in the order of their numbers. @param since only fixes from this time on */
export const pointsAfter = async (
  db: Queryable,
  key: TrackKey,
  { after, limit, since }: { readonly after: number; readonly limit: number; readonly since?: string | undefined },
): Promise<StoredPoint[]> => {
  const { table, values } = ofSession(key);
  const { rows } = await db.query<StoredPoint>(
    `select seq, recorded_at as t, lat, lon, alt, acc, speed from ${table}
     where account_id = $1 and session_id = $2 and seq > $3 and recorded_at >= $4 order by seq limit $5`,
    [...values, after, since ?? '-infinity', limit],
  );
  return rows;
};

export const deletePoints = async (db: Queryable, key: TrackKey): Promise<void> => {
  const { table, values } = ofSession(key);
  await db.query(`delete from ${table} where account_id = $1 and session_id = $2`, values);
};

/** The sessions of an account that have points. */
export const sessionsWithPoints = async (db: Queryable, accountId: string): Promise<string[]> => {
  const { rows } = await db.query<{ session_id: string }>(
    'select distinct session_id from ops.track_points where account_id = $1',
    [accountId],
  );
  return rows.map(({ session_id }) => session_id);
};

/**
 * Empties the partitions of weeks that are older than `trackRetentionDays`: longer than a session can go on, be abandoned,
 * be finished and take late points, which together is less than two weeks.
 */
export const prunePoints = async (
  pool: Pool,
  { trackRetentionDays }: { readonly trackRetentionDays: number },
  now = Date.now(),
): Promise<void> => {
  const [oldest, newest] = [weekAt(now - trackRetentionDays * DAY_MS), weekAt(now + WEEK_MS)];
  const kept = new Set(Array.from({ length: newest - oldest + 1 }, (_, n) => slotOf(oldest + n)));
  for (let slot = 0; slot < SLOTS; slot += 1) {
    if (kept.has(slot)) continue;
    // An empty partition is left alone: emptying takes a lock and makes new files.
    const { rowCount } = await pool.query(`select 1 from ${partition(slot)} limit 1`);
    if (rowCount) await pool.query(`truncate ${partition(slot)}`);
  }
};
