/** Payments and what was given back of them, as payers and owners see them. */
import { Type } from '@sinclair/typebox';
import {
  type PaymentStatus,
  paymentStatuses,
  type RefundStatus,
  refundStatuses,
} from '../../domain/bookings/payment.ts';
import { PaymentMethod, refundCauses } from '../../domain/bookings/paymentEvents.ts';
import { Currency, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/schema.ts';
import type { ReadDb } from '../models.ts';
import { type Page, pageOf } from '../paging.ts';
import { existing, readModel } from '../readModel.ts';

const Refund = Type.Object({
  id: Uuid,
  amount_minor: Minor,
  status: OneOf(refundStatuses),
  cause: OneOf(refundCauses),
  created_at: Instant,
});

const Row = Type.Object({
  id: Uuid,
  booking_id: Uuid,
  user_id: Uuid,
  owner_id: Uuid,
  method: PaymentMethod,
  provider: Type.String(),
  /** Which rule chose the provider. */
  provider_reason: Type.String(),
  amount_minor: Minor,
  currency: Currency,
  status: OneOf(paymentStatuses),
  /** The provider's id. */
  txn_id: Nullable(Type.String()),
  /** Where the payer goes on, while there is something to do. */
  redirect_url: Nullable(Type.String()),
  /** Why no money came. */
  failure_code: Nullable(Type.String()),
  refunds: Type.Array(Refund),
  created_at: Instant,
  updated_at: Instant,
});
export type PaymentRow = (typeof Row)['static'];

type Moved = { readonly at: string };
const moved = (row: PaymentRow | undefined, { at }: Moved, status: PaymentStatus, more: Partial<PaymentRow> = {}) => ({
  ...existing(row),
  redirect_url: null,
  ...more,
  status,
  updated_at: at,
});
const refunded = (row: PaymentRow | undefined, at: string, refundId: string, status: RefundStatus): PaymentRow => {
  const before = existing(row);
  const refunds = before.refunds.map((refund) => (refund.id === refundId ? { ...refund, status } : refund));
  return { ...before, refunds, updated_at: at };
};

export const payments = readModel('payments', {
  version: 1,
  row: Row,
  key: 'id',
  on: {
    PaymentCreated: (_, { streamId, at, data }) => ({
      id: streamId,
      booking_id: data.bookingId,
      user_id: data.userId,
      owner_id: data.ownerId,
      method: data.method,
      provider: data.provider,
      provider_reason: data.reason,
      amount_minor: data.amountMinor,
      currency: data.currency,
      status: 'pending' as const,
      txn_id: null,
      redirect_url: null,
      failure_code: null,
      refunds: [],
      created_at: at,
      updated_at: at,
    }),
    PaymentRequiresAction: (row, event) => {
      const { providerId: txn_id, redirectUrl: redirect_url } = event.data;
      return moved(row, event, 'requires_action', { txn_id, redirect_url });
    },
    PaymentProcessing: (row, event) => moved(row, event, 'processing', { txn_id: event.data.providerId }),
    PaymentAuthorized: (row, event) => moved(row, event, 'authorized', { txn_id: event.data.providerId }),
    PaymentSucceeded: (row, event) => moved(row, event, 'succeeded', { txn_id: event.data.providerId }),
    PaymentFailed: (row, event) => moved(row, event, 'failed', { failure_code: event.data.code }),
    PaymentCancelled: (row, event) => moved(row, event, 'cancelled', { failure_code: event.data.code }),
    PaymentExpired: (row, event) => moved(row, event, 'expired', { failure_code: event.data.code }),
    RefundRequested: (row, { at, data: { refundId: id, amountMinor: amount_minor, cause } }) => {
      const before = existing(row);
      const refund = { id, amount_minor, cause, status: 'pending' as const, created_at: at };
      return { ...before, refunds: [...before.refunds, refund], updated_at: at };
    },
    RefundSucceeded: (row, { at, data }) => refunded(row, at, data.refundId, 'succeeded'),
    RefundFailed: (row, { at, data }) => refunded(row, at, data.refundId, 'failed'),
    RefundNeedsReview: (row, { at, data }) => refunded(row, at, data.refundId, 'manual_review'),
  },
  indexes: ['user_id, created_at desc, id', 'booking_id'],
  // The payer alone: whoever has the redirect address can pay. Providers see their booking become paid.
  topics: (row) => [`realtime:user_${row.user_id}`],
});

export const paymentById = (db: ReadDb, id: string): Promise<PaymentRow | undefined> =>
  db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listPayments = async (
  db: ReadDb,
  {
    userId,
    status,
    page,
    perPage,
  }: { userId: string; status?: PaymentStatus | undefined; page: number; perPage: number },
): Promise<Page<PaymentRow>> => {
  const matching = db
    .selectFrom('payments')
    .where('user_id', '=', userId)
    .$if(status !== undefined, (q) => q.where('status', '=', status as PaymentStatus));
  return pageOf(matching.selectAll().orderBy('created_at', 'desc').orderBy('id'), { page, perPage });
};
