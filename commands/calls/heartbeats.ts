/** When a device of a call was last heard of. They are no history: only the last one is kept. */
import { type Call, call } from '../../domain/calls/call.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { CallDeps } from './deps.ts';

export const heartbeatMigrations = migrations('calls', {
  '0001_heartbeats': `
    create table ops.call_heartbeats (call_id uuid primary key, at timestamptz not null);
    create index call_heartbeats_at on ops.call_heartbeats (at);
  `,
  personalData: { 'ops.call_heartbeats': { nothing: 'ids of calls', retention: [{ after: 'at', hours: 1 }] } },
});

/** Heartbeats come often, so that they are accepted on a state that is this old. */
const STATE_MS = 5_000;

const isIn = (state: Call, person: string): boolean =>
  state.status !== 'none' && (state.callerId === person || state.calleeId === person);

/** A device of this person is in the call. @param at RFC 3339 @throws Rejected `not_found`, `invalid_transition` */
export const recordHeartbeat = async (
  { aggregates, pool }: Pick<CallDeps, 'aggregates' | 'pool'>,
  callId: string,
  { by, at }: { readonly by: string; readonly at: string },
): Promise<void> => {
  const known = await aggregates.load(call, callId, { maxAgeMs: STATE_MS });
  const isKnown = known.state.status === 'accepted' && isIn(known.state, by);
  const { state } = isKnown ? known : await aggregates.load(call, callId);
  if (!isIn(state, by)) throw notFound('call');
  if (state.status !== 'accepted')
    throw new Rejected('invalid_transition', 'Heartbeats belong to a call that was answered and has not ended.');
  await pool.query(
    `insert into ops.call_heartbeats as known (call_id, at) values ($1, $2)
     on conflict (call_id) do update set at = greatest(known.at, excluded.at)`,
    [callId, at],
  );
};

/** RFC 3339; undefined when there was none. */
export const lastHeartbeat = async (db: Queryable, callId: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ at: string }>('select at from ops.call_heartbeats where call_id = $1', [callId]);
  return rows[0]?.at;
};
