/** What went back at the provider, and which refund or item it belongs to; what a report proves, and what it leaves open. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PaymentCommand, type PaymentEvent, payment, refundedMinor } from '../../domain/payments/payment.ts';
import { leftMinor, type OpenPayment } from '../../domain/payments/paymentState.ts';
import { hasOpenRefunds } from '../../domain/payments/reportedMoney.ts';
import { BOOKING, id, PROVIDER, paymentTerms as terms } from '../bookings/bookingFixtures.ts';
import { about, apply, failed, given, paid, requested } from './paymentMoneyFixtures.ts';
import { agrees, believing, differs, FOUND, OTHER, says } from './providerReportFixtures.ts';

/** The events, and those that a command adds to them. */
const and = (events: readonly PaymentEvent[], command: PaymentCommand): PaymentEvent[] => [
  ...events,
  ...payment.decide(command, given(events).state),
];
const decided = (events: readonly PaymentEvent[], command: PaymentCommand): PaymentEvent[] =>
  and(events, command).slice(events.length);
const typesOf = (events: readonly PaymentEvent[]): string[] => events.map(({ type }) => type);
/** What a report adds to the refunds made at the provider, by item. */
const foundThere = (events: readonly PaymentEvent[]): Record<string, number> =>
  Object.fromEntries(
    events.flatMap((event) =>
      event.type === 'RefundRequested' && event.data.isMadeThere ? [[event.data.itemId, event.data.amountMinor]] : [],
    ),
  );
const review = (refund: number, outcome: 'failed' | 'unknown'): PaymentEvent => ({
  type: 'RefundReviewRequested',
  data: { refundId: id(refund), itemId: BOOKING, code: null, outcome },
});
const amount = fc.integer({ min: 1, max: 5_000 });
const mismatch = differs('refunds', '0', 'a part');

describe('refunds of ours whose end is not known', () => {
  it('explain so much of what went back as they are; beyond it, it was made there; and all of it where they are listed', () => {
    fc.assert(
      fc.property(amount, amount, fc.nat(15_000), fc.boolean(), (pending, unsure, total, lists) => {
        const open = [...paid, mismatch, requested(1, pending), requested(2, unsure), review(2, 'unknown')];
        fc.pre(!lists || total !== unsure);
        const report = says({ refundedMinor: total, ...believing(), ...(lists && { refunds: [] }) });
        const events = decided(open, report);
        const found = Math.max(0, total - (lists ? 0 : pending + unsure));
        expect(foundThere(events)).toEqual(found > 0 ? { [BOOKING]: found } : {});
        expect(refundedMinor(given([...open, ...events]).state as OpenPayment)).toBe(found);
        // The records agree only when nothing that went back is left to be explained.
        expect(typesOf(events).includes(agrees.type)).toBe(lists || total === 0);
      }),
    );
  });
  it('may be the part that went back', () => {
    given([...paid, mismatch, requested(1, 4_000)])
      .when(says({ isPartlyRefunded: true, ...believing() }))
      .then([]);
  });
  it('are those that wait for the provider or for a person, unless it is certain that they were not made', () => {
    const isOpen = (...events: PaymentEvent[]) => hasOpenRefunds(given([...paid, ...events]).state as OpenPayment);
    expect(isOpen()).toBe(false);
    expect(isOpen(requested(1, 1_000))).toBe(true);
    expect(isOpen(requested(1, 1_000), failed(1), requested(2, 1_000))).toBe(true);
    expect(isOpen(requested(1, 1_000), review(1, 'unknown'))).toBe(true);
    expect(isOpen(requested(1, 1_000), review(1, 'failed'))).toBe(false);
    expect(isOpen(requested(1, 1_000), failed(1))).toBe(false);
  });
});

describe('a refund in review', () => {
  it('is what went back, if that is its amount, and no other refund of ours can be it', () => {
    const beside = fc.option(amount, { nil: undefined });
    const outcome = fc.constantFrom('failed' as const, 'unknown' as const);
    fc.assert(
      fc.property(amount, amount, outcome, beside, (earlier, minor, how, other) => {
        const before = [...and(paid, says({ refundedMinor: earlier })), requested(1, minor), review(1, how)];
        const all = [...before, ...(other === undefined ? [] : [requested(2, other)])];
        const events = decided(
          all,
          says({ refundedMinor: earlier + minor, foundRefundIds: { [BOOKING]: id(92) }, ...believing(earlier) }),
        );
        const isMade = events.some((event) => event.type === 'RefundSucceeded' && event.data.refundId === id(1));
        expect(isMade).toBe(other === undefined);
      }),
    );
  });
  it('is not settled out of a share in escrow: the share has to leave it first', () => {
    const reviewed = [...paid, requested(1, 4_000), review(1, 'failed')];
    const kept = and(reviewed, { type: 'RequestEscrow', itemId: BOOKING, escrowId: id(80) });
    given(kept)
      .when(says({ refundedMinor: 4_000 }))
      .thenOnce([differs('refunds', '0', '4000')]);
  });
});

describe('a report', () => {
  it('that may be older than what we know ends no mismatch', () => {
    given([...paid, mismatch])
      .when(says({ refundedMinor: 0 }))
      .then([]);
    given([...paid, mismatch])
      .when(says({ refundedMinor: 0, ...believing() }))
      .thenOnce([agrees]);
  });
  it('says nothing about refunds with another status than that of captured money', () => {
    given(paid)
      .when(says({ status: 'authorized', refundedMinor: 5_000 }))
      .then([]);
  });
  it('of a refund that failed leaves its end to the answer to it', () => {
    const listed = {
      providerRefundId: 'r1',
      refundId: id(1),
      attempt: 1,
      amountMinor: 4_000,
      status: 'failed',
    } as const;
    given([...paid, requested(1, 4_000)])
      .when(says({ refundedMinor: 0, refunds: [listed] }))
      .then([]);
  });
  it('has the amount of the payment, or what is left of it after refunds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), fc.nat(40_000), (refunded, other) => {
        const after = and(paid, says({ refundedMinor: refunded }));
        for (const amountMinor of [20_000, 20_000 - refunded, 20_000 + refunded, other]) {
          const fits = amountMinor === 20_000 || amountMinor === 20_000 - refunded;
          expect(decided(after, says({ amountMinor, ...believing(refunded) }))).toEqual(
            fits ? [] : [differs('amount', '20000', `${amountMinor}`)],
          );
        }
      }),
    );
  });
  it('of a part that went back fits only when we know of a part, neither nothing nor all', () => {
    for (const ours of [0, 1, 19_999, 20_000])
      given(ours === 0 ? paid : and(paid, says({ refundedMinor: ours })))
        .when(says({ isPartlyRefunded: true, ...believing(ours) }))
        .then(ours === 0 || ours === 20_000 ? [differs('refunds', `${ours}`, 'a part')] : []);
  });
});

describe('money of several items that went back', () => {
  const itemIds = [BOOKING, OTHER, id(52)];
  const paidFor = (amounts: readonly number[]): PaymentEvent[] => {
    const items = amounts.map((amountMinor, n) => {
      const itemId = itemIds[n] as string;
      return { kind: 'booking' as const, id: itemId, ownerId: PROVIDER, amountMinor, commissionMinor: 0 };
    });
    const amountMinor = amounts.reduce((sum, each) => sum + each, 0);
    const created: PaymentEvent = { type: 'PaymentCreated', data: { ...terms, items, amountMinor } };
    return and([created], says({ amountMinor }));
  };
  /** All of an item has been refunded. */
  const gone = (events: PaymentEvent[], n: number, amountMinor: number): PaymentEvent[] => {
    const request = { type: 'RequestRefund', refundId: id(n), itemId: itemIds[n] as string, amountMinor } as const;
    return and(and(events, { ...request, cause: 'requested' }), apply(n, 'succeeded'));
  };

  it('came from the only one with money, or from all of them; less than all cannot be told, and more is a loss', () => {
    const items = fc.array(fc.record({ minor: amount, isGone: fc.boolean() }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(items, fc.integer({ min: -5_000, max: 5_000 }), (all, more) => {
        let events = paidFor(all.map(({ minor }) => minor));
        for (const [n, { minor, isGone }] of all.entries()) if (isGone) events = gone(events, n, minor);
        const before = given(events).state as OpenPayment;
        const withMoney = itemIds.filter((itemId) => leftMinor(before, itemId) > 0);
        const left = withMoney.reduce((sum, itemId) => sum + leftMinor(before, itemId), 0);
        const back = Math.max(1, left + more);
        const total = refundedMinor(before) + back;
        const foundRefundIds = Object.fromEntries(itemIds.map((itemId, n) => [itemId, id(90 + n)]));
        const made = decided(events, says({ amountMinor: before.amountMinor, refundedMinor: total, foundRefundIds }));
        if (withMoney.length > 1 && back < left) {
          expect(made).toEqual([differs('refunds', `${refundedMinor(before)}`, `${total}`)]);
          return;
        }
        const found = foundThere(made);
        const from = withMoney.length > 0 ? withMoney : [BOOKING];
        expect(Object.keys(found)).toEqual(from);
        expect(Object.values(found).reduce((sum, each) => sum + each, 0)).toBe(back);
        const after = given([...events, ...made]).state as OpenPayment;
        expect(itemIds.reduce((sum, itemId) => sum + leftMinor(after, itemId), 0)).toBe(Math.max(0, left - back));
        const postings = made.flatMap((event) => (event.type === 'RefundSucceeded' ? event.data.postings : []));
        const lost = postings.reduce((sum, of) => sum + (of.account === 'losses' ? of.amountMinor : 0), 0);
        expect(lost).toBe(Math.max(0, back - left));
      }),
    );
  });

  it.each([
    ['without an id for its refund', (events: PaymentEvent[]) => events, {}],
    ['with an id that another refund has', (events: PaymentEvent[]) => events, { [OTHER]: id(0) }],
    [
      'whose share is in escrow',
      (events: PaymentEvent[]) => and(events, { type: 'RequestEscrow', itemId: OTHER, escrowId: id(80) }),
      { [OTHER]: id(91) },
    ],
  ])('is not recorded with an item %s', (_, prepared, ids) => {
    const asked: PaymentEvent = {
      type: 'RefundRequested',
      data: { ...about, itemId: OTHER, refundId: id(0), amountMinor: 10, cause: 'requested' },
    };
    given(prepared([...paidFor([300, 200]), asked, failedOf(OTHER)]))
      .when(says({ amountMinor: 500, refundedMinor: 500, foundRefundIds: { [BOOKING]: FOUND, ...ids } }))
      .thenOnce([differs('refunds', '0', '500')]);
  });
  const failedOf = (itemId: string): PaymentEvent => ({
    type: 'RefundFailed',
    data: { refundId: id(0), itemId, code: null },
  });
});
