/**
 * Which payments the provider is asked about without a reason: each day those that may still change or have changed lately,
 * each week those whose shares are held here, and all for a month. Also when each was asked about last.
 */
import { addMs, DAY_MS, isBefore } from '../../domain/core/instants.ts';
import { isDead, type OpenPayment } from '../../domain/payments/payment.ts';
import { isInDispute } from '../../domain/payments/paymentMismatch.ts';
import { leftMinor } from '../../domain/payments/paymentState.ts';
import { migrations } from '../../infra/migrations.ts';
import { loadPayment } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';

/** For this many days a payment is asked about each day after it has ended. */
const RECENT_DAYS = 2;
/** For this many days it is asked about each week, also when nothing of it is held here. */
const KEPT_DAYS = 30;
/** A run begins once a day, at an hour that moves with the load: the days of a week, less one. */
const WEEKLY_DAYS = 6;
/** Somebody who waits for a payment has the provider asked at most so often. */
const TURN_MS = 3_000;

export const reconciliationMigrations = migrations('payments', {
  '0001_reconciliation': `
    -- payments that a run looks at: those that are open, and those that moved lately
    create table ops.watched_payments (
      payment_id uuid primary key,
      open boolean not null,
      moved_at timestamptz not null
    );
    create index watched_payments_moved on ops.watched_payments (moved_at) where not open;
    -- what a run that is under way has to do, and has done
    create table ops.reconciliation_checks (
      run_id uuid not null,
      payment_id uuid not null,
      answered boolean,
      primary key (run_id, payment_id)
    );
  `,
  '0002_watched_while_held': `
    alter table ops.watched_payments
      -- money of it waits here for an owner
      add column held boolean not null default false,
      -- when the provider was asked about it last
      add column asked_at timestamptz;
    drop index ops.watched_payments_moved;
    create index watched_payments_moved on ops.watched_payments (moved_at) where not open and not held;
  `,
  '0003_next_to_check': `
    -- a run finds what it has not checked yet without looking at what it has
    create index reconciliation_checks_next on ops.reconciliation_checks (run_id) where answered is null;
  `,
  personalData: {
    'ops.watched_payments': {
      nothing: 'ids of payments',
      retention: [{ after: 'moved_at', days: KEPT_DAYS, where: 'not open and not held' }],
    },
    'ops.reconciliation_checks': { nothing: 'ids of payments' },
  },
});

type Deps = Pick<PaymentDeps, 'aggregates' | 'pool' | 'now'>;

/** Whether the payment or a refund of it is under way, or differs from the provider's record. */
const isOpen = (state: OpenPayment): boolean =>
  (state.status !== 'succeeded' && !isDead(state.status)) ||
  isInDispute(state) ||
  Object.values(state.refunds).some((refund) => refund.status === 'pending' || refund.status === 'manual_review');

/** Whether money of it waits here for an owner. */
const isHeld = (state: OpenPayment): boolean =>
  state.status === 'succeeded' &&
  state.items.some(({ id, ownerId }) => ownerId !== null && !state.released.includes(id) && leftMinor(state, id) > 0);

/** Notes that a payment has changed at `at`, and how long it is to be watched. */
export const watch = async (deps: Deps, paymentId: string, at: string): Promise<void> => {
  const state = await loadPayment(deps, paymentId);
  const [open, held] = [isOpen(state), isHeld(state)];
  // Policies see all payments there ever were once.
  if (!open && !held && isBefore(at, addMs(deps.now(), -KEPT_DAYS * DAY_MS))) return;
  await deps.pool.query(
    `insert into ops.watched_payments (payment_id, open, held, moved_at) values ($1, $2, $3, $4)
     on conflict (payment_id) do update
       set open = excluded.open, held = excluded.held,
           moved_at = greatest(watched_payments.moved_at, excluded.moved_at)`,
    [paymentId, open, held, at],
  );
};

/** Lists the payments that a run at `at` asks about. */
export const listDue = async ({ pool }: Pick<Deps, 'pool'>, runId: string, at: string): Promise<void> => {
  await pool.query(
    `insert into ops.reconciliation_checks (run_id, payment_id)
     select $1, payment_id from ops.watched_payments
     where open or moved_at > $2::timestamptz - interval '${RECENT_DAYS} days'
        or coalesce(asked_at, moved_at) < $2::timestamptz - interval '${WEEKLY_DAYS} days'
     on conflict do nothing`,
    [runId, at],
  );
};

/** Notes that the provider has told about a payment. */
export const noteAsked = async ({ pool, now }: Pick<Deps, 'pool' | 'now'>, paymentId: string): Promise<void> => {
  await pool.query('update ops.watched_payments set asked_at = $2 where payment_id = $1', [paymentId, now()]);
};

/** Whether the provider may be asked for somebody who waits. Of many who wait at once, in all processes, one may ask. */
export const takeTurn = async ({ pool, now }: Pick<Deps, 'pool' | 'now'>, paymentId: string): Promise<boolean> => {
  const at = now();
  const { rowCount } = await pool.query(
    `insert into ops.watched_payments (payment_id, open, moved_at, asked_at) values ($1, true, $2, $2)
     on conflict (payment_id) do update set asked_at = $2
       where watched_payments.asked_at is null or watched_payments.asked_at <= $3`,
    [paymentId, at, addMs(at, -TURN_MS)],
  );
  return rowCount === 1;
};
