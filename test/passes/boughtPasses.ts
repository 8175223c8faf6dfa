/** A purchase of two passes for two days each, paid. */
import type { PaymentEvent } from '../../domain/payments/payment.ts';
import type { PurchaseEvent } from '../../domain/purchases/purchase.ts';
import { PAYMENT, paymentTerms } from '../bookings/bookingFixtures.ts';
import { PURCHASE, purchaseTerms } from '../purchases/productFixtures.ts';
import { moscow } from './passFixtures.ts';

export const PASSES = 2;
export const PRICE = 20_001;
const made: PurchaseEvent = {
  type: 'PurchaseMade',
  data: {
    ...purchaseTerms,
    serviceType: 'ski_pass',
    quantity: PASSES,
    persons: [],
    validFrom: '2026-03-08',
    validTo: '2026-03-12',
    startsAt: moscow(8, '00:00'),
    totalMinor: PRICE,
    passTerms: {
      unit: 'day',
      count: 2,
      timezone: 'Europe/Moscow',
      holders: Array(PASSES).fill('adult'),
      areas: [],
      refundsUnused: true,
      depositMinor: 0,
    },
  },
};
export const bought: PurchaseEvent[] = [
  made,
  { type: 'PurchasePaid', data: { paymentId: PAYMENT, amountMinor: PRICE } },
];
const item = { kind: 'purchase' as const, id: PURCHASE, ownerId: null, amountMinor: PRICE, commissionMinor: 0 };
const postings = [
  { account: 'clearing:yookassa', amountMinor: PRICE, itemId: PURCHASE },
  { account: 'service:ski_pass', amountMinor: -PRICE, itemId: PURCHASE },
];
export const paid: PaymentEvent[] = [
  {
    type: 'PaymentCreated',
    data: { ...paymentTerms, items: [item], serviceType: 'ski_pass', amountMinor: PRICE },
  },
  { type: 'PaymentSucceeded', data: { providerPaymentId: 'p', amountMinor: PRICE, currency: 'RUB', postings } },
];
