/**
 * Who wants to be told when the wait at a lift gets short. It is about today, so it is kept in a durable table, not in the
 * log.
 */

import { addDays, instantIn, todayIn } from '../../domain/core/dates.ts';
import { Rejected, requireExisting } from '../../domain/core/decider.ts';
import { resortPurpose } from '../../domain/resort/index.ts';
import { lift } from '../../domain/resort/lift.ts';
import { liftTold } from '../../domain/resort/toldState.ts';
import { derivedId } from '../../infra/ids.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Queryable } from '../../infra/postgres.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { timezoneNow } from '../platform/timezone.ts';

type Deps = Pick<CoreDeps, 'aggregates' | 'pool'>;

export const queueAlertMigrations = migrations('resort', {
  '0002_queue_alerts': `
    create table ops.queue_alerts (
      person_id uuid not null,
      lift_id uuid not null,
      -- another one each time that it is set
      id uuid not null,
      below_minutes integer not null,
      expires_at timestamptz not null,
      -- the event that the person was told of; null: not told yet
      told_by uuid,
      primary key (person_id, lift_id)
    );
    create index queue_alerts_lift on ops.queue_alerts (lift_id);
  `,
  personalData: {
    'ops.queue_alerts': {
      whose: 'person_id',
      exported: ['lift_id', 'below_minutes', 'expires_at'],
      erased: 'deleted',
      why: resortPurpose,
      retention: [{ after: 'expires_at' }],
    },
  },
});

export interface QueueAlert {
  readonly lift_id: string;
  readonly below_minutes: number;
  readonly expires_at: string;
}

/**
 * Tells the caller once, today, when the wait at a lift is below a number of minutes. Setting it again replaces it; one
 * that was told begins anew. Safe to repeat.
 * @throws Rejected `not_found`, `invalid_transition` when the lift is retired or the wait is below that already
 */
export const setQueueAlert = async (
  { aggregates, pool }: Deps,
  context: CommandContext,
  liftId: string,
  belowMinutes: number,
): Promise<QueueAlert> => {
  const { state } = await aggregates.load(lift, liftId);
  requireExisting(state, 'lift');
  if (state.status === 'retired') throw new Rejected('invalid_transition', 'This lift is retired.');
  const person = context.actor.id;
  const timezone = await timezoneNow({ aggregates });
  const expiresAt = instantIn(timezone, addDays(todayIn(timezone, context.at), 1), '00:00');
  const id = derivedId(context.commandId, 'queue alert');
  await pool.query(
    `insert into ops.queue_alerts (person_id, lift_id, id, below_minutes, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (person_id, lift_id) do update
     set id = excluded.id, below_minutes = excluded.below_minutes, expires_at = excluded.expires_at, told_by = null
     where queue_alerts.id <> excluded.id`,
    [person, liftId, id, belowMinutes, expiresAt],
  );
  // After it is set: a state that is told from now on finds it.
  const told = (await aggregates.load(liftTold, liftId)).state?.told;
  if (told?.status === 'open' && told.queueMinutes !== null && told.queueMinutes < belowMinutes) {
    await removeQueueAlert({ pool }, person, liftId);
    throw new Rejected('invalid_transition', `The wait at this lift is ${told.queueMinutes} minutes already.`, {
      queue_minutes: told.queueMinutes,
    });
  }
  return { lift_id: liftId, below_minutes: belowMinutes, expires_at: expiresAt };
};

/** Safe to repeat. */
export const removeQueueAlert = async ({ pool }: Pick<Deps, 'pool'>, person: string, liftId: string): Promise<void> => {
  await pool.query('delete from ops.queue_alerts where person_id = $1 and lift_id = $2', [person, liftId]);
};

/** Those of a person that are still to be told. */
export const queueAlertsOf = async (db: Queryable, person: string, at: string): Promise<QueueAlert[]> => {
  const { rows } = await db.query<QueueAlert>(
    `select lift_id, below_minutes, expires_at from ops.queue_alerts
     where person_id = $1 and expires_at > $2 and told_by is null order by lift_id`,
    [person, at],
  );
  return rows;
};

interface ShortQueue {
  readonly liftId: string;
  readonly minutes: number;
  /** The event that says so. */
  readonly eventId: string;
}

/**
 * Who is to be told of a short queue. They are marked with the event, so that the same event finds them again after a crash,
 * and no other one does.
 */
export const takeQueueAlerts = async (
  { pool }: Pick<Deps, 'pool'>,
  { liftId, minutes, eventId }: ShortQueue,
  at: string,
): Promise<readonly { readonly person_id: string; readonly id: string }[]> => {
  const { rows } = await pool.query<{ person_id: string; id: string }>(
    `update ops.queue_alerts set told_by = $3
     where lift_id = $1 and below_minutes > $2 and expires_at > $4 and (told_by is null or told_by = $3)
     returning person_id, id`,
    [liftId, minutes, eventId, at],
  );
  return rows;
};
