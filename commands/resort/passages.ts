/**
 * Passages at the gates of lifts and the hours in which lifts ran: what queues are counted from. They are kept for a day, in
 * durable tables: a process that starts again counts from the same rows, and the same event twice is one row.
 */
import type { Arrivals, StatusSince } from '../../domain/resort/gateQueue.ts';
import { resortPurpose } from '../../domain/resort/index.ts';
import type { OperatingStatus } from '../../domain/resort/operation.ts';
import { gatherBy } from '../../infra/gather.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool, Queryable } from '../../infra/postgres.ts';

export const passageMigrations = migrations('resort', {
  '0003_queue_counts': `
    create table ops.lift_passages (
      event_id uuid primary key,
      lift_id uuid not null,
      pass_id uuid not null,
      -- who bought the pass
      user_id uuid not null,
      passed_at timestamptz not null
    );
    create index lift_passages_lift on ops.lift_passages (lift_id, passed_at);
    create index lift_passages_time on ops.lift_passages (passed_at);
    create index lift_passages_user on ops.lift_passages (user_id);
    create table ops.lift_statuses (
      lift_id uuid not null,
      since timestamptz not null,
      status text not null,
      primary key (lift_id, since)
    );
    -- the lower stations of lifts that are open
    create table ops.lift_stations (
      lift_id uuid primary key,
      lon double precision not null,
      lat double precision not null
    );
  `,
  personalData: {
    'ops.lift_passages': {
      whose: 'user_id',
      exported: ['lift_id', 'passed_at'],
      erased: 'deleted',
      why: resortPurpose,
      retention: [{ after: 'passed_at', days: 1 }],
      seenBy: ['nobody'],
    },
    'ops.lift_statuses': { nothing: 'when lifts were open' },
    'ops.lift_stations': { nothing: 'places of lifts' },
  },
});

export interface Passage {
  readonly eventId: string;
  readonly liftId: string;
  readonly passId: string;
  readonly userId: string;
  readonly passedAt: string;
}

/** Passages that are written in one statement. */
const MOST_AT_ONCE = 500;

const writePassage = gatherBy(async (pool: Pool, passages: readonly Passage[]): Promise<undefined[]> => {
  await pool.query(
    `insert into ops.lift_passages (event_id, lift_id, pass_id, user_id, passed_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[])
     on conflict do nothing`,
    (['eventId', 'liftId', 'passId', 'userId', 'passedAt'] as const).map((field) => passages.map((of) => of[field])),
  );
  return [];
}, MOST_AT_ONCE);

/** Safe to repeat. Those of one turn of the event loop are written together. */
export const rememberPassage = (pool: Pool, passage: Passage): Promise<void> => writePassage(pool, passage);

/** Remembers a status that differs from the one before. Safe to repeat. */
export const rememberStatus = async (
  db: Queryable,
  liftId: string,
  status: OperatingStatus,
  since: string,
): Promise<void> => {
  await db.query(
    `insert into ops.lift_statuses (lift_id, since, status)
     select $1, $2, $3 where $3 is distinct from (
       select status from ops.lift_statuses where lift_id = $1 and since <= $2 order by since desc limit 1
     )
     on conflict do nothing`,
    [liftId, since, status],
  );
};

const DAY = `interval '1 day'`;

/** The passages at a lift within a day, in steps of 10 s, and its statuses since then; both oldest first. */
export const passagesOf = async (
  db: Queryable,
  liftId: string,
  at: string,
): Promise<{ readonly arrivals: Arrivals[]; readonly statuses: StatusSince[] }> => {
  const { rows: arrivals } = await db.query<Arrivals>(
    `select (extract(epoch from max(passed_at)) * 1000)::float8 as at, count(*)::int as people from ops.lift_passages
     where lift_id = $1 and passed_at > $2::timestamptz - ${DAY} and passed_at <= $2
     group by date_bin('10 seconds', passed_at, 'epoch') order by 1`,
    [liftId, at],
  );
  const { rows: statuses } = await db.query<StatusSince>(
    `select (extract(epoch from since) * 1000)::float8 as at, status from ops.lift_statuses
     where lift_id = $1 and since > $2::timestamptz - 2 * ${DAY} and since <= $2 order by since`,
    [liftId, at],
  );
  return { arrivals, statuses };
};

/** With how many passes somebody passed any gate since a time. */
export const passesSince = async (db: Queryable, since: string): Promise<number> => {
  const { rows } = await db.query<{ passes: number }>(
    'select count(distinct pass_id)::int as passes from ops.lift_passages where passed_at >= $1',
    [since],
  );
  return rows[0]?.passes ?? 0;
};

export const pruneStatuses = async (pool: Pool): Promise<void> => {
  // The last one of a lift says what it is now.
  await pool.query(
    `delete from ops.lift_statuses old where since < now() - 2 * ${DAY} and exists (
       select from ops.lift_statuses newer where newer.lift_id = old.lift_id and newer.since > old.since
     )`,
  );
};
