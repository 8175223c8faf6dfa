/** Payments for admins, and refunds and notifications that need manual review. */
import { type Static, Type } from '@sinclair/typebox';
import { reviewDuplicate } from '../../commands/payments/duplicates.ts';
import { notificationsInReview, retryNotification } from '../../commands/payments/inbox.ts';
import { reviewRefund } from '../../commands/payments/refunds.ts';
import { recentSettingsChanges, settingsChangeKinds } from '../../commands/payments/settingsChanges.ts';
import { DateOnly, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { paymentStatuses } from '../../domain/payments/payment.ts';
import { listPayments, payments, paymentsInReview } from '../../projections/payments/payments.ts';
import { Payment, type PaymentRow, showPayment } from '../../projections/payments/paymentWire.ts';
import type { User } from '../http/caller.ts';
import { SHOWS_FIGURES } from '../http/harm.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';
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

const review = route('GET /api/v1/admin/payments/review', {
  id: 'listPaymentsInReview',
  access: 'admin',
  harm: SHOWS_FIGURES,
  summary: 'List refunds and notifications in manual review, and recent changes of payout settings',
  description:
    'Refunds that the provider refused, failed to execute, left pending for two weeks or did not answer for hours; second charges that it did not return; notifications about unknown payments, with another amount, or whose payment could not be requested. The longest waiting first, at most 100 of each. `settings_changes` lists the bank accounts and payment providers that sellers changed in the last 30 days, newest first, at most 100.',
  reply: Type.Object({
    refunds: Type.Array(StuckRefund),
    duplicate_charges: Type.Array(StuckCharge),
    notifications: Type.Array(StuckNotification),
    settings_changes: Type.Array(SettingsChange),
  }),
  handle: async ({ caller }, app) => {
    const stuck = await paymentsInReview(app.db);
    return {
      refunds: stuck.flatMap((row) => stuckRefunds(row, caller)),
      duplicate_charges: stuck.flatMap((row) => stuckCharges(row, caller)),
      notifications: await notificationsInReview(app.pool),
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
  idempotent: true,
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
  idempotent: true,
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
  idempotent: true,
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
  idempotent: true,
  handle: async ({ params, context }, app) => {
    await retryNotification(app, context, params.id);
    return { id: params.id };
  },
});

export const adminPaymentRoutes = [list, review, retryOne, resolve, resolveDuplicate, retryNotice];
