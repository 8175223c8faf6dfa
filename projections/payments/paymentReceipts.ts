/** Fiscal receipts of payments: the provider issues them to the payer, for the payment, each refund and what was provided. */
import { type Static, Type } from '@sinclair/typebox';
import { Currency, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { paymentsPurpose } from '../../domain/payments/index.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { readModel } from '../engine/readModel.ts';

const Row = Type.Object({
  payment_id: Uuid,
  user_id: Uuid,
  currency: Currency,
  receipts: Type.Array(
    Type.Object({
      kind: OneOf(['payment', 'refund', 'provided'] as const),
      /** What was refunded or provided; null: all that was paid for. */
      item_id: Nullable(Uuid),
      amount_minor: Minor,
      at: Instant,
    }),
  ),
});
type Row = Static<typeof Row>;

/** Payments without receipts have no row. */
const and = (row: Row | undefined, receipt: Row['receipts'][number]): Row | null =>
  row === undefined ? null : { ...row, receipts: [...row.receipts, receipt] };

export const paymentReceipts = readModel('payment_receipts', {
  version: 1,
  row: Row,
  key: 'payment_id',
  personalData: { whose: 'user_id', why: paymentsPurpose, retention: forTheBooks },
  on: {
    PaymentCreated: (_, { streamId, data: { userId, currency, hasReceipt } }) =>
      hasReceipt ? { payment_id: streamId, user_id: userId, currency, receipts: [] } : null,
    PaymentSucceeded: (row, { at, data }) =>
      and(row, { kind: 'payment', item_id: null, amount_minor: data.amountMinor, at }),
    RefundSucceeded: (row, { at, data }) =>
      and(row, { kind: 'refund', item_id: data.itemId, amount_minor: data.amountMinor, at }),
    ClosingReceiptIssued: (row, { at, data }) =>
      and(row, { kind: 'provided', item_id: data.itemId, amount_minor: data.amountMinor, at }),
  },
  indexes: ['user_id'],
});
