import { describe, expect, it } from 'vitest';
import type { PurchaseEvent } from '../../domain/purchases/purchase.ts';
import { trips } from '../../projections/bookings/trips.ts';
import { purchases } from '../../projections/purchases/purchases.ts';
import { at, BOOKING, creation, GUEST, id, PAYMENT } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';
import { made, PRODUCT, PURCHASE, paidFor, payingForIt } from './productFixtures.ts';

const [T1, T2] = [at(0), at(5)] as const;

describe('purchases', () => {
  const rowsAfter = projection(purchases);
  const rowsOf = (...events: PurchaseEvent[]) =>
    rowsAfter(events.map((event, index) => happened('purchase', PURCHASE, event, index === 0 ? T1 : T2)));
  const row = {
    id: PURCHASE,
    user_id: GUEST,
    service_type: 'insurance',
    product_id: PRODUCT,
    product_name: 'On the slope',
    status: 'pending_payment',
    quantity: 2,
    persons: [
      { first_name: 'Anna', last_name: 'Orlova', birth_date: '1990-05-17' },
      { first_name: 'Boris', last_name: 'Orlov', birth_date: '2015-01-31' },
    ],
    valid_from: '2026-03-08',
    valid_to: '2026-03-09',
    starts_at: '2026-03-07T21:00:00.000Z',
    price_lines: [{ kind: 'item', name: 'person_day', quantity: 4, unit_minor: 15_000, amount_minor: 60_000 }],
    currency: 'RUB',
    total_minor: 60_000,
    promotion: null,
    expires_at: at(30),
    payment_id: null,
    open_payment_id: null,
    ending: null,
    created_at: T1,
    updated_at: T1,
  };
  const paying = { ...row, open_payment_id: PAYMENT, expires_at: at(40), updated_at: T2 };
  const paid = { ...row, status: 'paid', payment_id: PAYMENT, expires_at: null, updated_at: T2 };

  it('start as pending_payment', () => expect(rowsOf(made)).toEqual([row]));
  it('show the payment in progress, and that it ended', () => {
    expect(rowsOf(made, payingForIt)).toEqual([paying]);
    const over: PurchaseEvent = { type: 'PurchasePaymentEnded', data: { paymentId: PAYMENT } };
    expect(rowsOf(made, payingForIt, over)).toEqual([{ ...paying, open_payment_id: null }]);
  });
  it('are paid or expire', () => {
    expect(rowsOf(made, payingForIt, paidFor)).toEqual([paid]);
    expect(rowsOf(made, { type: 'PurchaseExpired', data: {} })).toEqual([
      { ...row, status: 'expired', expires_at: null, updated_at: T2 },
    ]);
  });
  it('are cancelled, then refunded', () => {
    const data = { userId: GUEST, by: 'guest', reason: null, refundMinor: 60_000 } as const;
    const cancelled = {
      ...paid,
      status: 'cancelled',
      ending: { by: 'guest', reason: null, refund_minor: 60_000 },
    };
    const events: PurchaseEvent[] = [made, payingForIt, paidFor, { type: 'PurchaseCancelled', data }];
    expect(rowsOf(...events)).toEqual([cancelled]);
    expect(rowsOf(...events, { type: 'PurchaseRefunded', data: {} })).toEqual([{ ...cancelled, status: 'refunded' }]);
  });
});

describe('trips', () => {
  const rowsAfter = projection(trips);
  const data = {
    userId: GUEST,
    notes: 'a birthday',
    currency: 'RUB',
    totalMinor: 40_000,
    bookings: [
      { bookingId: BOOKING, terms: creation },
      { bookingId: id(66), terms: creation },
    ],
  };
  it('have the ids of their bookings', () =>
    expect(rowsAfter([happened('trip', id(30), { type: 'TripBooked', data }, T1)])).toEqual([
      {
        id: id(30),
        user_id: GUEST,
        notes: 'a birthday',
        currency: 'RUB',
        total_minor: 40_000,
        booking_ids: [BOOKING, id(66)],
        created_at: T1,
      },
    ]));
});
