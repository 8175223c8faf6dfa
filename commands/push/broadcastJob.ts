/** Sends a broadcast: queues it for the devices of its segment, waits until each is settled, and counts. */
import { hasCome, instantOf } from '../../domain/core/instants.ts';
import { type Broadcast, type BroadcastCounts, broadcast } from '../../domain/push/broadcast.ts';
import { NIL_ID } from '../../infra/ids.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { policyInForce } from '../consents/audience.ts';
import { defineJob } from '../core/jobs.ts';
import type { PushDeps } from './deps.ts';
import { wakeLanes } from './laneJob.ts';
import { audienceAmong, audienceParameters } from './segment.ts';

type Begun = Exclude<Broadcast, { status: 'none' }>;
interface Known {
  readonly state: Begun;
  readonly revision: bigint;
}

const load = async ({ aggregates }: Pick<PushDeps, 'aggregates'>, id: string): Promise<Known | undefined> => {
  const { state, revision } = await aggregates.load(broadcast, id);
  return state.status === 'none' || revision === null ? undefined : { state, revision };
};

/** Devices that one statement looks at: each is read once, whoever is in the audience. */
const AT_ONCE = 5_000;
/** After this long the job ends and runs again, so that a pause, a cancellation or the end of the worker soon counts. */
const SLICE_MS = 10_000;
/** Queued devices are few enough to be counted this often. */
const LOOK_MS = 1_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const STATES = { scheduled: 'open', paused: 'paused', cancelled: 'closed', finished: 'closed' } as const;

/** Whether its deliveries may be sent, as the log says. An older state changes nothing. */
const keepState = async (pool: Queryable, id: string, { state, revision }: Known): Promise<void> => {
  const { status, kind, texts, link, urgency, expiresAt } = state;
  const { rowCount } = await pool.query(
    `insert into ops.push_messages as known (id, kind, texts, link, urgency, expires_at, state, revision)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do update
       set state = excluded.state, revision = excluded.revision where known.revision < excluded.revision`,
    [id, kind, JSON.stringify(texts), link, urgency, expiresAt, STATES[status], String(revision)],
  );
  if (rowCount !== 0 && status === 'scheduled') await wakeLanes(pool, 'broadcast');
};

/**
 * Looks at the next devices, in the order of their ids, and queues those of the audience. Repeating queues nobody twice.
 * @returns whether all are queued
 */
const queueSome = async (deps: PushDeps, id: string, { kind, segment }: Begun): Promise<boolean> => {
  const policy = await policyInForce(deps, 'marketing');
  const { rows } = await deps.pool.query<{ queued_to: string }>(
    `with page as materialized (
       select id, person_id, session_id, service, platform, version_rank, last_seen_at, language from ops.push_devices
       where id > coalesce((select queued_to from ops.push_messages where id = $9), '${NIL_ID}')
       order by id limit ${AT_ONCE}
     ), next as (
       select d.id, d.person_id, d.service ${audienceAmong('page')}
     ), queued as (
       insert into ops.push_deliveries (message_id, device_id, person_id, service, is_broadcast)
       select $9, id, person_id, service, true from next on conflict do nothing
     )
     update ops.push_messages set queued_to =
       case when (select count(*) from page) < ${AT_ONCE} then '${LAST_ID}' else (select max(id::text)::uuid from page) end
     where id = $9 returning queued_to`,
    [...audienceParameters({ kind, segment, marketingPolicy: policy }), id],
  );
  await wakeLanes(deps.pool, 'broadcast');
  return rows[0]?.queued_to === LAST_ID;
};

const isQueued = async (pool: Queryable, id: string): Promise<boolean> => {
  const { rows } = await pool.query<{ queued_to: string | null }>(
    'select queued_to from ops.push_messages where id = $1',
    [id],
  );
  return rows[0]?.queued_to === LAST_ID;
};

const isSettled = async (pool: Queryable, id: string): Promise<boolean> =>
  (
    await pool.query(
      'select from ops.push_deliveries where message_id = $1 and is_broadcast and outcome is null limit 1',
      [id],
    )
  ).rowCount === 0;

const settleCancelled = async (pool: Queryable, id: string): Promise<void> => {
  await pool.query(
    `update ops.push_deliveries set outcome = 'cancelled', settled_at = now()
     where message_id = $1 and is_broadcast and outcome is null`,
    [id],
  );
};

/** What became of the deliveries until now. */
export const countDeliveries = async (
  pool: Queryable,
  id: string,
): Promise<BroadcastCounts & { readonly waiting: number }> => {
  const { rows } = await pool.query<{ outcome: string | null; count: number }>(
    'select outcome, count(*) from ops.push_deliveries where message_id = $1 group by outcome',
    [id],
  );
  const of = (...outcomes: readonly (string | null)[]): number =>
    rows.reduce((sum, { outcome, count }) => sum + (outcomes.includes(outcome) ? count : 0), 0);
  return {
    devices: rows.reduce((sum, { count }) => sum + count, 0),
    delivered: of('delivered'),
    failed: of('dead', 'refused', 'gone', 'unwanted'),
    expired: of('expired'),
    cancelled: of('cancelled'),
    waiting: of(null),
  };
};

/** Its id is the broadcast's. */
export const broadcastJob = defineJob<object, PushDeps>('push_broadcast', async ({ id }, { deps, context }) => {
  const known = await load(deps, id);
  if (!known) return undefined;
  const { state } = known;
  await keepState(deps.pool, id, known);
  if (state.status === 'paused' || state.isCounted) return undefined;
  if (state.status === 'cancelled') await settleCancelled(deps.pool, id);
  const again = { againAt: instantOf(Date.now() + LOOK_MS) };
  const until = performance.now() + SLICE_MS;
  const isOver = hasCome(state.expiresAt, context.at);
  if (state.status === 'scheduled' && !isOver && !(await isQueued(deps.pool, id)))
    while (!(await queueSome(deps, id, state))) if (performance.now() > until) return again;
  if (!(await isSettled(deps.pool, id))) return again;
  const { waiting: _, ...counts } = await countDeliveries(deps.pool, id);
  await deps.aggregates.handle(broadcast, id, { type: 'FinishBroadcast', ...counts }, context);
  const finished = await load(deps, id);
  if (finished) await keepState(deps.pool, id, finished);
  return undefined;
});

/** Has the deliveries follow what the log says about a broadcast. */
export const followBroadcast = async (
  deps: PushDeps,
  cause: { readonly correlationId: string },
  id: string,
): Promise<void> => {
  const known = await load(deps, id);
  if (!known) return;
  const { state } = known;
  await keepState(deps.pool, id, known);
  if (state.status === 'paused' || state.isCounted) return;
  const dueAt = state.status === 'cancelled' ? deps.now() : state.sendAt;
  await broadcastJob.schedule(deps.jobs, cause, { id, dueAt, data: {} });
};
