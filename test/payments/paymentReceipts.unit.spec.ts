/** The receipts of payments, as their payers take them along. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { PaymentEvent, paymentEvents } from '../../domain/payments/paymentEvents.ts';
import { paymentReceipts } from '../../projections/payments/paymentReceipts.ts';
import { happened, projection } from '../kit/projected.ts';

const rowsAfter = projection(paymentReceipts);
const [id, userId, itemId, refundId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const at = (day: number) => `2026-02-0${day}T10:00:00.000Z`;

type Of<T extends keyof typeof paymentEvents> = Extract<PaymentEvent, { readonly type: T }>['data'];
const created = (hasReceipt?: boolean): Of<'PaymentCreated'> => ({
  userId,
  items: [{ kind: 'booking', id: itemId, ownerId: null, amountMinor: 500_00, commissionMinor: 0 }],
  serviceType: null,
  tripId: null,
  method: 'card',
  paymentMethodId: null,
  amountMinor: 500_00,
  currency: 'RUB',
  provider: 'tbank',
  reason: 'default',
  capture: 'automatic',
  returnUrl: 'https://app.test',
  ...(hasReceipt !== undefined && { hasReceipt }),
});
const history = (hasReceipt?: boolean) => {
  const money = { currency: 'RUB', postings: [] };
  return [
    happened('payment', id, { type: 'PaymentCreated', data: created(hasReceipt) }, at(1)),
    happened(
      'payment',
      id,
      { type: 'PaymentSucceeded', data: { providerPaymentId: 'p', amountMinor: 500_00, ...money } },
      at(2),
    ),
    happened(
      'payment',
      id,
      { type: 'RefundSucceeded', data: { refundId, itemId, amountMinor: 100_00, ...money } },
      at(3),
    ),
    happened(
      'payment',
      id,
      { type: 'ClosingReceiptIssued', data: { itemId, amountMinor: 400_00, currency: 'RUB' } },
      at(4),
    ),
  ];
};

it('lists what the provider has issued for the payment, a refund and what was provided', () => {
  expect(rowsAfter(history(true))).toEqual([
    {
      payment_id: id,
      user_id: userId,
      currency: 'RUB',
      receipts: [
        { kind: 'payment', item_id: null, amount_minor: 500_00, at: at(2) },
        { kind: 'refund', item_id: itemId, amount_minor: 100_00, at: at(3) },
        { kind: 'provided', item_id: itemId, amount_minor: 400_00, at: at(4) },
      ],
    },
  ]);
});

it('has no row for a payment without receipts', () => {
  expect(rowsAfter(history())).toEqual([]);
});
