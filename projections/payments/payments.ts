/** Payments and their refunds, as payers, sellers and admins see them. */

import { sql } from 'kysely';
import { addDays } from '../../domain/core/dates.ts';
import { paymentsPurpose } from '../../domain/payments/index.ts';
import type { PaymentStatus, RefundStatus } from '../../domain/payments/payment.ts';
import type { PaymentItem } from '../../domain/payments/paymentEvents.ts';
import { toSnake } from '../../infra/naming.ts';
import { forTheBooks, keptBecause } from '../../infra/personalData.ts';
import { userChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { filtersOf, type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { PaymentRow, paymentWire } from './paymentWire.ts';

/** The booking that a payment is for; null when it is for something else or for several things. */
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

const duplicate = (
  row: PaymentRow | undefined,
  at: string,
  { providerPaymentId, code = null }: { readonly providerPaymentId: string; readonly code?: string | null },
  status: PaymentRow['duplicate_charges'][number]['status'],
): PaymentRow => {
  const before = existing(row);
  const duplicate_charges = before.duplicate_charges.map((charge) =>
    charge.txn_id === providerPaymentId ? { ...charge, status, code } : charge,
  );
  return { ...before, duplicate_charges, updated_at: at };
};

export const payments = readModel('payments', {
  version: 5,
  row: PaymentRow,
  wire: paymentWire,
  key: 'id',
  personalData: {
    whose: 'user_id',
    texts: ['redirect_url'],
    others: { 'items.*.owner_id': keptBecause.soldBy },
    why: paymentsPurpose,
    retention: forTheBooks,
  },
  on: {
    PaymentCreated: {
      fold: (_, { streamId, at, data }) => ({
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
        duplicate_charges: [],
        mismatch: null,
        mismatched_at: null,
        created_at: at,
        updated_at: at,
      }),
      makesRow: true,
    },
    PaymentActionRequested: (row, event) => {
      const { providerPaymentId: txn_id, redirectUrl: redirect_url } = event.data;
      return moved(row, event, 'requires_action', { txn_id, redirect_url });
    },
    PaymentProcessingStarted: (row, event) => moved(row, event, 'processing', { txn_id: event.data.providerPaymentId }),
    // The money may come after the payment had ended otherwise.
    PaymentAuthorized: (row, event) =>
      moved(row, event, 'authorized', { txn_id: event.data.providerPaymentId, failure_code: null }),
    PaymentSucceeded: (row, event) =>
      moved(row, event, 'succeeded', { txn_id: event.data.providerPaymentId, failure_code: null }),
    PaymentFailed: (row, event) => moved(row, event, 'failed', { failure_code: event.data.code }),
    PaymentCancelled: (row, event) => moved(row, event, 'cancelled', { failure_code: event.data.code }),
    PaymentExpired: (row, event) => moved(row, event, 'expired', { failure_code: event.data.code }),
    RefundRequested: (row, { at, data }) => {
      const before = existing(row);
      const { refundId: id, itemId: item_id, amountMinor: amount_minor, cause, isMadeThere = false } = data;
      const begun = { status: 'pending' as const, code: null, created_at: at };
      const refund = { id, item_id, amount_minor, cause, made_at_provider: isMadeThere, ...begun };
      return { ...before, refunds: [...before.refunds, refund], updated_at: at };
    },
    RefundSucceeded: (row, { at, data }) => refunded(row, at, data, 'succeeded'),
    RefundFailed: (row, { at, data }) => refunded(row, at, data, 'failed'),
    RefundReviewRequested: (row, { at, data }) => refunded(row, at, data, 'manual_review'),
    RefundRetried: (row, { at, data }) => refunded(row, at, data, 'pending'),
    DuplicateChargeReceived: (row, { at, data: { providerPaymentId: txn_id, amountMinor: amount_minor } }) => {
      const before = existing(row);
      const charge = { txn_id, amount_minor, status: 'pending' as const, code: null, created_at: at };
      return { ...before, duplicate_charges: [...before.duplicate_charges, charge], updated_at: at };
    },
    PaymentMismatchFound: (row, { at, data: { kind, ours, theirs } }) => ({
      ...existing(row),
      mismatch: { kind, ours, theirs },
      mismatched_at: at,
      updated_at: at,
    }),
    PaymentMismatchEnded: (row, { at }) => ({ ...existing(row), mismatch: null, mismatched_at: null, updated_at: at }),
    DuplicateChargeReturned: (row, { at, data }) => duplicate(row, at, data, 'returned'),
    DuplicateChargeReviewRequested: (row, { at, data }) => duplicate(row, at, data, 'manual_review'),
  },
  indexes: [
    'user_id, created_at desc, id',
    'created_at desc, id',
    'status, created_at desc, id',
    'provider, created_at desc, id',
    'gin items jsonb_path_ops',
    'gin refunds jsonb_path_ops',
    'gin duplicate_charges jsonb_path_ops',
    'mismatched_at',
  ],
  // Only the payer, because the redirect address is enough to pay. Sellers see their booking become paid.
  publishTo: [{ channel: userChannel, idsOf: ({ user_id }) => [user_id], audience: 'guest' }],
});

export const paymentById = (db: ReadDb, id: string): Promise<PaymentRow | undefined> =>
  tables(db, payments).selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();

export interface PaymentFilter extends Paging {
  readonly userId?: string | undefined;
  /** The seller of something that was paid for. */
  readonly ownerId?: string | undefined;
  readonly provider?: string | undefined;
  readonly status?: PaymentStatus | undefined;
  /** First and last day on which they started, in UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const holds = (value: unknown) => sql<string>`${JSON.stringify(value)}::jsonb`;

/** Newest first. */
export const listPayments = async (
  db: ReadDb,
  { userId, ownerId, provider, status, from, to, ...paging }: PaymentFilter,
): Promise<Page<PaymentRow>> => {
  const equal = filtersOf({ user_id: userId, provider, status });
  const matching = tables(db, payments)
    .selectFrom('payments')
    .where((q) => q.and(equal))
    .$if(ownerId !== undefined, (q) => q.where(sql<boolean>`items @> ${holds([{ owner_id: ownerId }])}`))
    .$if(from !== undefined, (q) => q.where('created_at', '>=', `${from}T00:00:00.000Z`))
    .$if(to !== undefined, (q) => q.where('created_at', '<', `${addDays(to ?? '', 1)}T00:00:00.000Z`));
  return pageOf(db, matching.selectAll().orderBy('created_at', 'desc').orderBy('id'), paging);
};

/** Payments with a refund, a second charge or a mismatch that needs a person; the longest waiting first. */
export const paymentsInReview = (db: ReadDb): Promise<PaymentRow[]> =>
  tables(db, payments)
    .selectFrom('payments')
    .selectAll()
    .where((q) =>
      q.or([
        sql<boolean>`refunds @> ${holds([{ status: 'manual_review' }])}`,
        sql<boolean>`duplicate_charges @> ${holds([{ status: 'manual_review' }])}`,
        sql<boolean>`mismatched_at is not null`,
      ]),
    )
    .orderBy('updated_at')
    .limit(100)
    .execute();
