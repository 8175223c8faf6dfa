/** Payments and what was given back of them, as payers and owners see them. */
import { Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { addDays } from '../../domain/core/dates.ts';
import { Currency, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import {
  type PaymentStatus,
  paymentStatuses,
  type RefundStatus,
  refundStatuses,
} from '../../domain/payments/payment.ts';
import { PaymentItem, PaymentMethod, providerReasons, refundCauses } from '../../domain/payments/paymentEvents.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { type Page, pageOf } from '../engine/paging.ts';
import { existing, readModel } from '../engine/readModel.ts';
import type { ReadDb } from '../modules.ts';

const Refund = Type.Object({
  id: Uuid,
  /** Of what was paid for. */
  item_id: Uuid,
  amount_minor: Minor,
  status: OneOf(refundStatuses),
  cause: OneOf(refundCauses),
  /** Why it failed, or waits for a person. */
  code: Nullable(Type.String()),
  created_at: Instant,
});

const Row = Type.Object({
  id: Uuid,
  /** Where one booking is all that it pays for. */
  booking_id: Nullable(Uuid),
  user_id: Uuid,
  items: Type.Array(snakeSchema(PaymentItem)),
  /** What the platform itself sells with it. */
  service_type: Nullable(Type.String()),
  trip_id: Nullable(Uuid),
  method: PaymentMethod,
  payment_method_id: Nullable(Uuid),
  provider: Type.String(),
  /** Which rule chose the provider. */
  provider_reason: OneOf(providerReasons),
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

/** What a payment is for, where one booking is all; otherwise null. */
export const onlyBooking = (items: readonly PaymentItem[]): string | null => {
  const [item] = items;
  return item?.kind === 'booking' && items.length === 1 ? item.id : null;
};

type Moved = { readonly at: string };
const moved = (row: PaymentRow | undefined, { at }: Moved, status: PaymentStatus, more: Partial<PaymentRow> = {}) => ({
  ...existing(row),
  redirect_url: null,
  ...more,
  status,
  updated_at: at,
});
const refunded = (
  row: PaymentRow | undefined,
  at: string,
  { refundId, code = null }: { readonly refundId: string; readonly code?: string | null },
  status: RefundStatus,
): PaymentRow => {
  const before = existing(row);
  const refunds = before.refunds.map((refund) => (refund.id === refundId ? { ...refund, status, code } : refund));
  return { ...before, refunds, updated_at: at };
};

export const payments = readModel('payments', {
  version: 1,
  row: Row,
  key: 'id',
  on: {
    PaymentCreated: (_, { streamId, at, data }) => ({
      id: streamId,
      booking_id: onlyBooking(data.items),
      user_id: data.userId,
      items: toSnake(data.items),
      service_type: data.serviceType,
      trip_id: data.tripId,
      method: data.method,
      payment_method_id: data.paymentMethodId,
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
    PaymentActionRequested: (row, event) => {
      const { providerPaymentId: txn_id, redirectUrl: redirect_url } = event.data;
      return moved(row, event, 'requires_action', { txn_id, redirect_url });
    },
    PaymentProcessingStarted: (row, event) => moved(row, event, 'processing', { txn_id: event.data.providerPaymentId }),
    PaymentAuthorized: (row, event) => moved(row, event, 'authorized', { txn_id: event.data.providerPaymentId }),
    PaymentSucceeded: (row, event) => moved(row, event, 'succeeded', { txn_id: event.data.providerPaymentId }),
    PaymentFailed: (row, event) => moved(row, event, 'failed', { failure_code: event.data.code }),
    PaymentCancelled: (row, event) => moved(row, event, 'cancelled', { failure_code: event.data.code }),
    PaymentExpired: (row, event) => moved(row, event, 'expired', { failure_code: event.data.code }),
    RefundRequested: (row, { at, data: { refundId: id, itemId: item_id, amountMinor: amount_minor, cause } }) => {
      const before = existing(row);
      const refund = { id, item_id, amount_minor, cause, status: 'pending' as const, code: null, created_at: at };
      return { ...before, refunds: [...before.refunds, refund], updated_at: at };
    },
    RefundSucceeded: (row, { at, data }) => refunded(row, at, data, 'succeeded'),
    RefundFailed: (row, { at, data }) => refunded(row, at, data, 'failed'),
    RefundReviewRequested: (row, { at, data }) => refunded(row, at, data, 'manual_review'),
    RefundRetried: (row, { at, data }) => refunded(row, at, data, 'pending'),
  },
  indexes: [
    'user_id, created_at desc, id',
    'created_at desc, id',
    'gin items jsonb_path_ops',
    'gin refunds jsonb_path_ops',
  ],
  // The payer alone: whoever has the redirect address can pay. Providers see their booking become paid.
  tells: { user: ({ user_id }) => user_id },
});

export const paymentById = (db: ReadDb, id: string): Promise<PaymentRow | undefined> =>
  db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();

export interface PaymentFilter {
  readonly userId?: string | undefined;
  /** Who sells something that was paid for. */
  readonly ownerId?: string | undefined;
  readonly provider?: string | undefined;
  readonly status?: PaymentStatus | undefined;
  /** First and last day on which they were begun, in UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly page: number;
  readonly perPage: number;
}

const holds = (value: unknown) => sql<string>`${JSON.stringify(value)}::jsonb`;

/** Newest first. */
export const listPayments = async (
  db: ReadDb,
  { userId, ownerId, provider, status, from, to, page, perPage }: PaymentFilter,
): Promise<Page<PaymentRow>> => {
  const asked = { user_id: userId, provider, status };
  const equal = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const matching = db
    .selectFrom('payments')
    .where((q) => q.and(equal))
    .$if(ownerId !== undefined, (q) => q.where(sql<boolean>`items @> ${holds([{ owner_id: ownerId }])}`))
    .$if(from !== undefined, (q) => q.where('created_at', '>=', `${from}T00:00:00.000Z`))
    .$if(to !== undefined, (q) => q.where('created_at', '<', `${addDays(to ?? '', 1)}T00:00:00.000Z`));
  return pageOf(matching.selectAll().orderBy('created_at', 'desc').orderBy('id'), { page, perPage });
};

/** Those with a refund that a person has to look at; longest waiting first. */
export const paymentsInReview = (db: ReadDb): Promise<PaymentRow[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where(sql<boolean>`refunds @> ${holds([{ status: 'manual_review' }])}`)
    .orderBy('updated_at')
    .limit(100)
    .execute();
