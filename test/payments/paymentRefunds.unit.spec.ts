/** Refunds of a payment: asked for, tried again, under way together, and who bears them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payersMinor } from '../../domain/ledger/ledger.ts';
import { type OpenPayment, type PaymentCommand, type PaymentEvent, payment } from '../../domain/payments/payment.ts';
import { drawOf } from '../../domain/payments/paymentState.ts';
import {
  BOOKING,
  paymentCreated as created,
  id,
  paymentSucceeded as succeeded,
  paymentTerms as terms,
} from '../bookings/bookingFixtures.ts';
import {
  apply,
  arrived,
  available,
  clearing,
  failed,
  given,
  held,
  line,
  paid,
  release,
  request,
  requested,
  retried,
  shared,
  T1,
  unsure,
} from './paymentMoneyFixtures.ts';

describe('refunds', () => {
  it('are requested once', () =>
    given(paid)
      .when(request(1, 4_000))
      .thenOnce([requested(1, 4_000)]));
  it('need captured money and an item of the payment', () => {
    given([created]).when(request(1, 1)).then('invalid_transition');
    given(paid).when(request(1, 0)).then('invalid');
    given(paid)
      .when(request(1, 1, id(60)))
      .then('not_found');
    given(paid).when(apply(1, 'succeeded')).then('not_found');
  });
  it('are never more than was captured', () => {
    given([...paid, requested(1, 6_000)])
      .when(request(2, 14_001))
      .then('refund_too_large');
    given([...paid, requested(1, 6_000)])
      .when(request(2, 14_000))
      .then([requested(2, 14_000)]);
  });
  it('leave of an item what must stay of it, and say how much can go back', () => {
    const amount = fc.nat(20_000);
    const refusal = (asked: number, earlier: number, keptMinor: number): unknown => {
      const { state } = given(earlier === 0 ? paid : [...paid, requested(1, earlier)]);
      try {
        payment.decide({ ...request(2, asked), keptMinor } as PaymentCommand, state);
        return null;
      } catch (error) {
        return error;
      }
    };
    fc.assert(
      fc.property(amount.filter(Boolean), amount, amount, (asked, earlier, keptMinor) => {
        const left = 20_000 - earlier - keptMinor;
        const error = refusal(asked, earlier, keptMinor);
        if (asked <= left) expect(error).toBeNull();
        else
          expect(error).toMatchObject({
            code: 'refund_too_large',
            message: expect.stringContaining(left > 0 ? 'higher than' : 'Nothing is left'),
            facts: { refundable_minor: left, currency: 'RUB' },
          });
      }),
    );
    expect(refusal(1, 15_000, 5_000)).toMatchObject({ message: expect.stringContaining('Nothing is left') });
  });
  it('that failed can be requested again', () => {
    given([...paid, requested(1, 20_000), failed(1)])
      .when(request(2, 20_000))
      .then([requested(2, 20_000)]);
  });
  it('follow the provider’s reports, and are posted when they have succeeded', () => {
    const asked = [...paid, requested(1, 4_000)];
    const submitted: PaymentEvent = { type: 'RefundSubmitted', data: { refundId: id(1), providerRefundId: 'r1' } };
    const known = { providerRefundId: 'r1' };
    given(asked)
      .when(apply(1, 'pending', known))
      .thenOnce([submitted]);
    given(asked)
      .when(apply(1, 'succeeded', known))
      .thenOnce([submitted, arrived(1, 4_000, [line(held, 4_000), line(clearing, -4_000)])]);
    given([...asked, submitted])
      .when(apply(1, 'failed', known))
      .thenOnce([failed(1)]);
    given(asked)
      .when(apply(1, 'manual_review', { reason: 'provider_away' }))
      .thenOnce([unsure]);
  });
  it('use the commission last', () => {
    const postings = [line('commission', 1_000), line(held, 18_000), line(clearing, -19_000)];
    given([...paid, requested(1, 19_000)])
      .when(apply(1, 'succeeded'))
      .then([arrived(1, 19_000, postings)]);
  });
  it('that an operator reviewed are retried', () => {
    const retry = { type: 'RetryRefund', refundId: id(1) } as const;
    given([...paid, requested(1, 4_000), unsure])
      .when(retry)
      .thenOnce([retried]);
    given([...paid, requested(1, 4_000), unsure, retried])
      .when(apply(1, 'manual_review', { reason: 'provider_away' }))
      .then([unsure]);
    given(paid).when(retry).then('not_found');
  });
});

describe('attempts of a refund', () => {
  const retry: PaymentCommand = { type: 'RetryRefund', refundId: id(1) };
  const asked = [...paid, requested(1, 4_000)];
  const submitted: PaymentEvent = { type: 'RefundSubmitted', data: { refundId: id(1), providerRefundId: 'r1' } };
  const review = (outcome: 'failed' | 'unknown'): PaymentEvent => ({
    type: 'RefundReviewRequested',
    data: { refundId: id(1), itemId: BOOKING, code: null, outcome },
  });
  const again: PaymentEvent = { type: 'RefundRetried', data: { refundId: id(1), itemId: BOOKING, attempt: 2 } };
  const attempt = (n: number, refund = 1): PaymentCommand => ({
    type: 'AttemptRefund',
    refundId: id(refund),
    attempt: n,
    at: T1,
  });
  const attempted = (refund = 1, n = 1): PaymentEvent => ({
    type: 'RefundAttempted',
    data: { refundId: id(refund), attempt: n, at: T1 },
  });

  it('are new ones after one that was certainly not made', () => {
    given(asked)
      .when(apply(1, 'manual_review', { hasFailed: true }))
      .thenOnce([review('failed')]);
    given([...asked, submitted, review('failed')])
      .when(retry)
      .thenOnce([again]);
    given([...asked, submitted, review('failed'), again])
      .when(apply(1, 'pending', { providerRefundId: 'r2', attempt: 2 }))
      .thenOnce([{ type: 'RefundSubmitted', data: { refundId: id(1), providerRefundId: 'r2' } }]);
  });
  it('stay the same while the outcome is unknown', () =>
    given([...asked, submitted, review('unknown')])
      .when(retry)
      .thenOnce([retried]));
  it('that are over change nothing any more', () =>
    given([...asked, submitted, review('failed'), again])
      .when(apply(1, 'manual_review', { providerRefundId: 'r1', attempt: 1, hasFailed: true }))
      .then([]));
  it('turn out to have failed after all', () =>
    given([...asked, submitted, review('unknown')])
      .when(apply(1, 'manual_review', { hasFailed: true }))
      .thenOnce([review('failed')]));
  it('are sent once and one at a time, where that is needed', () => {
    const both = [...asked, requested(2, 1_000)];
    given(asked).when(attempt(1)).thenOnce([attempted()]);
    given([...both, attempted()])
      .when(attempt(1, 2))
      .then('conflict');
    given([...both, attempted(), review('unknown')])
      .when(attempt(1, 2))
      .then('conflict');
    given([...both, attempted(), review('unknown'), retried])
      .when(attempt(1, 2))
      .then('conflict');
    given([...both, attempted(), review('failed')])
      .when(attempt(1, 2))
      .thenOnce([attempted(2)]);
    for (const end of [failed(1), arrived(1, 4_000, [line(held, 4_000), line(clearing, -4_000)])])
      given([...both, attempted(), end])
        .when(attempt(1, 2))
        .thenOnce([attempted(2)]);
    given([...asked, attempted(), review('failed'), again])
      .when(attempt(2))
      .thenOnce([attempted(1, 2)]);
  });
  it('are not sent out of turn, or for a refund that is in review or over', () => {
    given(asked).when(attempt(2)).then([]);
    for (const after of [review('failed'), failed(1)])
      given([...asked, after])
        .when(attempt(1))
        .then([]);
  });
});

it('only a refund in review can be resolved by an operator', () => {
  const resolve = (status: 'succeeded' | 'failed') => ({ type: 'ResolveRefund', refundId: id(1), status }) as const;
  const waiting = [...paid, requested(1, 4_000), unsure];
  given(waiting)
    .when(resolve('succeeded'))
    .thenOnce([arrived(1, 4_000, [line(held, 4_000), line(clearing, -4_000)])]);
  given(waiting)
    .when(resolve('failed'))
    .thenOnce([{ type: 'RefundFailed', data: { refundId: id(1), itemId: BOOKING, code: 'by_hand' } }]);
  given([...waiting, retried])
    .when(resolve('failed'))
    .then('invalid_transition');
  given([...waiting, failed(1)])
    .when(resolve('succeeded'))
    .then('invalid_transition');
});

describe('the owner’s part', () => {
  it('is released once', () =>
    given(paid)
      .when(release)
      .thenOnce([shared(18_000)]));
  it('exists only after money was captured', () => given([created]).when(release).then('invalid_transition'));
  it('does not exist where the platform is the seller', () => {
    const data = {
      ...terms,
      items: terms.items.map((item) => ({ ...item, ownerId: null })),
      serviceType: 'ski_pass',
    };
    given([{ type: 'PaymentCreated', data }, succeeded])
      .when(release)
      .then([]);
  });
  it('is not released as far as it is being refunded, and is released if the refund fails', () => {
    given([...paid, requested(1, 5_000)])
      .when(release)
      .thenOnce([shared(13_000)]);
    given([...paid, requested(1, 5_000), shared(13_000)])
      .when(apply(1, 'failed'))
      .thenOnce([failed(1), shared(5_000)]);
    given([...paid, requested(1, 20_000)])
      .when(release)
      .thenOnce([shared(0)]);
  });
  it('is refunded out of the available money after the release', () => {
    given([...paid, shared(18_000), requested(1, 5_000)])
      .when(apply(1, 'succeeded'))
      .then([arrived(1, 5_000, [line(available, 5_000), line(clearing, -5_000)])]);
  });
  it('that is available stays so when its refund fails', () =>
    given([...paid, shared(18_000), requested(1, 5_000)])
      .when(apply(1, 'failed'))
      .thenOnce([failed(1)]));
});

it('a refund takes its amount until it has ended, and an unknown one takes nothing', () => {
  const taken = (...events: PaymentEvent[]) =>
    payersMinor(drawOf(given([...paid, ...events]).state as OpenPayment, id(1)));
  expect([taken(), taken(requested(1, 4_000)), taken(requested(1, 4_000), failed(1))]).toEqual([0, 4_000, 0]);
});

describe('refunds of one item that are under way together', () => {
  const half = [...paid, requested(1, 5_000), shared(13_000), requested(2, 13_000)];
  it('each take what was left when they were requested, whichever succeeds first', () => {
    given(half)
      .when(apply(2, 'succeeded'))
      .then([arrived(2, 13_000, [line(available, 13_000), line(clearing, -13_000)])]);
    const second = arrived(2, 13_000, [line(available, 13_000), line(clearing, -13_000)]);
    given([...half, second])
      .when(apply(1, 'succeeded'))
      .then([arrived(1, 5_000, [line(held, 5_000), line(clearing, -5_000)])]);
  });
  it('take no more of the released share than was reserved', () => {
    const ask = (reservedMinor: number): PaymentCommand => ({ ...request(2, 13_001), reservedMinor }) as PaymentCommand;
    const before = [...paid, requested(1, 5_000), shared(13_000)];
    given(before).when(ask(12_999)).then('unavailable');
    given(before)
      .when(ask(13_000))
      .thenOnce([requested(2, 13_001)]);
  });
});
