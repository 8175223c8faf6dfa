/** Fingerprints of tracks, by which the same track is recognised when it comes a second time. */

import { trackingPurpose } from '../../domain/tracking/index.ts';
import { printOf } from '../../domain/tracking/plausibility.ts';
import { type Fix, LONGEST_TRACK_MS } from '../../domain/tracking/point.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { TrackKey } from './points.ts';

export const printMigrations = migrations('tracking', {
  '0004_prints': `
    create table ops.track_prints (
      session_id uuid primary key,
      account_id uuid not null,
      day date not null,
      -- when the device recorded
      recorded_from timestamptz not null,
      recorded_to timestamptz not null,
      -- hashes of places: see printOf in domain/tracking/plausibility.ts
      print integer[] not null,
      -- decides which of two tracks is the copy
      seen_at timestamptz not null default clock_timestamp()
    );
    create index track_prints_print on ops.track_prints using gin (print);
    create index track_prints_account on ops.track_prints (account_id, recorded_from);
    create index track_prints_day on ops.track_prints (day);
  `,
  '0006_summaries_again': `
    -- what tracks come to is computed in another way: again for all that may still have points, one after the other
    insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id)
    select 'track_summary', session_id, due_at, due_at, '{}', session_id
    from (
      select session_id, now() + interval '1 second' * row_number() over (order by day desc, session_id) as due_at
      from ops.track_prints
    ) tracks
    on conflict do nothing;
  `,
  personalData: {
    'ops.track_prints': {
      whose: 'account_id',
      exported: ['session_id', 'day', 'recorded_from', 'recorded_to'],
      erased: 'deleted',
      why: trackingPurpose,
      retention: [{ after: 'day', isDay: true, days: 'TRACK_RETENTION_DAYS' }],
      seenBy: ['nobody'],
    },
  },
});

/** A track that was seen. Times in milliseconds since 1970. */
export interface SeenTrack extends TrackKey {
  readonly from: number;
  readonly to: number;
  readonly print: readonly number[];
}

/** A track as it is remembered. */
export const trackOf = ({ accountId, sessionId, day }: TrackKey, fixes: readonly Fix[]): SeenTrack => {
  const [from, to] = fixes.reduce(
    ([least, most], { at }) => [Math.min(least, at), Math.max(most, at)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return { accountId, sessionId, day, from, to, print: printOf(fixes) };
};

/** Beyond these, a track is a copy already. */
const MOST_SIMILAR = 20;
const COLUMNS = `account_id as "accountId", session_id as "sessionId", day,
  (extract(epoch from recorded_from) * 1000)::float8 as from, (extract(epoch from recorded_to) * 1000)::float8 as to, print`;

/** Remembers a track, again when its points have changed. */
export const rememberPrint = async (
  db: Queryable,
  { accountId, sessionId, day, from, to, print }: SeenTrack,
): Promise<void> => {
  await db.query(
    `insert into ops.track_prints (session_id, account_id, day, recorded_from, recorded_to, print)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000), to_timestamp($5::float8 / 1000), $6)
     on conflict (session_id) do update
     set recorded_from = excluded.recorded_from, recorded_to = excluded.recorded_to, print = excluded.print`,
    [sessionId, accountId, day, from, to, print],
  );
};

/** Tracks that may be the same. `isLater`: it was seen after this one. */
export const similarTracks = async (
  db: Queryable,
  { sessionId, print }: SeenTrack,
): Promise<(SeenTrack & { readonly isLater: boolean })[]> => {
  const { rows } = await db.query<SeenTrack & { isLater: boolean }>(
    `with own as (select seen_at from ops.track_prints where session_id = $1),
     alike as (
       select * from ops.track_prints where session_id <> $1 and print && $2::int[] order by seen_at limit ${MOST_SIMILAR}
     )
     select ${COLUMNS}, (seen_at, session_id) > (select seen_at, $1::uuid from own) as "isLater" from alike`,
    [sessionId, print],
  );
  return rows;
};

/** What else the same person recorded at that time. `isLater`: it was seen after this one. */
export const ownTracksAt = async (
  db: Queryable,
  { accountId, sessionId, from, to }: Omit<SeenTrack, 'print'>,
): Promise<(TrackKey & { readonly isLater: boolean })[]> => {
  const { rows } = await db.query<TrackKey & { isLater: boolean }>(
    `with own as (select seen_at from ops.track_prints where session_id = $1)
     select account_id as "accountId", session_id as "sessionId", day,
       (seen_at, session_id) > (select seen_at, $1::uuid from own) as "isLater"
     from ops.track_prints where session_id <> $1 and account_id = $2
       and recorded_from < to_timestamp($4::float8 / 1000) and recorded_to > to_timestamp($3::float8 / 1000)
       and recorded_from >= to_timestamp($5::float8 / 1000)
     order by seen_at`,
    [sessionId, accountId, from, to, from - LONGEST_TRACK_MS],
  );
  return rows;
};

/** A track that was remembered; undefined: none. */
export const rememberedTrack = async (db: Queryable, sessionId: string): Promise<SeenTrack | undefined> => {
  const { rows } = await db.query<SeenTrack>(`select ${COLUMNS} from ops.track_prints where session_id = $1`, [
    sessionId,
  ]);
  return rows[0];
};

export const deletePrint = async (db: Queryable, sessionId: string): Promise<void> => {
  await db.query('delete from ops.track_prints where session_id = $1', [sessionId]);
};
