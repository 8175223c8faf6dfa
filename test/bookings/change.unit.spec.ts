import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookingCommand, BookingEvent } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import { quoteChange } from '../../domain/bookings/change.ts';
import { outstandingOf } from '../../domain/bookings/outstandingPayment.ts';
import { quoteCancellation } from '../../domain/catalog/cancellation.ts';
import { commissionOf } from '../../domain/commissions/commission.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../domain/core/instants.ts';
import {
  at,
  confirmed,
  created,
  creation,
  GUEST,
  given,
  HOLD,
  id,
  PAYMENT,
  paid,
  ROOM,
  terms,
} from './bookingFixtures.ts';

const NEW_HOLD = id(44);
const SUPPLEMENT = id(55);
/** The same nights at another price: all that the decisions look at. */
const priced = (totalMinor: number, more: Partial<BookingTerms> = {}): BookingTerms => ({
  ...terms,
  holdId: NEW_HOLD,
  totalMinor,
  commission: commissionOf(totalMinor),
  ...more,
});
const received = (minor: number, paymentIds: readonly string[] = [PAYMENT]) => ({ paymentIds, minor });
const propose = (
  totalMinor: number,
  more: Partial<Extract<BookingCommand, { type: 'ProposeChange' }>> = {},
): BookingCommand => ({
  type: 'ProposeChange',
  by: 'guest',
  at: at(60),
  former: { holdId: HOLD },
  received: received(20_000),
  holdExpiresAt: at(90),
  ...priced(totalMinor),
  ...more,
});
const free = { by: 'guest', penaltyPercent: 0, penaltyMinor: 0, refundMinor: 0 } as const;
const proposed = (
  totalMinor: number,
  costs: Partial<Extract<BookingEvent, { type: 'BookingChangeProposed' }>['data']> = {},
): BookingEvent => ({
  type: 'BookingChangeProposed',
  data: { ...priced(totalMinor), ...free, dueMinor: Math.max(0, totalMinor - 20_000), holdExpiresAt: at(90), ...costs },
});
const make = (more: Partial<Extract<BookingCommand, { type: 'MakeChange' }>> = {}): BookingCommand => ({
  type: 'MakeChange',
  by: 'system',
  holdId: NEW_HOLD,
  paymentId: null,
  amountMinor: 0,
  at: at(61),
  knownAt: at(62),
  ...more,
});
const started: BookingEvent = {
  type: 'BookingPaymentStarted',
  data: { paymentId: SUPPLEMENT, holdExpiresAt: at(100) },
};
const withdrawnFor = (
  reason: Extract<BookingEvent, { type: 'BookingChangeWithdrawn' }>['data']['reason'],
  paymentId: string | null = null,
): BookingEvent => ({ type: 'BookingChangeWithdrawn', data: { holdId: NEW_HOLD, unitId: ROOM, paymentId, reason } });
const booked = [created, paid, confirmed];
/** Less than five days before the start, where the policy of these specs costs half. */
const late = addMs(creation.startsAt, -3 * DAY_MS);

describe('a proposed change', () => {
  it('to a higher price waits for the difference', () => {
    given(booked)
      .when(propose(30_000))
      .thenOnce([proposed(30_000)]);
    const { state } = given([...booked, proposed(30_000)]);
    expect(state).toMatchObject({ status: 'confirmed', holdId: HOLD, totalMinor: 20_000 });
    expect(state.status !== 'none' && outstandingOf(state)).toMatchObject({
      holdId: NEW_HOLD,
      amountMinor: 10_000,
      commissionMinor: 1_000,
      holdExpiresAt: at(90),
    });
  });
  it('to a lower price has its refund fixed, as cancelling that part would cost', () => {
    given(booked)
      .when(propose(15_000))
      .thenOnce([proposed(15_000, { refundMinor: 5_000 })]);
    given(booked)
      .when(propose(15_000, { at: late, holdExpiresAt: late }))
      .thenOnce([
        proposed(15_000, { penaltyPercent: 50, penaltyMinor: 2_500, refundMinor: 2_500, holdExpiresAt: late }),
      ]);
    given(booked)
      .when(propose(15_000, { by: 'admin', at: late, holdExpiresAt: late }))
      .thenOnce([proposed(15_000, { by: 'admin', refundMinor: 5_000, holdExpiresAt: late })]);
  });
  it('counts what was refunded by hand before', () =>
    given(booked)
      .when(propose(15_000, { received: received(17_000) }))
      .thenOnce([proposed(15_000, { refundMinor: 2_000 })]));
  it('is refused once the booking has begun, and on outdated facts', () => {
    given(booked)
      .when(propose(30_000, { at: creation.startsAt }))
      .then('invalid_transition');
    given(booked)
      .when(propose(30_000, { former: { holdId: id(99) } }))
      .then('unavailable');
    given(booked)
      .when(propose(30_000, { received: received(20_000, []) }))
      .then('unavailable');
  });
  it('replaces another one, unless that is being paid', () => {
    const other = id(45);
    given([...booked, proposed(30_000)])
      .when(propose(40_000, { holdId: other }))
      .thenOnce([withdrawnFor('replaced'), proposed(40_000, { holdId: other })]);
    given([...booked, proposed(30_000), started])
      .when(propose(40_000, { holdId: other }))
      .then('payment_open');
  });
  it('does not last beyond the time at which the booking could be paid', () => {
    const over = addMs(creation.startsAt, 20 * HOUR_MS);
    const last = addMs(creation.startsAt, 10 * HOUR_MS);
    given(booked)
      .when(propose(30_000, { holdExpiresAt: over }))
      .thenOnce([proposed(30_000, { holdExpiresAt: last })]);
  });
});

describe('what a change of the price costs', () => {
  const { state } = given(booked);
  if (state.status === 'none') throw new Error('not booked');
  const minor = fc.oneof(fc.nat(300), fc.nat(1e9));
  const figures = fc.record({ formerMinor: minor, totalMinor: minor, receivedMinor: minor, keptMinor: minor });
  const parties = fc.constantFrom('guest', 'provider', 'admin', 'system');

  it('is the difference, or gives back what is beyond the new price, what was kept before and the penalty', () => {
    fc.assert(
      fc.property(figures, fc.nat(100), parties, (of, floorPercent, by) => {
        const { formerMinor, totalMinor, receivedMinor, keptMinor } = of;
        const booking = { ...state, totalMinor: formerMinor, keptMinor, floorPercent };
        const quote = quoteChange(booking, totalMinor, receivedMinor, at(60), by);
        const { dueMinor, penaltyPercent, penaltyMinor, refundMinor } = quote;
        const fellMinor = Math.max(0, formerMinor - totalMinor);
        expect(totalMinor + fellMinor - dueMinor).toBe(formerMinor);
        // Only a guest loses some of what the price fell by.
        expect(penaltyPercent).toBe(by === 'guest' ? floorPercent : 0);
        expect(Math.abs(100 * penaltyMinor - penaltyPercent * fellMinor)).toBeLessThanOrEqual(50);
        // Never more than the price fell by, and nothing of what stays paid.
        const staysMinor = totalMinor + keptMinor + penaltyMinor;
        const leftMinor = receivedMinor - refundMinor;
        expect(refundMinor).toBeGreaterThanOrEqual(0);
        expect(refundMinor + penaltyMinor).toBeLessThanOrEqual(fellMinor);
        if (refundMinor > 0) expect(leftMinor).toBeGreaterThanOrEqual(staysMinor);
        // All that these two limits allow.
        if (refundMinor + penaltyMinor < fellMinor) expect(leftMinor).toBeLessThanOrEqual(staysMinor);
      }),
    );
  });
});

describe('the payment of a difference', () => {
  const start = {
    type: 'StartPayment',
    by: 'guest',
    paymentId: SUPPLEMENT,
    holdId: NEW_HOLD,
    amountMinor: 10_000,
    at: at(70),
    holdExpiresAt: at(100),
  } as const;
  it('starts for the change only', () => {
    given([...booked, proposed(30_000)])
      .when(start)
      .thenOnce([started]);
    given(booked).when(start).then('invalid_transition');
    given([...booked, proposed(15_000)])
      .when(start)
      .then('invalid_transition');
    given([...booked, proposed(30_000)])
      .when({ ...start, amountMinor: 30_000 })
      .then('conflict');
    given([...booked, proposed(30_000)])
      .when({ ...start, at: at(95) })
      .then('hold_expired');
  });
  it('keeps the hold of the change, not that of the booking', () => {
    const { state } = given([...booked, proposed(30_000), started]);
    expect(state).toMatchObject({
      holdExpiresAt: creation.holdExpiresAt,
      openPayment: SUPPLEMENT,
      change: { holdExpiresAt: at(100), keptFrom: at(100) },
    });
    given([...booked, proposed(30_000), started])
      .when({ type: 'ExtendHold', by: 'system', holdId: NEW_HOLD, holdExpiresAt: at(120) })
      .thenOnce([{ type: 'BookingHoldExtended', data: { holdExpiresAt: at(120) } }]);
  });
});

describe('a change', () => {
  const supplement = { paymentId: SUPPLEMENT, amountMinor: 10_000 };
  const answerBy = at(62 + 24 * 60);
  const made = (totalMinor: number, change: object): BookingEvent => ({
    type: 'BookingRescheduled',
    data: {
      ...priced(totalMinor),
      formerHoldId: HOLD,
      formerUnitId: ROOM,
      change: { ...free, paymentId: null, amountMinor: 0, answerBy, ...change },
    },
  });
  it('is made once with the money that was due, and the seller answers again', () => {
    given([...booked, proposed(30_000), started])
      .when(make(supplement))
      .thenOnce([made(30_000, supplement)]);
    expect(given([...booked, proposed(30_000), started, made(30_000, supplement)]).state).toMatchObject({
      status: 'paid',
      answerBy,
      holdId: NEW_HOLD,
      totalMinor: 30_000,
      openPayment: null,
      change: null,
      paymentIds: [PAYMENT, SUPPLEMENT],
    });
  });
  it('is made without a payment where nothing is due', () => {
    const cost = { penaltyPercent: 50, penaltyMinor: 2_500, refundMinor: 2_500 };
    given([...booked, proposed(15_000, cost)])
      .when(make())
      .thenOnce([made(15_000, cost)]);
  });
  it('of an instant booking leaves its status as it is', () => {
    const instant: BookingEvent = { type: 'BookingCreated', data: { ...creation, confirmation: 'instant' } };
    const { answerBy: _, ...change } = { ...free, paymentId: null, amountMinor: 0, answerBy };
    given([instant, paid, proposed(20_000)])
      .when(make())
      .thenOnce([
        {
          type: 'BookingRescheduled',
          data: { ...priced(20_000), formerHoldId: HOLD, formerUnitId: ROOM, change },
        },
      ]);
  });
  it('is refused with other money, for another change, and with money that came too late', () => {
    const waiting = [...booked, proposed(30_000), started];
    given(waiting).when(make()).then('conflict');
    given(waiting)
      .when(make({ ...supplement, amountMinor: 9_000 }))
      .then('conflict');
    given(waiting)
      .when(make({ ...supplement, holdId: id(46) }))
      .then('conflict');
    given(waiting)
      .when(make({ ...supplement, at: '2026-03-09T00:00:00Z' }))
      .then('conflict');
    given([...booked, proposed(15_000)])
      .when(make(supplement))
      .then('conflict');
    given([...waiting, withdrawnFor('expired', SUPPLEMENT)])
      .when(make(supplement))
      .then('conflict');
  });
  it('that was made is nothing new, whoever repeats it; other money for it is refused', () => {
    const after = [...booked, proposed(30_000), started, made(30_000, supplement)];
    given(after).when(propose(30_000)).then([]);
    given(after).when(make(supplement)).then([]);
    given(after)
      .when(make({ ...supplement, paymentId: id(56) }))
      .then('conflict');
  });
  it('takes a payment where money is due, and only there', () => {
    given([...booked, proposed(20_000)])
      .when(make({ paymentId: SUPPLEMENT }))
      .then('conflict');
    given([...booked, proposed(30_000)])
      .when(make({ amountMinor: 10_000 }))
      .then('conflict');
  });
  it('does not make cancelling cheaper', () => {
    const cost = { penaltyPercent: 50, penaltyMinor: 2_500, refundMinor: 2_500 };
    const later = { startsAt: '2026-06-01T11:00:00.000Z' };
    const change: BookingEvent = {
      type: 'BookingRescheduled',
      data: {
        ...priced(15_000, later),
        formerHoldId: HOLD,
        formerUnitId: ROOM,
        change: { ...cost, by: 'guest', paymentId: null, amountMinor: 0 },
      },
    };
    const { state } = given([...booked, change]);
    if (state.status === 'none') throw new Error('not booked');
    expect(quoteCancellation(state, 17_500, at(61), 'guest')).toEqual({
      penaltyPercent: 50,
      penaltyMinor: 2_500 + 7_500,
      refundMinor: 7_500,
    });
    expect(quoteCancellation(state, 17_500, at(61), 'provider').refundMinor).toBe(17_500);
  });
});

describe('a change is withdrawn', () => {
  const waiting = [...booked, proposed(30_000), started];
  const ending = { userId: GUEST, reason: null, penaltyPercent: 0, penaltyMinor: 0, refundMinor: 20_000 };
  it('by its guest, and when its hold expires; its payment is no longer open', () => {
    given(waiting)
      .when({ type: 'WithdrawChange', by: 'guest', reason: 'withdrawn' })
      .thenOnce([withdrawnFor('withdrawn', SUPPLEMENT)]);
    given(waiting)
      .when({ type: 'WithdrawChange', by: 'system', holdId: NEW_HOLD, reason: 'expired' })
      .thenOnce([withdrawnFor('expired', SUPPLEMENT)]);
    expect(given([...waiting, withdrawnFor('expired', SUPPLEMENT)]).state).toMatchObject({
      change: null,
      openPayment: null,
      totalMinor: 20_000,
    });
  });
  it('only if it is the one that is meant', () =>
    given(waiting)
      .when({ type: 'WithdrawChange', by: 'system', holdId: id(46), reason: 'expired' })
      .then([]));
  it('when the booking ends', () => {
    given(waiting)
      .when({ type: 'Cancel', by: 'guest', reason: null, at: at(70), received: received(20_000) })
      .thenOnce([withdrawnFor('ended', SUPPLEMENT), { type: 'BookingCancelled', data: { ...ending, by: 'guest' } }]);
    given([created, paid, proposed(30_000)])
      .when({ type: 'Reject', by: 'provider', reason: null, at: at(70), received: received(20_000) })
      .thenOnce([withdrawnFor('ended'), { type: 'BookingRejected', data: { ...ending, by: 'provider' } }]);
    given(waiting)
      .when({ type: 'Complete', by: 'system' })
      .thenOnce([withdrawnFor('ended', SUPPLEMENT), { type: 'BookingCompleted', data: {} }]);
  });
});
