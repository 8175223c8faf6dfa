/**
 * Notifications of payment providers: stored once each, answered at once, and processed by a job that asks the
 * provider. A notification only says that something changed. Nothing else of it is stored, especially no tokens of
 * saved methods.
 */

import { notFound, Rejected } from '../../domain/core/decider.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { payment } from '../../domain/payments/payment.ts';
import { derivedId } from '../../infra/ids.ts';
import { metrics } from '../../infra/metrics.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction, type Queryable } from '../../infra/postgres.ts';
import { validator } from '../../infra/validation.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { syncPayment } from './askProvider.ts';
import { apply, finalReason, providerOf } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { methodSync } from './paymentMethodPolicy.ts';
import { referenceOf } from './paymentMethods.ts';
import type { Notification } from './paymentProvider.ts';

export const inboxMigrations = migrations('payments', {
  '0001_webhook_inbox': `
    create table ops.webhook_inbox (
      -- the same for every delivery of one notification
      id uuid primary key,
      provider text not null,
      -- payment, or a method that is being saved
      subject text not null,
      -- of a payment; of a saving, whose id may be its token, a one-way name for it
      provider_id text not null,
      status text not null default 'new' check (status in ('new', 'done', 'manual_review')),
      reason text,
      received_at timestamptz not null default now()
    );
    create index webhook_inbox_open on ops.webhook_inbox (received_at) where status <> 'done';
  `,
  personalData: {
    'ops.webhook_inbox': {
      nothing: 'ids of payments at providers',
      retention: [{ after: 'received_at', days: 90, where: "status = 'done'" }],
    },
  },
});

const isUuid = validator(Uuid);

/** After this many attempts, which with the backoff take about eight hours, a notification goes to an operator. */
const MAX_ATTEMPTS = 20;

/**
 * Verifies and stores a notification, and returns what the provider expects as the reply.
 * @param admit called once the sender is verified, before anything is stored; throws to refuse
 * @throws Rejected `not_found` for a provider we don't have · ProviderError `refused` when it does not come from it
 */
export const receiveNotification = async (
  deps: PaymentDeps,
  context: CommandContext,
  providerName: string,
  notification: Notification,
  admit: () => Promise<void> = async () => undefined,
): Promise<string> => {
  const provider = deps.paymentProviders.byName.get(providerName);
  if (!provider) throw notFound('payment provider');
  const { eventKey, providerPaymentId, subject = 'payment' } = provider.verifyNotification(notification);
  await admit();
  const id = derivedId('notification', providerName, eventKey);
  const about = subject === 'method' ? referenceOf(providerName, providerPaymentId) : providerPaymentId;
  await inTransaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(
      `insert into ops.webhook_inbox (id, provider, subject, provider_id) values ($1, $2, $3, $4)
       on conflict (id) do nothing`,
      [id, providerName, subject, about],
    );
    if (rowCount === 1) await notified.schedule(client, context, { id, dueAt: context.at, data: {} });
  });
  return provider.acknowledgement;
};

export interface StuckNotification {
  readonly id: string;
  readonly provider: string;
  /** The provider's id of the payment that it is about. */
  readonly provider_id: string;
  readonly reason: string | null;
  readonly received_at: string;
}

/** What a notification waits for that is about a payment of another site of the same shop. */
const FOREIGN = 'foreign_payment';

/** Notifications that need an operator, the oldest first. Those about payments of other sites are counted apart. */
export const notificationsInReview = async (db: Queryable): Promise<StuckNotification[]> => {
  const { rows } = await db.query<StuckNotification>(
    `select id, provider, provider_id, reason, received_at from ops.webhook_inbox
     where status = 'manual_review' and reason is distinct from $1 order by received_at limit 100`,
    [FOREIGN],
  );
  return rows;
};

export interface ForeignNotifications {
  readonly count: number;
  /** The newest, at most 20. */
  readonly newest: StuckNotification[];
}

/** Notifications about payments that are not ours: another site has the same shop at the provider. */
export const foreignNotifications = async (db: Queryable): Promise<ForeignNotifications> => {
  const { rows } = await db.query<StuckNotification & { count: number }>(
    `select id, provider, provider_id, reason, received_at, count(*) over ()::int as count from ops.webhook_inbox
     where status = 'manual_review' and reason = $1 order by received_at desc, id limit 20`,
    [FOREIGN],
  );
  return { count: rows[0]?.count ?? 0, newest: rows.map(({ count: _, ...each }) => each) };
};

/** An operator has seen a notification and nothing is to be done. @throws Rejected `not_found` */
export const dismissNotification = async ({ pool }: Pick<PaymentDeps, 'pool'>, id: string): Promise<void> => {
  const { rowCount } = await pool.query(
    `update ops.webhook_inbox set status = 'done' where id = $1 and status = 'manual_review'`,
    [id],
  );
  if (rowCount !== 1) throw new Rejected('not_found', 'This notification is not in review.');
};

/** The same for all that wait for one reason. @param before those received until then, RFC 3339 @returns how many */
export const dismissNotifications = async (
  { pool }: Pick<PaymentDeps, 'pool'>,
  { reason, before }: { readonly reason: string; readonly before: string },
): Promise<number> => {
  const { rowCount } = await pool.query(
    `update ops.webhook_inbox set status = 'done'
     where status = 'manual_review' and reason = $1 and received_at <= $2`,
    [reason, before],
  );
  return rowCount ?? 0;
};

/** An operator has the provider asked again about a notification. @throws Rejected `not_found` */
export const retryNotification = async (
  { pool }: Pick<PaymentDeps, 'pool'>,
  context: CommandContext,
  id: string,
): Promise<void> => {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update ops.webhook_inbox set status = 'new', reason = null where id = $1 and status <> 'done'`,
      [id],
    );
    if (rowCount !== 1) throw new Rejected('not_found', 'This notification is not in review.');
    await notified.schedule(client, context, { id, dueAt: context.at, data: {} });
  });
};

const settle = async (deps: PaymentDeps, id: string, status: 'done' | 'manual_review', reason: string | null) => {
  await deps.pool.query('update ops.webhook_inbox set status = $2, reason = $3 where id = $1', [id, status, reason]);
  if (status !== 'manual_review') return;
  if (reason === FOREIGN) {
    deps.log.info({ notification: id }, 'a notification is about a payment of another site of the shop');
    return;
  }
  metrics.reviewNeeded.inc({ what: 'notification' });
  deps.log.error({ notification: id, reason }, 'a notification needs manual review');
};

/**
 * Asks the provider about the payment that a notification names, and records the reply. For a payment method that is
 * being saved, its own job is made due now.
 */
export const notified = defineJob<object, PaymentDeps>('notification', async ({ id, attempt }, { deps, context }) => {
  const { rows } = await deps.pool.query<{ provider: string; subject: string; provider_id: string }>(
    `select provider, subject, provider_id from ops.webhook_inbox where id = $1 and status <> 'done'`,
    [id],
  );
  const row = rows[0];
  if (!row) return undefined;
  if (row.subject === 'method') {
    await methodSync.runNow(deps.jobs, row.provider_id);
    await settle(deps, id, 'done', null);
    return undefined;
  }
  try {
    const answer = await providerOf(deps, row.provider).get(row.provider_id);
    const { paymentId } = answer;
    if (!isUuid(paymentId) || (await deps.aggregates.load(payment, paymentId)).state.status === 'none') {
      await settle(deps, id, 'manual_review', FOREIGN);
      return undefined;
    }
    await apply(deps, context, paymentId, answer);
    await syncPayment(deps, followUp(context, 'asked'), paymentId);
    await settle(deps, id, 'done', null);
  } catch (error) {
    const reason = finalReason(error) ?? (attempt >= MAX_ATTEMPTS ? 'provider_away' : undefined);
    if (reason === undefined) throw error;
    await settle(deps, id, 'manual_review', reason);
  }
  return undefined;
});
