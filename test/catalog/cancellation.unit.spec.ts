import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BookingEvent, booking } from '../../domain/bookings/booking.ts';
import {
  type CancellationPolicy,
  cancellationPolicy,
  cancellationPolicyNames,
  penaltyPercentAt,
  quoteCancellation,
} from '../../domain/catalog/cancellation.ts';
import { commissionOf } from '../../domain/commissions/commission.ts';
import { instantIn } from '../../domain/core/dates.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { type PaymentEvent, payment, refundableMinor } from '../../domain/payments/payment.ts';
import {
  BOOKING,
  confirmed,
  created,
  creation,
  GUEST,
  given,
  id,
  PAYMENT,
  PROVIDER,
  paymentTerms,
} from '../bookings/bookingFixtures.ts';

const START = '2026-03-20T11:00:00.000Z';
const hoursBefore = (hours: number): string => addMs(START, -hours * HOUR_MS);

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
    expect(penaltyPercentAt(cancellationPolicy(name), { startsAt: START }, hoursBefore(hours))).toBe(percent);
  });

  it('grows towards the start and never decreases', () => {
    for (const name of cancellationPolicyNames)
      for (let hours = 400; hours > -5; hours -= 1)
        expect(
          penaltyPercentAt(cancellationPolicy(name), { startsAt: START }, hoursBefore(hours - 1)),
        ).toBeGreaterThanOrEqual(penaltyPercentAt(cancellationPolicy(name), { startsAt: START }, hoursBefore(hours)));
  });
});

it('counts hours in the property’s time zone', () => {
  expect(instantIn('Asia/Vladivostok', '2026-03-20', '14:00')).toBe('2026-03-20T04:00:00.000Z');
  expect(instantIn('Europe/Berlin', '2026-03-29', '14:00')).toBe('2026-03-29T12:00:00.000Z');
  expect(instantIn('Europe/Berlin', '2026-03-28', '14:00')).toBe('2026-03-28T13:00:00.000Z');
  expect(instantIn('Europe/Berlin', '2026-03-29', '02:30')).toBe('2026-03-29T01:30:00.000Z'); // skipped
  expect(instantIn('Europe/Berlin', '2026-10-25', '02:30')).toBe('2026-10-25T00:30:00.000Z'); // comes twice
});

it('refunds everything when it is not the guest who cancels', () => {
  for (const by of ['provider', 'admin', 'system'] as const)
    expect(
      quoteCancellation({ ...creation, cancellationPolicy: cancellationPolicy('non_refundable') }, 20_000, START, by),
    ).toEqual({
      penaltyPercent: 0,
      penaltyMinor: 0,
      refundMinor: 20_000,
    });
});

/** A payment of the whole price, of which some was given back before. */
const paymentOf = (totalMinor: number, refundedMinor: number) => {
  const { commissionMinor, providerMinor } = commissionOf(totalMinor);
  const [item] = paymentTerms.items;
  const items = item ? [{ ...item, amountMinor: totalMinor, commissionMinor }] : [];
  const postings = [
    { account: 'clearing:yookassa', amountMinor: totalMinor, itemId: BOOKING },
    { account: 'commission', amountMinor: -commissionMinor, itemId: BOOKING },
    { account: `held:${PROVIDER}`, amountMinor: -providerMinor, itemId: BOOKING },
  ];
  const before: PaymentEvent = {
    type: 'RefundRequested',
    data: { refundId: id(77), itemId: BOOKING, amountMinor: refundedMinor, currency: 'RUB', cause: 'requested' },
  };
  const events: PaymentEvent[] = [
    { type: 'PaymentCreated', data: { ...paymentTerms, items, amountMinor: totalMinor } },
    { type: 'PaymentSucceeded', data: { providerPaymentId: 'p1', amountMinor: totalMinor, currency: 'RUB', postings } },
    ...(refundedMinor > 0 ? [before] : []),
  ];
  return events.reduce(payment.evolve, payment.initial);
};

/** One of ours, or any that somebody might think of: dearer and dearer towards the start. */
const anyPolicy: fc.Arbitrary<CancellationPolicy> = fc.oneof(
  fc.constantFrom(...cancellationPolicyNames).map(cancellationPolicy),
  fc
    .tuple(
      fc.uniqueArray(fc.nat(24 * 60), { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(100), { minLength: 5, maxLength: 5 }),
    )
    .map(([hours, percents]): CancellationPolicy => {
      const dearer = percents.toSorted((a, b) => a - b);
      const rules = hours.toSorted((a, b) => b - a).map((from, n) => ({ from, penaltyPercent: dearer[n] ?? 100 }));
      return { name: 'strict', rules };
    }),
);

const anyEnding = fc.record({
  cancellationPolicy: anyPolicy,
  totalMinor: fc.integer({ min: 1, max: 2 ** 40 }),
  hours: fc.double({ min: -48, max: 1_600, noNaN: true }),
  refundedShare: fc.double({ min: 0, max: 1, noNaN: true }),
  by: fc.constantFrom('guest', 'provider', 'admin'),
  isConfirmed: fc.boolean(),
});

it('quotes exactly the refund that follows, and never more than is left', () => {
  fc.assert(
    fc.property(anyEnding, ({ cancellationPolicy: policy, totalMinor, hours, refundedShare, by, isConfirmed }) => {
      const own = { ...creation, totalMinor, commission: commissionOf(totalMinor), startsAt: START };
      const data = { ...own, cancellationPolicy: policy };
      const whole: BookingEvent = { type: 'BookingPaid', data: { paymentId: PAYMENT, amountMinor: totalMinor } };
      const { state } = given([{ type: 'BookingCreated', data }, whole, ...(isConfirmed ? [confirmed] : [])]);
      const of = paymentOf(totalMinor, Math.floor(totalMinor * refundedShare));
      const received = refundableMinor(of, BOOKING);
      const now = hoursBefore(hours);

      const quote = quoteCancellation(data, received, now, by);
      const [cancelled] = booking.decide(
        { type: 'Cancel', by, reason: null, received: { paymentIds: [PAYMENT], minor: received }, at: now },
        state,
      );
      expect(cancelled).toMatchObject({ type: 'BookingCancelled', data: quote });
      expect(quote.refundMinor + quote.penaltyMinor).toBe(received);
      if (by !== 'guest') expect(quote.refundMinor).toBe(received);
      const sooner = quoteCancellation(data, received, hoursBefore(hours + 24), by);
      expect(sooner.refundMinor).toBeGreaterThanOrEqual(quote.refundMinor);
      if (quote.refundMinor === 0) return;
      const refund = { refundId: id(78), itemId: BOOKING, amountMinor: quote.refundMinor, cause: 'cancelled' } as const;
      const [requested] = payment.decide({ type: 'RequestRefund', ...refund }, of);
      expect(requested).toMatchObject({ type: 'RefundRequested', data: { amountMinor: quote.refundMinor } });
      expect(() => payment.decide({ type: 'RequestRefund', ...refund, amountMinor: received + 1 }, of)).toThrow();
    }),
    { numRuns: 500 },
  );
});

it('is nothing before anything was paid', () => {
  given([created])
    .when({ type: 'Cancel', by: 'guest', reason: null, received: { paymentIds: [], minor: 0 }, at: creation.startsAt })
    .then([
      {
        type: 'BookingCancelled',
        data: { userId: GUEST, by: 'guest', reason: null, penaltyPercent: 50, penaltyMinor: 0, refundMinor: 0 },
      },
    ]);
});
