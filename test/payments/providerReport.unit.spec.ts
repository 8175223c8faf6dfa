/** The provider's word about the money of a captured payment: what was refunded there, by us or by hand. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PaymentCommand, type PaymentEvent, payment, refundedMinor } from '../../domain/payments/payment.ts';
import { isInDispute } from '../../domain/payments/paymentMismatch.ts';
import { leftMinor, type OpenPayment } from '../../domain/payments/paymentState.ts';
import type { ListedRefund } from '../../domain/payments/providerReport.ts';
import {
  BOOKING,
  paymentCreated as created,
  id,
  PROVIDER,
  paymentSucceeded as succeeded,
  paymentTerms as terms,
} from '../bookings/bookingFixtures.ts';
import {
  about,
  apply,
  arrived,
  given,
  held,
  line,
  paid,
  release,
  request,
  requested,
  shared,
} from './paymentMoneyFixtures.ts';
import { agrees, back, believing, differs, FOUND, madeThere, OTHER, says } from './providerReportFixtures.ts';

describe('money refunded in the office of the provider', () => {
  it('is a refund here, taken like others', () => {
    given(paid)
      .when(says({ refundedMinor: 5_000 }))
      .thenOnce(madeThere(5_000, back(5_000)));
    given(paid)
      .when(says({ refundedMinor: 20_000 }))
      .thenOnce(madeThere(20_000, back(18_000, 2_000)));
  });
  it('is found together with the payment itself', () => {
    given([created])
      .when(says({ refundedMinor: 5_000 }))
      .thenOnce([succeeded, ...madeThere(5_000, back(5_000))]);
  });
  it('becomes a debt of a seller whose share was released', () => {
    const after = [...paid, ...payment.decide(release, given(paid).state)];
    given(after)
      .when(says({ refundedMinor: 20_000 }))
      .thenOnce(
        madeThere(20_000, [
          line('commission', 2_000),
          line(`available:${PROVIDER}`, 18_000),
          line('clearing:yookassa', -20_000),
        ]),
      );
  });
  it('is a loss beyond what is left', () => {
    const chargedBack = payment.decide(
      { type: 'RecordChargeback', chargebackId: id(70), itemId: BOOKING, amountMinor: 20_000 },
      given(paid).state,
    );
    given([...paid, ...chargedBack])
      .when(says({ refundedMinor: 3_000 }))
      .thenOnce(madeThere(3_000, [line('losses', 3_000), line('clearing:yookassa', -3_000)]));
  });
  it('takes what is reserved for a refund of ours only where the rest does not suffice', () => {
    const before = [...paid, requested(1, 5_000), shared(13_000)];
    const [free, commission] = [line(`available:${PROVIDER}`, 13_000), line('commission', 2_000)];
    given(before)
      .when(says({ refundedMinor: 15_000, refunds: [] }))
      .thenOnce(madeThere(15_000, [commission, free, line('clearing:yookassa', -15_000)]));
    given(before)
      .when(says({ refundedMinor: 15_001, refunds: [] }))
      .thenOnce(
        madeThere(15_001, [
          line(held, 5_000),
          line(`available:${PROVIDER}`, 10_001),
          line('clearing:yookassa', -15_001),
        ]),
      );
  });
  it('takes what was reserved for a refund of ours that failed', () => {
    const failed = payment.decide(
      apply(1, 'manual_review', { hasFailed: true }),
      given([...paid, requested(1, 4_000)]).state,
    );
    const { state } = given([...paid, requested(1, 4_000), ...failed, ...madeThere(20_000, back(18_000, 2_000))]);
    expect(payment.decide({ type: 'RetryRefund', refundId: id(1) }, state)).toHaveLength(1);
    expect(() => payment.decide({ type: 'ResolveRefund', refundId: id(1), status: 'succeeded' }, state)).toThrow(
      'Less is left',
    );
    expect(payment.decide({ type: 'ResolveRefund', refundId: id(1), status: 'failed' }, state)).toHaveLength(1);
    given([...paid, requested(1, 4_000), ...failed])
      .when(says({ refundedMinor: 20_000 }))
      .thenOnce(madeThere(20_000, back(18_000, 2_000)));
  });
  it('of exactly the amount of one in review is that one', () => {
    const review = payment.decide(
      apply(1, 'manual_review', { hasFailed: true }),
      given([...paid, requested(1, 4_000)]).state,
    );
    given([...paid, requested(1, 4_000), ...review])
      .when(says({ refundedMinor: 4_000 }))
      .thenOnce([arrived(1, 4_000, back(4_000))]);
  });
});

describe('a refund of ours', () => {
  const before = [...paid, requested(1, 4_000)];
  const made: ListedRefund = {
    providerRefundId: 'r1',
    refundId: id(1),
    attempt: 1,
    status: 'succeeded',
    amountMinor: 4_000,
  };
  const byHand: ListedRefund = { ...made, providerRefundId: 'r2', refundId: null, amountMinor: 1_000 };
  const submitted: PaymentEvent = { type: 'RefundSubmitted', data: { refundId: id(1), providerRefundId: 'r1' } };
  it('under way explains what went back', () => {
    given(before)
      .when(says({ refundedMinor: 4_000, ...believing() }))
      .then([]);
    given(before)
      .when(says({ isPartlyRefunded: true, ...believing() }))
      .then([]);
  });
  it('under way does not explain more than its amount', () => {
    given(before)
      .when(says({ refundedMinor: 6_000 }))
      .thenOnce(madeThere(2_000, back(2_000)));
  });
  it('is recognised in the list before its own answer comes', () => {
    given(before)
      .when(says({ refundedMinor: 4_000, refunds: [made] }))
      .thenOnce([submitted, arrived(1, 4_000, back(4_000))]);
    given(before)
      .when(says({ refundedMinor: 5_000, refunds: [made, byHand] }))
      .thenOnce([submitted, arrived(1, 4_000, back(4_000)), ...madeThere(1_000, back(1_000))]);
  });
  it('that is not in the list explains nothing', () => {
    given(before)
      .when(says({ refundedMinor: 1_000, refunds: [byHand] }))
      .thenOnce(madeThere(1_000, back(1_000)));
  });
});

describe('what cannot be told', () => {
  const item = (n: string) => ({ ...(terms.items[0] as (typeof terms.items)[number]), id: n });
  const items = [item(BOOKING), item(OTHER)];
  const both: PaymentEvent[] = [{ type: 'PaymentCreated', data: { ...terms, items, amountMinor: 40_000 } }];
  const paidBoth = [...both, ...payment.decide(says({ amountMinor: 40_000 }), given(both).state)];
  it('is an amount that the provider does not say', () => {
    given(paid)
      .when(says({ isPartlyRefunded: true }))
      .thenOnce([differs('refunds', '0', 'a part')]);
    given([...paid, differs('refunds', '0', 'a part'), ...madeThere(1_000, back(1_000))])
      .when(says({ isPartlyRefunded: true, ...believing(1_000) }))
      .thenOnce([agrees]);
  });
  it('is which of several items a part was for', () => {
    given(paidBoth)
      .when(says({ amountMinor: 40_000, refundedMinor: 1_000 }))
      .thenOnce([differs('refunds', '0', '1000')]);
    const { state } = given(paidBoth);
    const all = payment.decide(says({ amountMinor: 40_000, refundedMinor: 40_000 }), state);
    expect(all.map(({ type }) => type)).toEqual([
      'RefundRequested',
      'RefundSucceeded',
      'RefundRequested',
      'RefundSucceeded',
    ]);
  });
  it('holds the share until the records agree, or an admin accepts that they differ', () => {
    const mismatch = differs('refunds', '0', 'a part');
    given([...paid, mismatch])
      .when(release)
      .then('payment_mismatch');
    const accepted: PaymentEvent = { type: 'PaymentMismatchEnded', data: { isAccepted: true } };
    given([...paid, mismatch])
      .when({ type: 'AcceptMismatch' })
      .thenOnce([accepted]);
    const { state } = given([...paid, mismatch, accepted]);
    expect(payment.decide(release, state)).toHaveLength(1);
    expect(payment.decide(says({ isPartlyRefunded: true }), state)).toEqual([]);
    given(paid).when({ type: 'AcceptMismatch' }).then('not_found');
  });
  it('makes refunds wait for a person, except what a person asks for', () => {
    const unknown = differs('refunds', '0', 'a part');
    const accepted: PaymentEvent = { type: 'PaymentMismatchEnded', data: { isAccepted: true } };
    const asked = (cause: 'requested' | 'cancelled'): PaymentEvent => ({
      type: 'RefundRequested',
      data: { ...about, refundId: id(1), amountMinor: 4_000, cause },
    });
    const ask = (cause: 'requested' | 'cancelled') => ({ ...request(1, 4_000), cause }) as PaymentCommand;
    const review: PaymentEvent = {
      type: 'RefundReviewRequested',
      data: { refundId: id(1), itemId: BOOKING, code: 'payment_mismatch', outcome: 'failed' },
    };
    given([...paid, unknown])
      .when(ask('cancelled'))
      .thenOnce([asked('cancelled'), review]);
    given([...paid, unknown])
      .when(ask('requested'))
      .thenOnce([asked('requested')]);
    for (const otherwise of [[], [unknown, accepted], [differs('amount', '20000', '1')]])
      given([...paid, ...otherwise])
        .when(ask('cancelled'))
        .thenOnce([asked('cancelled')]);
  });
  it('is recorded once, and again as soon as either side has changed', () => {
    const found = { type: 'PaymentMismatchFound', data: { kind: 'refunds', ours: '100', theirs: '200' } } as const;
    const report = (change: object): PaymentCommand => ({ type: 'ReportMismatch', ...found.data, ...change });
    given(paid).when(report({})).thenOnce([found]);
    expect(isInDispute(given(paid).state as OpenPayment)).toBe(false);
    // There is no money yet that could differ.
    given([created]).when(report({})).then([]);
    for (const change of [{ kind: 'amount' as const }, { ours: '150' }, { theirs: '150' }])
      given([...paid, found])
        .when(report(change))
        .thenOnce([{ ...found, data: { ...found.data, ...change } }]);
  });
  it('is told by an admin who has looked there', () => {
    const tell = (amountMinor: number): PaymentCommand => ({
      type: 'RecordRefundMadeThere',
      refundId: FOUND,
      itemId: BOOKING,
      amountMinor,
    });
    const mismatch = differs('refunds', '0', 'a part');
    given([...paid, mismatch])
      .when(tell(1_500))
      .thenOnce(madeThere(1_500, back(1_500)));
    given([...paid, mismatch])
      .when(tell(20_000))
      .thenOnce(madeThere(20_000, back(18_000, 2_000)));
    given([...paid, mismatch])
      .when(tell(20_001))
      .then('refund_too_large');
    given([...paid, mismatch])
      .when(tell(0))
      .then('invalid');
    given(paid).when(tell(1_500)).then('invalid_transition');
  });
  it.each([
    ['another status', { status: 'cancelled' }, differs('status', 'succeeded', 'cancelled')],
    ['another amount', { amountMinor: 1 }, differs('amount', '20000', '1')],
    ['another currency', { currency: 'EUR' }, differs('currency', 'RUB', 'EUR')],
  ] as const)('is %s of money that we had when we asked', (_, more, event) => {
    given(paid)
      .when(says({ ...more, ...believing() }))
      .thenOnce([event]);
    given([...paid, event])
      .when(says(believing()))
      .thenOnce([agrees]);
    // The report may be older than the capture.
    given(paid).when(says(more)).then([]);
  });
  it('is less refunded there than here', () => {
    const after = [...paid, ...madeThere(2_000, back(2_000))];
    given(after)
      .when(says({ refundedMinor: 0, ...believing(2_000) }))
      .thenOnce([differs('refunds', '2000', '0')]);
    given(after)
      .when(says({ refundedMinor: 0, ...believing(0) }))
      .then([]);
  });
});

/** A provider that refunds what we ask for and what its office does, and reports late. */
type Step =
  | { readonly what: 'request' | 'office'; readonly amountMinor: number }
  | { readonly what: 'send' | 'answer' | 'fail' | 'ask' | 'hear' };
const steps = fc.array(
  fc.oneof(
    fc.record({ what: fc.constantFrom('request', 'office'), amountMinor: fc.integer({ min: 1, max: 9_000 }) }),
    fc.record({ what: fc.constantFrom('send', 'answer', 'fail', 'ask', 'hear') }),
  ),
  { maxLength: 40 },
) as fc.Arbitrary<Step[]>;

describe('whatever is refunded, asked and told in any order', () => {
  it.each([true, false])('is counted once (refunds are listed: %s)', (lists) => {
    fc.assert(
      fc.property(steps, (history) => {
        let state = given(paid).state as OpenPayment;
        let count = 100;
        const there: ListedRefund[] = [];
        const heard: PaymentCommand[] = [];
        const total = () => there.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
        const tell = (command: PaymentCommand): void => {
          state = payment.decide(command, state).reduce(payment.evolve, state) as OpenPayment;
        };
        const refundsOf = (status: string) =>
          Object.entries(state.refunds).filter(([, each]) => each.status === status);
        const isMade = (refundId: string) => there.some((each) => each.refundId === refundId);
        const make = (refundId: string | null, amountMinor: number): boolean => {
          if (total() + amountMinor > 20_000) return false;
          there.push({ providerRefundId: `r${there.length}`, refundId, attempt: 1, status: 'succeeded', amountMinor });
          return true;
        };
        const send = ([refundId, { amountMinor }]: readonly [string, { readonly amountMinor: number }]) => {
          if (!isMade(refundId) && !make(refundId, amountMinor))
            tell({ type: 'ApplyRefundState', refundId, status: 'manual_review', hasFailed: true });
        };
        const report = (): PaymentCommand => {
          count += 1;
          return says({
            refundedMinor: total(),
            foundRefundIds: { [BOOKING]: id(count) },
            ...believing(refundedMinor(state)),
            ...(lists && { refunds: [...there] }),
          });
        };
        const answer = ([refundId]: [string, unknown]) => {
          if (isMade(refundId)) tell({ type: 'ApplyRefundState', refundId, status: 'succeeded' });
        };
        for (const step of history) {
          const [first] = refundsOf('pending');
          count += 1;
          if (step.what === 'request' && step.amountMinor <= leftMinor(state, BOOKING))
            try {
              tell({ ...request(1, step.amountMinor), refundId: id(count) } as PaymentCommand);
            } catch {
              continue; // reserved for others
            }
          if (step.what === 'office') make(null, step.amountMinor);
          if (step.what === 'send' && first) send(first);
          if (step.what === 'answer' && first) answer(first);
          if (step.what === 'ask') heard.push(report());
          if (step.what === 'hear') {
            const next = heard.shift();
            if (next) tell(next);
          }
          expect(refundedMinor(state)).toBeLessThanOrEqual(total());
        }
        for (const each of refundsOf('pending')) send(each);
        for (const each of refundsOf('pending')) answer(each);
        for (const each of heard) tell(each);
        tell(report());
        tell(report());
        expect(refundedMinor(state)).toBe(total());
        expect(state.mismatch).toBeNull();
        expect(leftMinor(state, BOOKING)).toBe(20_000 - total());
      }),
    );
  });
});
