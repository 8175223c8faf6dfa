/** The queue of deliveries. The job of a lane takes some at a time, sends them and settles them. */
import { beginningOf } from '../../domain/core/storable.ts';
import type { QuietHours } from '../../domain/push/quietHours.ts';
import type { Pool, Queryable } from '../../infra/postgres.ts';
import { SIGNED_IN } from './segment.ts';
import type { Device, PushServiceName } from './service.ts';
import { forgetWords } from './tables.ts';

/** Messages to one person and broadcasts are sent apart, and so are the services, so that none waits for another. */
export interface Lane {
  readonly to: 'direct' | 'broadcast';
  readonly service: PushServiceName;
}

/** What was taken and not settled by a process that died is due again after this time. An attempt takes less. */
const TAKEN_FOR = `interval '30 seconds'`;

export interface TakenDelivery {
  readonly message_id: string;
  readonly device_id: string;
  /** How often it was sent, this time included. */
  readonly attempts: number;
  /** By the database's clock. */
  readonly taken_at: string;
  readonly is_expired: boolean;
  /** Null: the device is gone, or its person has signed out. */
  readonly token: string | null;
  readonly platform: Device['platform'];
  readonly environment: Device['environment'];
  readonly keys: Device['keys'];
  /** Its service has said that it is dead, in words that somebody else could have written. */
  readonly is_doubted: boolean | null;
  /** Of the device, else of the person. */
  readonly language: string;
  readonly person_id: string;
  /** The person does not want this kind any more. */
  readonly is_muted: boolean;
  readonly quiet_hours: QuietHours | null;
  readonly passes_quiet_hours: boolean;
  readonly kind: string;
  readonly texts: Readonly<Record<string, { readonly title: string; readonly body: string }>>;
  readonly link: string;
  readonly urgency: 'normal' | 'high';
  readonly collapse_key: string | null;
  readonly expires_at: string;
}

/** What is due, oldest first: of one person, or of the broadcasts that may go on. */
const DUE: Readonly<Record<Lane['to'], string>> = {
  direct: `
    select message_id, device_id from ops.push_deliveries
    where outcome is null and not is_broadcast and service = $1 and next_at <= now()
    order by next_at limit $2 for update skip locked`,
  broadcast: `
    select due.message_id, due.device_id from ops.push_messages m cross join lateral (
      select message_id, device_id from ops.push_deliveries
      where message_id = m.id and service = $1 and is_broadcast and outcome is null and next_at <= now()
      order by next_at limit $2 for update skip locked
    ) due
    where m.person_id is null and m.state = 'open' limit $2`,
};

/** Takes due deliveries with all that sending them needs. @param most how many */
export const takeDeliveries = async (pool: Pool, { to, service }: Lane, most: number): Promise<TakenDelivery[]> => {
  const { rows } = await pool.query<TakenDelivery>(
    `with due as materialized (${DUE[to]}), taken as (
       update ops.push_deliveries q set next_at = now() + ${TAKEN_FOR}, attempts = attempts + 1
       from due where q.message_id = due.message_id and q.device_id = due.device_id
       returning q.message_id, q.device_id, q.person_id, q.attempts
     )
     select q.message_id, q.device_id, q.attempts, now() as taken_at, m.expires_at <= now() as is_expired,
       case when ${SIGNED_IN} then d.token end as token, d.platform, d.environment, d.keys,
       d.doubted_at is not null as is_doubted,
       coalesce(d.language, p.language, '') as language, q.person_id, h.quiet_hours,
       coalesce(m.passes_quiet_hours, m.person_id is not null) as passes_quiet_hours,
       exists (select from ops.push_muted where person_id = q.person_id and kind = m.kind) as is_muted,
       m.kind, m.texts, m.link, m.urgency, m.collapse_key, m.expires_at
     from taken q join ops.push_messages m on m.id = q.message_id
     left join ops.push_devices d on d.id = q.device_id and d.person_id = q.person_id
     left join ops.push_people p on p.person_id = q.person_id
     left join ops.push_quiet_hours h on h.person_id = q.person_id`,
    [service, most],
  );
  return rows;
};

/**
 * `gone`: the device or its sign-in is. `unwanted`: its person does not want it, or does not consent to it, any more. Null: later, after so many
 * milliseconds.
 */
export type Outcome = 'delivered' | 'dead' | 'refused' | 'expired' | 'gone' | 'unwanted';
export interface Settlement {
  readonly messageId: string;
  readonly deviceId: string;
  readonly outcome: Outcome | null;
  readonly reason: string | null;
  readonly laterMs: number;
  /** Whether it was sent this time. What waits because its service is away must not wait longer when that is back. */
  readonly isTried: boolean;
}

const REASON_CHARS = 200;

const IS_SETTLED = 'not exists (select from ops.push_deliveries where message_id = m.id and outcome is null)';

/** Records outcomes. The words of what is settled on every device of its person are forgotten. */
export const settleDeliveries = async (pool: Queryable, settled: readonly Settlement[]): Promise<void> => {
  await pool.query(
    `update ops.push_deliveries q set outcome = s.outcome, reason = s.reason,
       attempts = q.attempts - case when s.is_tried then 0 else 1 end,
       settled_at = case when s.outcome is not null then now() end,
       next_at = case when s.outcome is null then now() + s.later_ms * interval '1 millisecond' else q.next_at end
     from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::float8[], $6::boolean[])
       as s (message_id, device_id, outcome, reason, later_ms, is_tried)
     where q.message_id = s.message_id and q.device_id = s.device_id and q.outcome is null`,
    [
      settled.map(({ messageId }) => messageId),
      settled.map(({ deviceId }) => deviceId),
      settled.map(({ outcome }) => outcome),
      settled.map(({ reason }) => (reason == null ? null : beginningOf(reason, REASON_CHARS))),
      settled.map(({ laterMs }) => laterMs),
      settled.map(({ isTried }) => isTried),
    ],
  );
  // Another statement, so that of two workers that settle the last deliveries of a message, the later one sees both.
  const ended = settled.filter(({ outcome }) => outcome !== null).map(({ messageId }) => messageId);
  if (ended.length > 0) await forgetWords(pool, `id = any($1) and ${IS_SETTLED}`, [[...new Set(ended)]]);
};

const NEXT: Readonly<Record<Lane['to'], string>> = {
  direct: `select min(next_at) as at from ops.push_deliveries
    where outcome is null and not is_broadcast and service = $1`,
  broadcast: `select min(due.at) as at from ops.push_messages m cross join lateral (
      select min(next_at) as at from ops.push_deliveries
      where message_id = m.id and service = $1 and is_broadcast and outcome is null
    ) due where m.person_id is null and m.state = 'open'`,
};

/** At the latest, a lane is looked at again after this time. Soonest: what is locked just then must not cause a busy loop. */
const [LATEST, SOONEST] = [`interval '30 seconds'`, `interval '20 milliseconds'`];

/** When the next delivery of a lane is due, if that is soon, by the database's clock. */
export const nextLook = async (pool: Queryable, { to, service }: Lane): Promise<string> => {
  const { rows } = await pool.query<{ at: string }>(
    `select greatest(now() + ${SOONEST}, least(now() + ${LATEST}, at)) as at from (${NEXT[to]}) next`,
    [service],
  );
  return (rows[0] as { at: string }).at;
};
