import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { booking } from '../../domain/bookings/booking.ts';
import {
  cancellationPolicy,
  cancellationPolicyNames,
  penaltyPercentAt,
  quoteCancellation,
} from '../../domain/bookings/cancellation.ts';
import { type PaymentEvent, payment, refundableMinor } from '../../domain/bookings/payment.ts';
import { instantIn } from '../../domain/dates.ts';
import {
  BOOKING,
  confirmed,
  created,
  GUEST,
  given,
  id,
  paid,
  paymentCreated,
  paymentSucceeded,
  terms,
} from './bookingFixtures.ts';

const START = '2026-03-20T11:00:00.000Z';
const hoursBefore = (hours: number): string => new Date(Date.parse(START) - hours * 3_600_000).toISOString();

describe('what a guest loses', () => {
  it.each([
    ['flexible', 24, 0],
    ['flexible', 23.99, 50],
    ['flexible', 0, 50],
    ['flexible', -1, 100],
    ['moderate', 120, 0],
    ['moderate', 119, 50],
    ['strict', 336, 0],
    ['strict', 335, 50],
    ['strict', 168, 50],
    ['strict', 167, 100],
    ['non_refundable', 9_999, 100],
  ] as const)('%s, %d hours before: %d %%', (name, hours, percent) => {
    expect(penaltyPercentAt(cancellationPolicy(name), START, hoursBefore(hours))).toBe(percent);
  });

  it('grows towards the start, never falls', () => {
    for (const name of cancellationPolicyNames)
      for (let hours = 400; hours > -5; hours -= 1)
        expect(penaltyPercentAt(cancellationPolicy(name), START, hoursBefore(hours - 1))).toBeGreaterThanOrEqual(
          penaltyPercentAt(cancellationPolicy(name), START, hoursBefore(hours)),
        );
  });
});

it('counts hours by the clocks of the property', () => {
  expect(instantIn('Asia/Vladivostok', '2026-03-20', '14:00')).toBe('2026-03-20T04:00:00.000Z');
  expect(instantIn('Europe/Berlin', '2026-03-29', '14:00')).toBe('2026-03-29T12:00:00.000Z');
  expect(instantIn('Europe/Berlin', '2026-03-28', '14:00')).toBe('2026-03-28T13:00:00.000Z');
  expect(instantIn('Europe/Berlin', '2026-03-29', '02:30')).toBe('2026-03-29T01:30:00.000Z'); // skipped
  expect(instantIn('Europe/Berlin', '2026-10-25', '02:30')).toBe('2026-10-25T00:30:00.000Z'); // comes twice
});

it('gives everything back when it is not the guest who cancels', () => {
  for (const by of ['provider', 'admin', 'system'] as const)
    expect(
      quoteCancellation({ ...terms, cancellationPolicy: cancellationPolicy('non_refundable') }, 20_000, START, by),
    ).toEqual({
      penaltyPercent: 0,
      penaltyMinor: 0,
      refundMinor: 20_000,
    });
});

/** A payment of the booking, of which some was given back before. */
const paymentWith = (refundedMinor: number) => {
  const before: PaymentEvent = {
    type: 'RefundRequested',
    data: { refundId: id(77), itemId: BOOKING, amountMinor: refundedMinor, currency: 'RUB', cause: 'requested' },
  };
  const events = [paymentCreated, paymentSucceeded, ...(refundedMinor > 0 ? [before] : [])];
  return events.reduce(payment.evolve, payment.initial);
};

it('quotes exactly the refund that follows, and never more than is left', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...cancellationPolicyNames),
      fc.double({ min: -48, max: 500, noNaN: true }),
      fc.nat(terms.totalMinor),
      fc.constantFrom('guest', 'provider', 'admin'),
      fc.boolean(),
      (name, hours, refunded, by, isConfirmed) => {
        const own = { ...terms, startsAt: START, cancellationPolicy: cancellationPolicy(name) };
        const events = [{ type: 'BookingCreated', data: own } as const, paid, ...(isConfirmed ? [confirmed] : [])];
        const received = refundableMinor(paymentWith(refunded));
        const now = hoursBefore(hours);
        const quote = quoteCancellation(own, received, now, by);
        const [cancelled] = booking.decide(
          { type: 'Cancel', by, reason: null, receivedMinor: received, at: now },
          given(events).state,
        );
        expect(cancelled).toMatchObject({ type: 'BookingCancelled', data: quote });
        expect(quote.refundMinor + quote.penaltyMinor).toBe(received);
        if (quote.refundMinor > 0) {
          const command = {
            type: 'RequestRefund',
            refundId: id(78),
            itemId: BOOKING,
            amountMinor: quote.refundMinor,
            cause: 'cancelled',
          } as const;
          expect(payment.decide(command, paymentWith(refunded))).toHaveLength(1);
        }
      },
    ),
    { numRuns: 500 },
  );
});

it('costs nothing before anything was paid', () => {
  given([created])
    .when({ type: 'Cancel', by: 'guest', reason: null, receivedMinor: 0, at: terms.startsAt })
    .then([
      {
        type: 'BookingCancelled',
        data: { userId: GUEST, by: 'guest', reason: null, penaltyPercent: 50, penaltyMinor: 0, refundMinor: 0 },
      },
    ]);
});
