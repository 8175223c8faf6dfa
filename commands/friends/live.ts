/**
 * Where people are who share their position: mutual, for a limited time, the last point only. The points lie in an
 * unlogged table, which is the shared memory of the nodes: not in the event log, not in the database's log, not in
 * backups; a crash of the database may end all sharing. A job deletes each when its time is over.
 */

import { Rejected } from '../../domain/core/decider.ts';
import { isBefore } from '../../domain/core/instants.ts';
import { friendsPurpose } from '../../domain/friends/index.ts';
import { FRIENDS_ADDRESS, type LivePosition, type LiveSharing, SHARING_ENDED } from '../../domain/friends/live.ts';
import { migrations } from '../../infra/migrations.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { strangersTo } from './friends.ts';

export const liveMigrations = migrations('friends', {
  personalData: {
    'ops.live_positions': {
      whose: 'person_id',
      exported: ['until', 'position', 'at'],
      erased: 'deleted',
      why: friendsPurpose,
      retention: [{ after: 'until' }],
    },
  },
  '0002_live_positions': `
    create unlogged table ops.live_positions (
      person_id uuid primary key,
      until timestamptz not null,
      -- null: all friends
      shared_with uuid[],
      position jsonb,
      -- when the person was there
      at timestamptz
    );
  `,
});

type Deps = Pick<CoreDeps, 'pool'>;

/** The job's id is the person's. */
export const liveSharingEnd = defineJob<Record<never, never>>('live_sharing_end', async ({ id }, { deps }) => {
  await deps.pool.query('delete from ops.live_positions where person_id = $1 and until <= $2', [id, deps.now()]);
  return undefined;
});

/** Shares from now on, or changes for how long and with whom. The last point is kept. */
export const shareLive = async (
  { pool, jobs }: Deps & Pick<CoreDeps, 'jobs'>,
  context: CommandContext,
  person: string,
  sharing: LiveSharing,
): Promise<void> => {
  await pool.query(
    `insert into ops.live_positions as l (person_id, until, shared_with) values ($1, $2, $3)
     on conflict (person_id) do update set until = excluded.until, shared_with = excluded.shared_with,
       position = case when l.until > $4 then l.position end, at = case when l.until > $4 then l.at end`,
    [person, sharing.until, sharing.with, context.at],
  );
  await liveSharingEnd.schedule(jobs, context, { id: person, dueAt: sharing.until, data: {} });
};

/** With whom a person shares at an instant; null when they do not. */
export const sharingOf = async ({ pool }: Deps, person: string, at: string): Promise<LiveSharing | null> => {
  const { rows } = await pool.query<{ until: string; shared_with: string[] | null }>(
    'select until, shared_with from ops.live_positions where person_id = $1 and until > $2',
    [person, at],
  );
  return rows[0] ? { until: rows[0].until, with: rows[0].shared_with } : null;
};

/**
 * Keeps a point, unless a later one is known. A device's clock that is ahead counts as now.
 * @returns when the person was there and until when they share; null when a later point is known
 * @throws Rejected `conflict` when the person does not share
 */
export const keepPosition = async (
  { pool }: Deps,
  { at: now }: Pick<CommandContext, 'at'>,
  person: string,
  position: LivePosition,
  at: string = now,
): Promise<{ readonly at: string; readonly until: string } | null> => {
  const there = isBefore(at, now) ? new Date(at).toISOString() : now;
  const { rows } = await pool.query<{ until: string; at: string; kept: boolean }>(
    `with sharing as (select until from ops.live_positions where person_id = $1 and until > $2 for update),
     kept as (
       update ops.live_positions set position = $3, at = $4 where person_id = $1 and until > $2 and (at is null or at < $4)
       returning 1)
     select until, exists (select from kept) as kept from sharing`,
    [person, now, JSON.stringify(position), there],
  );
  const [found] = rows;
  if (!found) throw new Rejected('conflict', 'You do not share your position now. Start to share it first.');
  return found.kept ? { at: there, until: found.until } : null;
};

/** Somebody who shares, as those see it who share with them. */
export interface Seen {
  readonly user_id: string;
  readonly until: string;
  /** null: not sent yet. */
  readonly position: LivePosition | null;
  readonly at: string | null;
}

/**
 * Who of these friends and the person see each other: both share at this instant, each with the other. So these are also
 * those who see the person. Whether they still are friends is asked of the log: who is told from a read model may have
 * been blocked a moment ago.
 */
export const seenBy = async (
  { pool, aggregates }: Deps & Pick<CoreDeps, 'aggregates'>,
  person: string,
  friends: readonly string[],
  at: string,
): Promise<Seen[]> => {
  const { rows } = await pool.query<Seen>(
    `select o.person_id as user_id, o.until, o.position, o.at
     from ops.live_positions own
     join ops.live_positions o on o.person_id = any($2::uuid[])
     where own.person_id = $1 and own.until > $3 and o.until > $3
       and (own.shared_with is null or o.person_id = any(own.shared_with))
       and (o.shared_with is null or own.person_id = any(o.shared_with))
     order by o.person_id`,
    [person, friends, at],
  );
  const sharing = rows.map(({ user_id }) => user_id);
  const strangers = new Set(await strangersTo({ aggregates }, person, sharing));
  return rows.filter(({ user_id }) => !strangers.has(user_id));
};

/** Stops sharing, and tells those who saw the person until now. Safe to repeat. @param at now, RFC 3339 */
export const stopSharing = async (
  deps: Deps & Pick<CoreDeps, 'aggregates' | 'tell'>,
  person: string,
  at: string,
): Promise<void> => {
  const { rows } = await deps.pool.query<{ other_id: string }>(
    'select other_id from ops.friend_pairs where person_id = $1',
    [person],
  );
  const others = rows.map(({ other_id }) => other_id);
  const watchers = await seenBy(deps, person, others, at);
  await deps.pool.query('delete from ops.live_positions where person_id = $1', [person]);
  for (const { user_id } of watchers)
    deps.tell({
      channel: FRIENDS_ADDRESS.replace('{id}', user_id),
      type: SHARING_ENDED,
      from: person,
      ts: at,
      data: {},
    });
};

/** Of a person who is erased. */
export const stopSharingOf = (
  deps: Deps & Pick<CoreDeps, 'aggregates' | 'tell'>,
  { at }: Pick<CommandContext, 'at'>,
  person: string,
): Promise<void> => stopSharing(deps, person, at);
