import { expect, it } from 'vitest';
import { paymentItems } from '../../projections/payments/paymentItems.ts';
import { at, BOOKING, GUEST, id, PAYMENT, paymentTerms } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';

const rowsAfter = projection(paymentItems);
const [stay = {}] = paymentTerms.items;

it('a payment is found by each thing that it was started for, and a thing by each of its payments', () => {
  const started = (paymentId: string, ...items: readonly object[]) =>
    happened('payment', paymentId, { type: 'PaymentCreated', data: { ...paymentTerms, items } }, at(0));
  const row = (item_id: string, payment_id: string) => ({ item_id, payment_id, user_id: GUEST });
  expect(rowsAfter([started(PAYMENT, stay, { ...stay, id: id(7) }), started(id(8), stay)])).toEqual([
    row(BOOKING, PAYMENT),
    row(id(7), PAYMENT),
    row(BOOKING, id(8)),
  ]);
});
