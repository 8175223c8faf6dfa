/** How far a payment has come: the provider's word, in whatever order. Its money: `paymentMoney.unit.spec.ts`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Posting } from '../../domain/ledger/ledger.ts';
import {
  isDead,
  isReadFrom,
  type OpenPayment,
  type PaymentCommand,
  type PaymentEvent,
  payment,
  paymentStatuses,
  paysFor,
  refundableMinor,
} from '../../domain/payments/payment.ts';
import {
  paymentCreated as created,
  GUEST,
  id,
  paymentSucceeded as succeeded,
  paymentTerms as terms,
} from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';

const given = specification(payment);
const [item] = terms.items as [(typeof terms.items)[number]];
const waiting: PaymentEvent = {
  type: 'PaymentActionRequested',
  data: { userId: GUEST, providerPaymentId: 'p1', redirectUrl: 'http://pay' },
};
const cancelled: PaymentEvent = { type: 'PaymentCancelled', data: { code: 'pending_too_long' } };
const says = (status: (typeof paymentStatuses)[number], more: object = {}): PaymentCommand => ({
  type: 'ApplyProviderState',
  providerPaymentId: 'p1',
  status,
  amountMinor: 20_000,
  currency: 'RUB',
  ...more,
});
const create = (more: object = {}): PaymentCommand => ({ type: 'CreatePayment', ...terms, ...more });

it('is created once', () => given([]).when(create()).thenOnce([created]));
it('may pay for several things', () => {
  const items = [item, { ...item, kind: 'purchase' as const, id: id(50), ownerId: null, commissionMinor: 0 }];
  const data = { ...terms, items, serviceType: 'ski_pass', tripId: id(51), amountMinor: 40_000 };
  given([])
    .when(create(data))
    .thenOnce([{ type: 'PaymentCreated', data }]);
});
it.each([
  ['for nothing', { items: [], amountMinor: 0 }],
  ['for another sum', { amountMinor: 19_999 }],
  ['for the same thing twice', { items: [item, item], amountMinor: 40_000 }],
  ['for what costs nothing', { items: [item, { ...item, id: id(50), amountMinor: 0, commissionMinor: 0 }] }],
  ['with more commission than price', { items: [{ ...item, commissionMinor: 20_001 }] }],
])('is never %s', (_, wrong) => given([]).when(create(wrong)).then('invalid'));
it('may give the seller nothing, and take no more than the price before a discount', () => {
  const discounted = (commissionMinor: number) =>
    create({ items: [{ ...item, commissionMinor, promotionMinor: 500 }] });
  expect(payment.decide(discounted(20_500), given([]).state)).toHaveLength(1);
  given([]).when(discounted(20_501)).then('invalid');
});
it('pays for its own items only', () => {
  const state = given([created]).state as OpenPayment;
  const two = { ...state, items: [...state.items, { ...item, id: id(50) }] };
  expect([item.id, id(50), id(51)].map((itemId) => paysFor(two, itemId))).toEqual([true, true, false]);
});
it('has one closing receipt for each of its items', () => {
  const issue = { type: 'RecordClosingReceipt', itemId: item.id, amountMinor: 20_000 } as const;
  const data = { itemId: item.id, amountMinor: 20_000, currency: 'RUB' };
  given([created, succeeded])
    .when(issue)
    .thenOnce([{ type: 'ClosingReceiptIssued', data }]);
  given([created, succeeded])
    .when({ ...issue, itemId: id(51) })
    .then('not_found');
});
it('is known by the payments that money was read from, in their order', () => {
  const received = { paymentIds: [id(1), id(2)], minor: 5 };
  expect(isReadFrom(received, [id(1), id(2)])).toBe(true);
  for (const others of [[], [id(1)], [id(2), id(1)]]) expect(isReadFrom(received, others)).toBe(false);
});
it('is not found before', () => {
  given([]).when(says('succeeded')).then('not_found');
  given([]).when({ type: 'ReleaseShare', itemId: item.id }).then('not_found');
  expect(refundableMinor(given([]).state, item.id)).toBe(0);
});

describe('what the provider says', () => {
  it.each([
    ['requires_action', { redirectUrl: 'http://pay' }, waiting],
    ['processing', {}, { type: 'PaymentProcessingStarted', data: { providerPaymentId: 'p1' } }],
    ['authorized', {}, { type: 'PaymentAuthorized', data: { providerPaymentId: 'p1' } }],
    ['succeeded', {}, succeeded],
    ['failed', { reason: 'insufficient_funds' }, { type: 'PaymentFailed', data: { code: 'insufficient_funds' } }],
    ['cancelled', {}, { type: 'PaymentCancelled', data: { code: null } }],
    ['expired', {}, { type: 'PaymentExpired', data: { code: null } }],
  ] as const)('%s is recorded once', (status, more, event) => {
    given([created]).when(says(status, more)).thenOnce([event]);
    expect(given([created, event]).state.status).toBe(status);
  });
  it('leads the payer to the page of the provider', () =>
    expect(given([created, waiting]).state).toMatchObject({ redirectUrl: 'http://pay', providerPaymentId: 'p1' }));
  it('requires_action counts only with the page where the payer continues', () =>
    given([created]).when(says('requires_action')).then([]));
  it('counts when it reports money, even after we gave up', () => {
    given([created, waiting, cancelled]).when(says('succeeded')).then([succeeded]);
  });
  it('counts a fully refunded payment as one without money', () => {
    given([created, waiting])
      .when(says('succeeded', { refundedMinor: 20_000 }))
      .thenOnce([{ type: 'PaymentCancelled', data: { code: 'given_back' } }]);
  });
  it('counts for a duplicate payment only when it reports money', () => {
    given([created, waiting])
      .when(says('expired', { providerPaymentId: 'p2' }))
      .then([]);
    given([created, waiting])
      .when(says('succeeded', { providerPaymentId: 'p2' }))
      .then([{ ...succeeded, data: { ...succeeded.data, providerPaymentId: 'p2' } } as PaymentEvent]);
  });
  it('records a second charge once, and its return, also by somebody else', () => {
    const charge = { providerPaymentId: 'p2', amountMinor: 20_000, currency: 'RUB' };
    const lines = (received: 1 | -1): Posting[] => [
      { account: received === 1 ? 'duplicates' : 'clearing:yookassa', amountMinor: -20_000 },
      { account: received === 1 ? 'clearing:yookassa' : 'duplicates', amountMinor: 20_000 },
    ];
    const received = { type: 'DuplicateChargeReceived', data: { ...charge, postings: lines(1) } } as const;
    const returned = { type: 'DuplicateChargeReturned', data: { ...charge, postings: lines(-1) } } as const;
    const paid = [created, succeeded];
    const outcome = (status: 'returned' | 'manual_review', code: string | null = null): PaymentCommand => ({
      type: 'ApplyDuplicateReturn',
      providerPaymentId: 'p2',
      status,
      code,
    });
    const second = says('succeeded', { providerPaymentId: 'p2' });
    given(paid)
      .when(says('authorized', { providerPaymentId: 'p2' }))
      .then([]);
    given(paid)
      .when(says('succeeded', { providerPaymentId: 'p2', amountMinor: 0 }))
      .then([]);
    given(paid).when(second).thenOnce([received]);
    given(paid)
      .when(says('succeeded', { providerPaymentId: 'p2', refundedMinor: 20_000 }))
      .then([]);
    given([...paid, received])
      .when(outcome('returned'))
      .thenOnce([returned]);
    given([...paid, received])
      .when(says('succeeded', { providerPaymentId: 'p2', refundedMinor: 20_000 }))
      .thenOnce([returned]);
    const asked = { type: 'DuplicateChargeReviewRequested', data: { providerPaymentId: 'p2', code: 'no' } } as const;
    given([...paid, received])
      .when(outcome('manual_review', 'no'))
      .thenOnce([asked]);
    given([...paid, received, asked])
      .when(outcome('returned'))
      .thenOnce([returned]);
    given([...paid, received, returned])
      .when(outcome('manual_review', 'no'))
      .then([]);
    given(paid).when(outcome('returned')).then('not_found');
  });
  it('must report the requested amount', () => {
    const differs = (kind: 'amount' | 'currency', ours: string, theirs: string): PaymentEvent => ({
      type: 'PaymentMismatchFound',
      data: { kind, ours, theirs },
    });
    given([created])
      .when(says('succeeded', { amountMinor: 19_999 }))
      .thenOnce([differs('amount', '20000', '19999')]);
    given([created])
      .when(says('succeeded', { currency: 'EUR' }))
      .thenOnce([differs('currency', 'RUB', 'EUR')]);
    given([created, waiting])
      .when(says('authorized', { amountMinor: 5_000 }))
      .thenOnce([differs('amount', '20000', '5000')]);
    // It has gone back to the payer since.
    const ended = { type: 'PaymentMismatchEnded', data: {} } as const;
    const givenBack = says('succeeded', { amountMinor: 5_000, refundedMinor: 5_000 });
    given([created, waiting, differs('amount', '20000', '5000')])
      .when(givenBack)
      .thenOnce([{ type: 'PaymentCancelled', data: { code: 'given_back' } }, ended]);
    // Some of it may have been given back since.
    given([created, succeeded])
      .when(says('succeeded', { amountMinor: 19_999 }))
      .then([]);
  });
  it('moves the payment only forward, in any order of reports', () => {
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

it('is given up once, and not after money was captured', () => {
  const giveUp = { type: 'GiveUp', status: 'cancelled', code: 'pending_too_long' } as const;
  given([created, waiting]).when(giveUp).thenOnce([cancelled]);
  given([created, succeeded]).when(giveUp).then([]);
});
