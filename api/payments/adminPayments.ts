/** Payments for admins, and refunds and notifications that need manual review. */
import { type Static, Type } from '@sinclair/typebox';
import { reviewDuplicate } from '../../commands/payments/duplicates.ts';
import {
  dismissNotification,
  dismissNotifications,
  foreignNotifications,
  notificationsInReview,
  retryNotification,
} from '../../commands/payments/inbox.ts';
import { answerMismatch } from '../../commands/payments/mismatches.ts';
import { reviewRefund } from '../../commands/payments/refunds.ts';
import { recentSettingsChanges, settingsChangeKinds } from '../../commands/payments/settingsChanges.ts';
import { notFound } from '../../domain/core/decider.ts';
import { Count, DateOnly, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { paymentStatuses } from '../../domain/payments/payment.ts';
import { mismatchKinds } from '../../domain/payments/paymentEvents.ts';
import { toCamel } from '../../infra/naming.ts';
import { listPayments, paymentById, payments, paymentsInReview } from '../../projections/payments/payments.ts';
import { Payment, type PaymentRow, showPayment } from '../../projections/payments/paymentWire.ts';
import type { User } from '../http/caller.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';
import { shownAfter } from '../http/shownAfter.ts';
import { Refunding, refunding } from './paymentReplies.ts';

const list = route('GET /api/v1/admin/payments', {
  id: 'listPayments',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'List payments',
  description:
    'Newest first. `owner_id` is the seller of an item of the payment. `from` and `to` are the first and last day of creation, in UTC.',
  query: Type.Object({
    ...pagingQuery,
    status: Type.Optional(OneOf(paymentStatuses)),
    provider: Type.Optional(Type.String({ maxLength: 30 })),
    user_id: Type.Optional(Uuid),
    owner_id: Type.Optional(Uuid),
    from: Type.Optional(DateOnly),
    to: Type.Optional(DateOnly),
  }),
  reply: ListOf(Payment),
  handle: ({ query: { user_id: userId, owner_id: ownerId, status, provider, from, to, ...query }, caller }, app) =>
    paged(
      query,
      (paging) => listPayments(app.db, { userId, ownerId, status, provider, from, to, ...paging }),
      (row) => showPayment(row, caller),
    ),
});

const StuckRefund = Type.Object(
  {
    ...Payment.properties.refunds.items.properties,
    payment_id: Uuid,
    user_id: Uuid,
    provider: Type.String(),
    txn_id: Nullable(Type.String()),
    currency: Type.String(),
  },
  { $id: 'StuckRefund' },
);
const StuckCharge = Type.Object(
  {
    ...Payment.properties.duplicate_charges.items.properties,
    payment_id: Uuid,
    user_id: Uuid,
    provider: Type.String(),
    currency: Type.String(),
  },
  { $id: 'StuckDuplicateCharge' },
);
const StuckNotification = Type.Object(
  {
    id: Uuid,
    provider: Type.String(),
    /** The provider's id of the payment that it is about. */
    provider_id: Type.String(),
    reason: Nullable(Type.String()),
    received_at: Instant,
  },
  { $id: 'StuckNotification' },
);
/** A captured payment whose record at the provider differs. Its shares are held. */
const Mismatched = Type.Object(
  {
    payment_id: Uuid,
    user_id: Uuid,
    provider: Type.String(),
    txn_id: Nullable(Type.String()),
    currency: Type.String(),
    kind: OneOf(mismatchKinds),
    /** What we have; amounts in minor units. */
    ours: Type.String(),
    theirs: Type.String(),
    found_at: Instant,
  },
  { $id: 'PaymentMismatch' },
);

/** Who was affected, what was changed, when and by whom. */
const SettingsChange = Type.Object(
  {
    id: Uuid,
    owner_id: Uuid,
    changed: OneOf(settingsChangeKinds),
    changed_at: Instant,
    changed_by: Type.Object({ kind: Type.String(), id: Type.String(), role: Type.String() }),
  },
  { $id: 'PayoutSettingsChange' },
);

const stuckRefunds = (row: PaymentRow, reader: User): Static<typeof StuckRefund>[] => {
  const { id: payment_id, refunds, user_id, provider, txn_id, currency } = showPayment(row, reader);
  return refunds
    .filter(({ status }) => status === 'manual_review')
    .map((refund) => ({ ...refund, payment_id, user_id, provider, txn_id, currency }));
};

const stuckCharges = (row: PaymentRow, reader: User): Static<typeof StuckCharge>[] => {
  const { id: payment_id, duplicate_charges, user_id, provider, currency } = showPayment(row, reader);
  return duplicate_charges
    .filter(({ status }) => status === 'manual_review')
    .map((charge) => ({ ...charge, payment_id, user_id, provider, currency }));
};

const mismatchOf = (row: PaymentRow): Static<typeof Mismatched>[] => {
  const { id: payment_id, user_id, provider, txn_id, currency, mismatch, mismatched_at: found_at } = row;
  return mismatch && found_at !== null
    ? [{ payment_id, user_id, provider, txn_id, currency, ...mismatch, found_at }]
    : [];
};

const review = route('GET /api/v1/admin/payments/review', {
  id: 'listPaymentsInReview',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'List refunds, mismatches and notifications in manual review, and recent changes of payout settings',
  description:
    'Refunds that the provider refused, failed to execute, left pending for two weeks or did not answer for hours; second charges that it did not return; captured payments whose record at the provider differs (their shares are held); notifications with another amount, or whose payment could not be requested. The longest waiting first, at most 100 of each. `foreign_notifications` are about payments of other sites of the same shop: how many, and the newest 20. `settings_changes` lists the bank accounts and payment providers that sellers changed in the last 30 days, newest first, at most 100.',
  reply: Type.Object({
    refunds: Type.Array(StuckRefund),
    duplicate_charges: Type.Array(StuckCharge),
    mismatches: Type.Array(Mismatched),
    notifications: Type.Array(StuckNotification),
    foreign_notifications: Type.Object({ count: Count, newest: Type.Array(StuckNotification) }),
    settings_changes: Type.Array(SettingsChange),
  }),
  handle: async ({ caller }, app) => {
    const stuck = await paymentsInReview(app.db);
    return {
      refunds: stuck.flatMap((row) => stuckRefunds(row, caller)),
      duplicate_charges: stuck.flatMap((row) => stuckCharges(row, caller)),
      mismatches: stuck.flatMap(mismatchOf),
      notifications: await notificationsInReview(app.pool),
      foreign_notifications: await foreignNotifications(app.pool),
      settings_changes: await recentSettingsChanges(app.pool),
    };
  },
});

const OneRefund = Type.Object({ id: Uuid, refund_id: Uuid });

const retryOne = route('POST /api/v1/admin/payments/:id/refunds/:refund_id/retry', {
  id: 'retryRefund',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Retry a refund',
  description:
    'A refund that the provider certainly did not make is requested anew. One whose outcome is unknown is asked about under its old key, so that it cannot be made twice.',
  params: OneRefund,
  reply: Refunding,
  status: 202,
  errors: ['not_found'],
  projections: [payments],
  handle: async ({ params: { id: paymentId, refund_id: refundId }, context }, app) =>
    refunding(await reviewRefund(app, context, { paymentId, refundId, outcome: 'retry' })),
});

const resolve = route('POST /api/v1/admin/payments/:id/refunds/:refund_id/resolve', {
  id: 'resolveRefund',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Resolve a refund in manual review',
  description:
    '`succeeded`: the provider confirmed that the payer has the money. `failed`: the payer does not have it; start a new refund.',
  params: OneRefund,
  body: Type.Object({ status: OneOf(['succeeded', 'failed'] as const) }),
  reply: Refunding,
  errors: ['not_found', 'invalid_transition'],
  projections: [payments],
  handle: async ({ params: { id: paymentId, refund_id: refundId }, body, context }, app) =>
    refunding(await reviewRefund(app, context, { paymentId, refundId, outcome: body.status })),
});

const resolveDuplicate = route('POST /api/v1/admin/payments/:id/duplicate-charges/:txn_id/resolve', {
  id: 'resolveDuplicateCharge',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Resolve a second charge of a payment',
  description:
    '`retry`: the provider is asked again to return it. `returned`: the provider confirmed that the payer has the money.',
  params: Type.Object({ id: Uuid, txn_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  body: Type.Object({ outcome: OneOf(['retry', 'returned'] as const) }),
  reply: Type.Object({ id: Uuid, txn_id: Type.String() }),
  status: 202,
  errors: ['not_found'],
  projections: [payments],
  handle: async ({ params: { id, txn_id }, body: { outcome }, context }, app) => {
    await reviewDuplicate(app, context, { paymentId: id, providerPaymentId: txn_id, outcome });
    return { id, txn_id };
  },
});

const retryNotice = route('POST /api/v1/admin/notifications/:id/retry', {
  id: 'retryNotification',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Retry a notification',
  params: ById,
  reply: Type.Object({ id: Uuid }),
  status: 202,
  errors: ['not_found'],
  handle: async ({ params, context }, app) => {
    await retryNotification(app, context, params.id);
    return { id: params.id };
  },
});

const resolveMismatch = route('POST /api/v1/admin/payments/:id/mismatch/resolve', {
  id: 'resolvePaymentMismatch',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Resolve a mismatch of a payment with its provider',
  description:
    '`refunded`: `amount` was refunded at the provider by hand, of `item_id` (required if the payment has several items); it becomes a refund here. `accepted`: both records stay as they are, and the share is free. `ask`: the provider is asked again. After `refunded` it is asked, too: the mismatch ends when both agree.',
  params: ById,
  body: Type.Object({
    outcome: OneOf(['refunded', 'accepted', 'ask'] as const),
    item_id: Type.Optional(Uuid),
    amount: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  }),
  reply: Payment,
  errors: ['not_found', 'invalid', 'invalid_transition', 'refund_too_large', 'conflict', 'provider_away'],
  projections: [payments],
  handle: async ({ params: { id: paymentId }, body, context, caller }, app) => {
    const answer = { paymentId, ...toCamel(body) };
    await shownAfter(app, context, [payments], (of) => answerMismatch(app, of, answer));
    const found = await paymentById(app.db, paymentId);
    if (!found) throw notFound('payment');
    return showPayment(found, caller);
  },
});

const dismissNotice = route('POST /api/v1/admin/notifications/:id/dismiss', {
  id: 'dismissNotification',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Dismiss a notification in manual review',
  description: 'Nothing is to be done about it: it leaves the review.',
  params: ById,
  reply: Type.Object({ id: Uuid }),
  errors: ['not_found'],
  handle: async ({ params: { id } }, app) => {
    await dismissNotification(app, id);
    return { id };
  },
});

const dismissNotices = route('POST /api/v1/admin/notifications/dismiss', {
  id: 'dismissNotifications',
  access: 'admin',
  harm: 'money',
  rate: 'money',
  summary: 'Dismiss all notifications in manual review that wait for one reason',
  description:
    '`reason` as in the review, such as `foreign_payment`. `before`: only those received until then, so that none is dismissed that nobody has seen; by default now.',
  body: Type.Object({
    reason: Type.String({ minLength: 1, maxLength: 100 }),
    before: Type.Optional(Instant),
  }),
  reply: Type.Object({ dismissed: Count }),
  handle: async ({ body: { reason, before }, context }, app) => ({
    dismissed: await dismissNotifications(app, { reason, before: before ?? context.at }),
  }),
});

export const adminPaymentRoutes = [
  list,
  review,
  retryOne,
  resolve,
  resolveDuplicate,
  resolveMismatch,
  retryNotice,
  dismissNotices,
  dismissNotice,
];
