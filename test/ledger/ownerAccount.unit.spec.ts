import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rejected } from '../../domain/core/decider.ts';
import { ledgerBalanceOf } from '../../domain/ledger/monthlyStatement.ts';
import { type OwnerAccountCommand, type OwnerAccountEvent, ownerAccount } from '../../domain/ledger/ownerAccount.ts';
import { id, PROVIDER } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';

const given = specification(ownerAccount);
const whose = { ownerId: PROVIDER, currency: 'RUB' };
const [available, payout] = [`available:${PROVIDER}`, `payout:${PROVIDER}`];

const credited = (cause: number, amountMinor: number): OwnerAccountEvent => ({
  type: 'OwnerCredited',
  data: { ...whose, causeId: id(cause), amountMinor },
});
const debited = (cause: number, amountMinor: number): OwnerAccountEvent => ({
  type: 'OwnerDebited',
  data: { ...whose, causeId: id(cause), amountMinor },
});
const change = (cause: number, amountMinor: number): OwnerAccountCommand => ({
  type: 'RecordChange',
  ...whose,
  causeId: id(cause),
  amountMinor,
});
const request = (n: number, amountMinor: number | null): OwnerAccountCommand => ({
  type: 'RequestPayout',
  payoutId: id(n),
  ...whose,
  amountMinor,
  requestedBy: id(91),
});
const terms = (n: number, amountMinor: number, from: string, to: string) => ({
  payoutId: id(n),
  ...whose,
  amountMinor,
  postings: [
    { account: to, amountMinor: -amountMinor },
    { account: from, amountMinor },
  ],
});
const requested = (n: number, amountMinor: number): OwnerAccountEvent => ({
  type: 'PayoutRequested',
  data: { ...terms(n, amountMinor, available, payout), requestedBy: id(91) },
});
const paid = (n: number, amountMinor: number): OwnerAccountEvent => ({
  type: 'PayoutPaid',
  data: { ...terms(n, amountMinor, payout, 'bank'), reference: 'PP-1' },
});
const failed = (n: number, amountMinor: number): OwnerAccountEvent => ({
  type: 'PayoutFailed',
  data: { ...terms(n, amountMinor, payout, available), reason: 'account closed' },
});
const confirm: OwnerAccountCommand = { type: 'ConfirmPayout', payoutId: id(20), reference: 'PP-1' };
const fail: OwnerAccountCommand = { type: 'FailPayout', payoutId: id(20), reason: 'account closed' };

it('forgets what it has counted after months, and refuses what it can no longer tell', () => {
  const on = (cause: number, causedAt: string) => ({ ...whose, causeId: id(cause), causedAt, amountMinor: 100 });
  const months = ['2030-01-01', '2030-02-01', '2030-03-10'].map((date) => `${date}T00:00:00.000Z`);
  const history = months.map((at, n): OwnerAccountEvent => ({ type: 'OwnerCredited', data: on(30 + n, at) }));
  const again = (n: number): OwnerAccountCommand => ({ type: 'RecordChange', ...on(30 + n, months[n]!) });
  given(history).when(again(2)).then([]);
  given(history).when(again(1)).then([]);
  given(history).when(again(0)).then('conflict');
  expect(given(history).state).toMatchObject({ availableMinor: 300, causes: { size: 2 } });
});

it('records releases and refunds, once each', () => {
  given([])
    .when(change(10, 9_000))
    .thenOnce([credited(10, 9_000)]);
  given([credited(10, 9_000)])
    .when(change(11, -4_000))
    .thenOnce([debited(11, 4_000)]);
  given([]).when(change(12, 0)).then([]);
});

describe('a payout', () => {
  it('takes the requested amount, or the whole balance', () => {
    given([credited(10, 9_000)])
      .when(request(20, 4_000))
      .thenOnce([requested(20, 4_000)]);
    given([credited(10, 9_000), debited(11, 500)])
      .when(request(20, null))
      .thenOnce([requested(20, 8_500)]);
  });
  it('is never more than the balance', () => {
    given([credited(10, 9_000)])
      .when(request(20, 9_001))
      .then('balance_too_low');
    given([credited(10, 9_000), requested(20, 9_000)])
      .when(request(21, 1))
      .then('balance_too_low');
    given([credited(10, 9_000), debited(11, 10_000)])
      .when(request(20, null))
      .then('balance_too_low');
    given([]).when(request(20, null)).then('balance_too_low');
    given([credited(10, 9_000)])
      .when(request(20, 0))
      .then('invalid');
  });
  it('is paid or fails, once', () => {
    const asked = [credited(10, 9_000), requested(20, 9_000)];
    given(asked)
      .when(confirm)
      .thenOnce([paid(20, 9_000)]);
    given(asked)
      .when(fail)
      .thenOnce([failed(20, 9_000)]);
    // What is told in other words would be lost.
    const again = (command: OwnerAccountCommand, event: OwnerAccountEvent) => () =>
      ownerAccount.decide(command, given([...asked, event]).state);
    expect(again({ ...confirm, reference: 'PP-2' } as OwnerAccountCommand, paid(20, 9_000))).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: 'This payout was recorded as paid before, with another reference. The first one stays.',
        facts: { recorded: 'PP-1' },
      }),
    );
    expect(again({ ...fail, reason: 'another reason' } as OwnerAccountCommand, failed(20, 9_000))).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: 'This payout was recorded as failed before, with another reason. The first one stays.',
        facts: { recorded: 'account closed' },
      }),
    );
    given([...asked, paid(20, 9_000)])
      .when(fail)
      .then('invalid_transition');
    given([...asked, failed(20, 9_000)])
      .when(confirm)
      .then('invalid_transition');
    given([credited(10, 9_000)])
      .when(confirm)
      .then('not_found');
  });
  it('returns to the balance when it failed', () =>
    given([credited(10, 9_000), requested(20, 9_000), failed(20, 9_000)])
      .when(request(21, null))
      .thenOnce([requested(21, 9_000)]));
});

const refund = (n: number) => ({ ...whose, refundId: id(n), paymentId: id(90) });
const reserve = (n: number, amountMinor: number, overdraw = false): OwnerAccountCommand => ({
  type: 'ReserveRefund',
  ...refund(n),
  amountMinor,
  overdraw,
});
const reserved = (n: number, amountMinor: number): OwnerAccountEvent => ({
  type: 'RefundReserved',
  data: { ...refund(n), amountMinor },
});
const endReservation = (n: number): OwnerAccountCommand => ({ type: 'EndRefundReservation', ...refund(n) });
const reservationEnded = (n: number): OwnerAccountEvent => ({ type: 'RefundReservationEnded', data: refund(n) });

describe('a refund of released money', () => {
  it('is reserved, so that no payout takes the same money', () => {
    given([credited(10, 9_000)])
      .when(reserve(30, 4_000))
      .thenOnce([reserved(30, 4_000)]);
    given([credited(10, 9_000), reserved(30, 4_000)])
      .when(request(20, 5_001))
      .then('balance_too_low');
    given([credited(10, 9_000), reserved(30, 4_000)])
      .when(request(20, null))
      .then([requested(20, 5_000)]);
  });
  it('needs the balance, unless it may overdraw the account', () => {
    given([credited(10, 9_000), requested(20, 9_000)])
      .when(reserve(30, 1))
      .then('balance_too_low');
    given([credited(10, 9_000), requested(20, 9_000)])
      .when(reserve(30, 1, true))
      .thenOnce([reserved(30, 1)]);
  });
  it('says how much is available, and never less than nothing', () => {
    const refusedWith = (events: readonly OwnerAccountEvent[], text: string) =>
      expect(() => ownerAccount.decide(reserve(30, 4_000), given(events).state)).toThrow(text);
    refusedWith([credited(10, 1_000)], 'takes 40 RUB of it. Only 10 RUB is available');
    refusedWith([debited(10, 1_000)], 'takes 40 RUB of it. Only 0 RUB is available');
  });
  it('reserves only what is missing when it is asked for more', () => {
    given([credited(10, 9_000), reserved(30, 4_000)])
      .when(reserve(30, 9_000))
      .thenOnce([reserved(30, 9_000)]);
    given([credited(10, 9_000), reserved(30, 4_000)])
      .when(reserve(30, 9_001))
      .then('balance_too_low');
    given([credited(10, 9_000), reserved(30, 4_000), reserved(30, 9_000)])
      .when(request(20, 1))
      .then('balance_too_low');
  });
  it('frees what it reserved when it ends, once', () => {
    given([credited(10, 9_000), reserved(30, 4_000)])
      .when(endReservation(30))
      .thenOnce([reservationEnded(30)]);
    given([credited(10, 9_000), reserved(30, 4_000), debited(11, 3_000), reservationEnded(30)])
      .when(request(20, null))
      .then([requested(20, 6_000)]);
    given([]).when(endReservation(30)).then([]);
  });
});

const ledgerMinor = (events: readonly OwnerAccountEvent[]): number => {
  let minor = 0;
  for (const { type, data } of events) {
    if (type === 'OwnerCredited' || type === 'PayoutFailed') minor += data.amountMinor;
    if (type === 'OwnerDebited' || type === 'PayoutRequested') minor -= data.amountMinor;
  }
  return minor;
};

it('never pays out more than was released, in any order of requests', () => {
  const command: fc.Arbitrary<OwnerAccountCommand> = fc.oneof(
    fc.tuple(fc.integer({ min: 100, max: 110 }), fc.integer({ min: -500, max: 1_000 })).map(([n, x]) => change(n, x)),
    fc
      .tuple(fc.integer({ min: 20, max: 25 }), fc.option(fc.integer({ min: -1, max: 1_500 })))
      .map(([n, x]) => request(n, x)),
    fc.constantFrom(confirm, fail),
    fc.tuple(fc.integer({ min: 30, max: 33 }), fc.integer({ min: 1, max: 900 })).map(([n, x]) => reserve(n, x)),
    fc.integer({ min: 30, max: 33 }).map(endReservation),
  );
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let state = ownerAccount.initial;
      let releasedMinor = 0;
      const happened: OwnerAccountEvent[] = [];
      for (const each of commands) {
        try {
          const events = ownerAccount.decide(each, state);
          for (const event of events) if (event.type === 'OwnerCredited') releasedMinor += event.data.amountMinor;
          state = events.reduce(ownerAccount.evolve, state);
          happened.push(...events);
          expect(ownerAccount.decide(each, state)).toEqual([]);
        } catch (error) {
          if (!(error instanceof Rejected)) throw error;
        }
        let outMinor = 0;
        for (const [, amountMinor] of state.reserved) outMinor += amountMinor;
        for (const [, { status, amountMinor }] of state.payouts) if (status !== 'failed') outMinor += amountMinor;
        expect(outMinor).toBeLessThanOrEqual(releasedMinor);
        // The ledger has what was released and neither taken back nor paid out; a reservation leaves it there.
        expect(ledgerBalanceOf(state)).toBe(ledgerMinor(happened));
      }
    }),
  );
});
