/** Where everybody who records is now: places without names, for counting. */
import type { Queryable } from '../../infra/postgres.ts';
import { partitionsNow } from './points.ts';

/** The newest fix of an open session and the one before it. Times are in milliseconds since the epoch. */
export interface LastFix {
  readonly at: number;
  readonly lat: number;
  readonly lon: number;
  /** In metres a second; null: the device does not say. */
  readonly speed: number | null;
  /** null: there is no fix before. */
  readonly beforeAt: number | null;
  readonly beforeLat: number | null;
  readonly beforeLon: number | null;
}

/**
 * The newest fix of each open session: two steps in an index a session, so that some thousand people take some 10 ms.
 * Positions that the device calls simulated are left out.
 * @param since RFC 3339: sessions without a fix since then are left out
 * @param at RFC 3339
 */
export const lastFixes = async (db: Queryable, since: string, at: string): Promise<LastFix[]> => {
  const found: LastFix[] = [];
  for (const table of partitionsNow(at)) {
    const { rows } = await db.query<LastFix>(
      `select (extract(epoch from newest.recorded_at) * 1000)::float8 as at, newest.lat, newest.lon,
         newest.speed::float8 as speed,
         (extract(epoch from before.recorded_at) * 1000)::float8 as "beforeAt",
         before.lat as "beforeLat", before.lon as "beforeLon"
       from ops.track_open_sessions s
       cross join lateral (
         select seq, recorded_at, lat, lon, speed, mock from ${table}
         where account_id = s.account_id and session_id = s.session_id order by seq desc limit 1
       ) newest
       left join lateral (
         select recorded_at, lat, lon from ${table}
         where account_id = s.account_id and session_id = s.session_id and seq < newest.seq order by seq desc limit 1
       ) before on true
       where newest.recorded_at >= $1 and newest.mock is not true`,
      [since],
    );
    found.push(...rows);
  }
  return found;
};
