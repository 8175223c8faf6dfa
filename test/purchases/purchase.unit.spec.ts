import { describe, expect, it } from 'vitest';
import type { Rejected } from '../../domain/core/decider.ts';
import {
  lasting,
  type OpenPurchase,
  type PurchaseCommand,
  type PurchaseEvent,
  type PurchaseStatus,
  paymentsOf,
  providedAt,
  purchase,
  purchaseEvents,
  purchaseIsAhead,
  purchaseIsRefundable,
  purchaseStatuses,
} from '../../domain/purchases/purchase.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { at, GUEST, id, PAYMENT } from '../bookings/bookingFixtures.ts';
import { givenPurchase as given, made, paidFor, payingForIt, purchaseTerms } from './productFixtures.ts';

const cancelled: PurchaseEvent = {
  type: 'PurchaseCancelled',
  data: { userId: GUEST, by: 'guest', reason: 'ill', refundMinor: 60_000 },
};
/** How a purchase gets into each state. */
const historyOf: Readonly<Record<PurchaseStatus, PurchaseEvent[]>> = {
  pending_payment: [made],
  paid: [made, payingForIt, paidFor],
  expired: [made, { type: 'PurchaseExpired', data: {} }],
  cancelled: [made, paidFor, cancelled],
  refunded: [made, paidFor, { type: 'PurchaseRefunded', data: {} }],
};
const commands = {
  StartPayment: { type: 'StartPayment', paymentId: id(55), at: at(10), expiresAt: at(40) },
  MarkPaid: { type: 'MarkPaid', paymentId: id(55), amountMinor: 60_000 },
  Cancel: {
    type: 'Cancel',
    by: 'guest',
    reason: 'ill',
    received: { paymentIds: [PAYMENT] as string[], minor: 60_000 },
    at: at(1),
  },
  MarkRefunded: { type: 'MarkRefunded' },
} as const satisfies Record<string, PurchaseCommand>;

it('is made once', () =>
  given([])
    .when({ type: 'MakePurchase', ...purchaseTerms })
    .thenOnce([made]));

it('knows nothing of one that was never made', () => {
  for (const command of Object.values(commands)) given([]).when(command).then('not_found');
});

describe('what is possible while it is', () => {
  const possible: Readonly<Record<PurchaseStatus, readonly (keyof typeof commands)[]>> = {
    pending_payment: ['StartPayment', 'MarkPaid', 'Cancel'],
    paid: ['Cancel', 'MarkRefunded'],
    expired: [],
    cancelled: ['Cancel', 'MarkRefunded'],
    refunded: ['MarkRefunded'],
  };
  it.each(purchaseStatuses)('%s', (status) => {
    const { state } = given(historyOf[status]);
    const accepted = (Object.keys(commands) as (keyof typeof commands)[]).filter((name) => {
      try {
        const command = commands[name];
        const received = state.status === 'none' ? null : { paymentIds: paymentsOf(state), minor: 0 };
        purchase.decide(command.type === 'Cancel' && received ? { ...command, received } : command, state);
        return true;
      } catch (error) {
        expect((error as Rejected).code).toBe('invalid_transition');
        return false;
      }
    });
    expect(accepted).toEqual(possible[status]);
  });
});

describe('paying', () => {
  it('one payment at a time, which gives it longer', () => {
    given([made])
      .when({ ...commands.StartPayment, paymentId: PAYMENT })
      .thenOnce([payingForIt]);
    given([made, payingForIt]).when(commands.StartPayment).then('payment_open');
  });
  it('allows another payment after the first has ended without money', () => {
    const over: PurchaseEvent = { type: 'PurchasePaymentEnded', data: { paymentId: PAYMENT } };
    given([made, payingForIt]).when({ type: 'EndPayment', paymentId: PAYMENT }).thenOnce([over]);
    given([made, payingForIt, over])
      .when(commands.StartPayment)
      .thenOnce([{ type: 'PurchasePaymentStarted', data: { paymentId: id(55), expiresAt: at(40) } }]);
  });
  it('does not start after the price has expired', () =>
    given([made])
      .when({ ...commands.StartPayment, at: at(30) })
      .then('hold_expired'));
  it('keeps the price no longer than a payment that started first may last', () => {
    const again: PurchaseEvent = { type: 'PurchasePaymentStarted', data: { paymentId: id(55), expiresAt: at(60) } };
    expect(given([made]).state).toMatchObject({ keptFrom: null });
    expect(given([made, payingForIt, again]).state).toMatchObject({ keptFrom: at(40), expiresAt: at(60) });
  });
  it('makes it paid, once, and not when it has expired', () => {
    given([made, payingForIt]).when({ type: 'MarkPaid', paymentId: PAYMENT, amountMinor: 60_000 }).thenOnce([paidFor]);
    given([made, payingForIt, paidFor]).when(commands.MarkPaid).then('invalid_transition');
    given(historyOf.expired).when(commands.MarkPaid).then('invalid_transition');
  });
  it('must be for the whole price', () =>
    given([made, payingForIt])
      .when({ ...commands.MarkPaid, amountMinor: 59_999 })
      .then('conflict'));
});

it('expires when it is due, not before, and never once it is paid', () => {
  const expired: PurchaseEvent = { type: 'PurchaseExpired', data: {} };
  given([made])
    .when({ type: 'Expire', at: at(29) })
    .then([]);
  given([made])
    .when({ type: 'Expire', at: at(30) })
    .thenOnce([expired]);
  given([made, payingForIt])
    .when({ type: 'Expire', at: at(30) })
    .then([]);
  given(historyOf.paid)
    .when({ type: 'Expire', at: at(99) })
    .then([]);
});

describe('cancelling', () => {
  it('gives back what was received', () => {
    given([made, paidFor]).when(commands.Cancel).thenOnce([cancelled]);
    given([made, paidFor])
      .when({ ...commands.Cancel, received: { paymentIds: [PAYMENT], minor: 10_000 } })
      .then([{ ...cancelled, data: { ...cancelled.data, refundMinor: 10_000 } } as PurchaseEvent]);
  });
  it('is refused on money that was read before it was paid', () => {
    given([made, paidFor])
      .when({ ...commands.Cancel, received: { paymentIds: [], minor: 0 } })
      .then('unavailable');
    given([made]).when(commands.Cancel).then('unavailable');
  });
  it('before it is paid gives nothing back, and a payment that had started does not start again', () => {
    const { received, ...cancel } = commands.Cancel;
    given([made, payingForIt])
      .when({ ...cancel, received: { paymentIds: [], minor: 0 } })
      .thenOnce([{ ...cancelled, data: { ...cancelled.data, refundMinor: 0 } } as PurchaseEvent]);
    given([made, payingForIt, cancelled])
      .when({ ...commands.StartPayment, paymentId: PAYMENT })
      .then('invalid_transition');
  });
  it('again changes nothing, and is refused with another reason', () => {
    for (const reason of ['ill', null])
      given(historyOf.cancelled)
        .when({ ...commands.Cancel, reason })
        .then([]);
    given(historyOf.cancelled)
      .when({ ...commands.Cancel, reason: 'snow' })
      .then('conflict');
  });
  it('up to its first moment; after that only when an admin does it', () => {
    const before = '2026-03-07T20:59:59Z';
    const { startsAt } = purchaseTerms;
    expect(purchaseIsRefundable(purchaseTerms, before, 'guest')).toBe(true);
    expect(purchaseIsRefundable(purchaseTerms, startsAt, 'guest')).toBe(false);
    expect(purchaseIsRefundable(purchaseTerms, startsAt, 'admin')).toBe(true);
  });
  it('ends in `refunded` when the whole price was refunded', () =>
    given(historyOf.cancelled)
      .when(commands.MarkRefunded)
      .thenOnce([{ type: 'PurchaseRefunded', data: {} }]));
});

it.each(purchaseStatuses)('is ahead until its last day is over, unless it has ended: %s', (status) => {
  const { state } = given(historyOf[status]);
  if (state.status === 'none') throw new Error('It was made.');
  const stands = status === 'pending_payment' || status === 'paid';
  expect(purchaseIsAhead(state, '2026-03-09T20:59:59Z')).toBe(stands);
  expect(purchaseIsAhead(state, '2026-03-09T21:00:00Z')).toBe(false);
});

it('is provided when its last day ends by the clocks of the resort, or so many times 24 hours after its start', () => {
  // In Berlin, the clocks go forward on 29 March: the last of these days has 23 hours.
  const dates = { validFrom: '2026-03-28', validTo: '2026-03-29', startsAt: '2026-03-27T23:00:00.000Z' };
  const bought = (more: object) => ({ ...given(historyOf.paid).state, ...dates, ...more }) as OpenPurchase;
  const endsAt = '2026-03-29T22:00:00.000Z';
  expect(providedAt(bought({ endsAt }))).toBe(endsAt);
  expect(providedAt(bought({}))).toBe('2026-03-29T23:00:00.000Z');
  expect(providedAt(lasting(bought({ endsAt }), dates.validTo))).toBe(endsAt);
  expect(providedAt(lasting(bought({ endsAt }), '2026-03-30'))).toBe('2026-03-30T23:00:00.000Z');
});

it('stores the data of the insured encrypted', async () => {
  const vault = { keyToWrite: async () => Buffer.alloc(32), keysToRead: async () => new Map() };
  const meta = { commandId: id(1), actor: { kind: 'user', id: GUEST, role: 'tourist' } } as never;
  const [stored] = await createCodec(purchaseEvents, vault).encode('purchase-x', [made], meta);
  for (const secret of ['Anna', 'Orlov', '1990', '2015']) expect(JSON.stringify(stored?.data)).not.toContain(secret);
});
