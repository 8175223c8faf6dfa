import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isDead,
  type PaymentCommand,
  type PaymentEvent,
  payment,
  paymentStatuses,
  refundableMinor,
} from '../../domain/bookings/payment.ts';
import { Rejected } from '../../domain/decider.ts';
import { specification } from '../given.ts';
import { BOOKING, GUEST, id, PROVIDER } from './bookingFixtures.ts';

const given = specification(payment);
const terms = {
  bookingId: BOOKING,
  userId: GUEST,
  ownerId: PROVIDER,
  method: 'card',
  amountMinor: 10_000,
  currency: 'RUB',
  provider: 'yookassa',
  reason: 'default',
  returnUrl: 'http://localhost:8080',
} as const;
const created: PaymentEvent = { type: 'PaymentCreated', data: terms };
const waiting: PaymentEvent = {
  type: 'PaymentRequiresAction',
  data: { userId: GUEST, providerId: 'p1', redirectUrl: 'http://pay' },
};
const succeeded: PaymentEvent = {
  type: 'PaymentSucceeded',
  data: { bookingId: BOOKING, providerId: 'p1', amountMinor: 10_000, currency: 'RUB' },
};
const cancelled: PaymentEvent = { type: 'PaymentCancelled', data: { bookingId: BOOKING, code: 'pending_too_long' } };
const says = (status: (typeof paymentStatuses)[number], more: object = {}): PaymentCommand => ({
  type: 'ApplyProviderState',
  providerId: 'p1',
  status,
  amountMinor: 10_000,
  currency: 'RUB',
  ...more,
});
const requested = (refund: number, amountMinor: number): PaymentEvent => ({
  type: 'RefundRequested',
  data: { refundId: id(refund), bookingId: BOOKING, amountMinor, currency: 'RUB', cause: 'requested' },
});
const request = (refund: number, amountMinor: number): PaymentCommand => ({
  type: 'RequestRefund',
  refundId: id(refund),
  amountMinor,
  cause: 'requested',
});

it('is created once', () =>
  given([])
    .when({ type: 'CreatePayment', ...terms })
    .thenOnce([created]));
it('is not found before', () => {
  given([]).when(says('succeeded')).then('not_found');
  given([]).when(request(1, 1)).then('not_found');
});

describe('what the provider says', () => {
  it.each([
    ['requires_action', { redirectUrl: 'http://pay' }, waiting],
    ['processing', {}, { type: 'PaymentProcessing', data: { providerId: 'p1' } }],
    ['authorized', {}, { type: 'PaymentAuthorized', data: { providerId: 'p1' } }],
    ['succeeded', {}, succeeded],
    [
      'failed',
      { reason: 'insufficient_funds' },
      { type: 'PaymentFailed', data: { bookingId: BOOKING, code: 'insufficient_funds' } },
    ],
    ['cancelled', {}, { type: 'PaymentCancelled', data: { bookingId: BOOKING, code: null } }],
    ['expired', {}, { type: 'PaymentExpired', data: { bookingId: BOOKING, code: null } }],
  ] as const)('%s is recorded once', (status, more, event) => {
    given([created]).when(says(status, more)).thenOnce([event]);
  });
  it('is believed of money even after we gave up', () => {
    given([created, waiting, cancelled]).when(says('succeeded')).then([succeeded]);
  });
  it('must speak of the amount that was asked for', () => {
    given([created])
      .when(says('succeeded', { amountMinor: 9_999 }))
      .then('payment_mismatch');
    given([created])
      .when(says('succeeded', { currency: 'EUR' }))
      .then('payment_mismatch');
  });
  it('leads forward only, whatever the order it comes in', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...paymentStatuses), { maxLength: 20 }), (order) => {
        let state = given([created]).state;
        for (const status of order) {
          const before = state.status;
          state = payment.decide(says(status, { redirectUrl: 'http://pay' }), state).reduce(payment.evolve, state);
          if (before === 'succeeded') expect(state.status).toBe('succeeded');
          if (before !== 'none' && isDead(before)) expect([before, 'succeeded']).toContain(state.status);
        }
        expect(state.status === 'succeeded').toBe(order.includes('succeeded'));
      }),
    );
  });
});

it('is given up once, and not when money has come', () => {
  const giveUp = { type: 'GiveUp', status: 'cancelled', code: 'pending_too_long' } as const;
  given([created, waiting]).when(giveUp).thenOnce([cancelled]);
  given([created, succeeded]).when(giveUp).then([]);
});

describe('refunds', () => {
  it('are asked for once', () =>
    given([created, succeeded])
      .when(request(1, 4_000))
      .thenOnce([requested(1, 4_000)]));
  it('need money', () => {
    given([created, waiting]).when(request(1, 1)).then('invalid_transition');
    given([created, succeeded]).when(request(1, 0)).then('invalid');
  });
  it('are never more than was captured', () => {
    given([created, succeeded, requested(1, 6_000)])
      .when(request(2, 4_001))
      .then('refund_too_large');
    given([created, succeeded, requested(1, 6_000)])
      .when(request(2, 4_000))
      .then([requested(2, 4_000)]);
  });
  it('that failed can be asked for again', () => {
    const failed: PaymentEvent = { type: 'RefundFailed', data: { refundId: id(1), code: 'expired' } };
    given([created, succeeded, requested(1, 10_000), failed])
      .when(request(2, 10_000))
      .then([requested(2, 10_000)]);
  });
  it('are moved by what the provider says of them', () => {
    const asked = [created, succeeded, requested(1, 4_000)];
    const submitted: PaymentEvent = { type: 'RefundSubmitted', data: { refundId: id(1), providerRefundId: 'r1' } };
    const apply = { type: 'ApplyRefundState', refundId: id(1), providerRefundId: 'r1' } as const;
    given(asked)
      .when({ ...apply, status: 'pending' })
      .thenOnce([submitted]);
    given(asked)
      .when({ ...apply, status: 'succeeded' })
      .thenOnce([
        submitted,
        { type: 'RefundSucceeded', data: { refundId: id(1), bookingId: BOOKING, amountMinor: 4_000 } },
      ]);
    given([...asked, submitted])
      .when({ ...apply, status: 'failed', reason: 'rejected' })
      .thenOnce([{ type: 'RefundFailed', data: { refundId: id(1), code: 'rejected' } }]);
    given(asked)
      .when({ type: 'ApplyRefundState', refundId: id(1), status: 'manual_review', reason: 'refused' })
      .thenOnce([{ type: 'RefundNeedsReview', data: { refundId: id(1), code: 'refused' } }]);
    given([created, succeeded])
      .when({ ...apply, status: 'succeeded' })
      .then('not_found');
  });
  it('never add up to more than was captured, in any order', () => {
    const step = fc.record({
      refund: fc.integer({ min: 1, max: 6 }),
      amount: fc.integer({ min: 1, max: 7_000 }),
      status: fc.constantFrom('request', 'pending', 'succeeded', 'failed', 'manual_review'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = given([created, succeeded]).state;
        for (const { refund, amount, status } of steps) {
          const command: PaymentCommand =
            status === 'request' ? request(refund, amount) : { type: 'ApplyRefundState', refundId: id(refund), status };
          try {
            state = payment.decide(command, state).reduce(payment.evolve, state);
          } catch (error) {
            if (!(error instanceof Rejected)) throw error;
          }
          expect(refundableMinor(state)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
