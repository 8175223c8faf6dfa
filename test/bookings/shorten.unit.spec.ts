/** A stay that has begun ends earlier: what it costs nobody, what is given back, and when it can end. */
import { describe, expect, it } from 'vitest';
import type { BookingCommand, BookingEvent } from '../../domain/bookings/booking.ts';
import { shortened } from '../../domain/bookings/shorten.ts';
import { confirmed, created, creation, given, HOLD, id, PAYMENT, paid, ROOM, terms } from './bookingFixtures.ts';

const NEW_HOLD = id(44);
const ZONE = 'Europe/Moscow';
/** Four nights for 400.00, from 8 to 12 March, 14:00 to 12:00 in Moscow. */
const stay = {
  item: { ...terms.item, checkOut: '2026-03-12' } as typeof terms.item,
  endsAt: '2026-03-12T09:00:00.000Z',
  lines: ['08', '09', '10', '11'].map((day) => ({
    kind: 'night' as const,
    date: `2026-03-${day}`,
    amountMinor: 10_000,
  })),
  totalMinor: 40_000,
  commission: { ...terms.commission, commissionMinor: 4_000, providerMinor: 36_000 },
};
const made: BookingEvent = { type: 'BookingCreated', data: { ...creation, ...stay } };
const payment: BookingEvent = { type: 'BookingPaid', data: { paymentId: PAYMENT, amountMinor: 40_000 } };
const staying = [made, payment, confirmed];
/** An hour by the clocks of the hotel. */
const on = (day: number, hour = 16): string => new Date(Date.UTC(2026, 2, day, hour - 3)).toISOString();
const shorten = (more: Partial<Extract<BookingCommand, { type: 'Shorten' }>> = {}): BookingCommand => ({
  type: 'Shorten',
  by: 'provider',
  at: on(9),
  checkOut: '2026-03-10',
  refundMinor: 0,
  received: { paymentIds: [PAYMENT], minor: 40_000 },
  holdId: NEW_HOLD,
  holdExpiresAt: on(9, 17),
  timezone: ZONE,
  ...more,
});
const free = { by: 'provider', penaltyPercent: 0, penaltyMinor: 0, refundMinor: 0, endsEarlier: true } as const;
const shorter = {
  ...terms,
  ...stay,
  item: { ...stay.item, checkOut: '2026-03-10' } as typeof terms.item,
  endsAt: '2026-03-10T09:00:00.000Z',
  timezone: ZONE,
  holdId: NEW_HOLD,
};
const make: BookingCommand = {
  type: 'MakeChange',
  by: 'system',
  holdId: NEW_HOLD,
  paymentId: null,
  amountMinor: 0,
  at: on(9),
  knownAt: on(9),
};

describe('a stay that has begun', () => {
  it('ends earlier at the same price, once', () =>
    given(staying)
      .when(shorten())
      .thenOnce([
        { type: 'BookingChangeProposed', data: { ...shorter, ...free, dueMinor: 0, holdExpiresAt: on(9, 17) } },
      ]));

  it('changes at once, and its seller does not answer again', () => {
    const proposed: BookingEvent = {
      type: 'BookingChangeProposed',
      data: { ...shorter, ...free, dueMinor: 0, holdExpiresAt: on(9, 17) },
    };
    const change = { ...free, paymentId: null, amountMinor: 0 };
    const rescheduled: BookingEvent = {
      type: 'BookingRescheduled',
      data: { ...shorter, formerHoldId: HOLD, formerUnitId: ROOM, change },
    };
    given([...staying, proposed])
      .when(make)
      .thenOnce([rescheduled]);
    expect(given([...staying, proposed, rescheduled]).state).toMatchObject({
      status: 'confirmed',
      totalMinor: 40_000,
      endsAt: '2026-03-10T09:00:00.000Z',
      floorPercent: 0,
      keptMinor: 0,
    });
  });

  it('ends from today on, after at least one night, and before it would have', () => {
    const { state } = given(staying);
    if (state.status === 'none') throw new Error('it was made');
    const ends = (checkOut: string, at: string) => () =>
      shortened({ ...state, timezone: ZONE }, { checkOut, at, refundMinor: 0, receivedMinor: 40_000 });
    for (const [checkOut, at] of [
      ['2026-03-09', on(8)],
      ['2026-03-09', on(9, 0)],
      ['2026-03-09', on(9, 23)],
      ['2026-03-11', on(11, 23)],
    ] as const)
      expect(ends(checkOut, at)(), `${checkOut} at ${at}`).toMatchObject({ item: { checkOut } });
    for (const [checkOut, at] of [
      ['2026-03-08', on(8)],
      ['2026-03-09', on(10, 0)],
      ['2026-03-12', on(9)],
      ['2026-03-13', on(9)],
    ] as const)
      expect(ends(checkOut, at), `${checkOut} at ${at}`).toThrow(/check_out must be from/);
    expect(ends('2026-03-11', on(12, 1)), 'the last night is over').toThrow(/no night left/);
  });

  it('is not shortened before it begins, when it is over, or by its guest', () => {
    given(staying)
      .when(shorten({ at: on(8, 13) }))
      .then('invalid_transition');
    given([...staying, { type: 'BookingCompleted', data: {} }])
      .when(shorten())
      .then('invalid_transition');
    given(staying)
      .when(shorten({ by: 'guest' }))
      .then('forbidden');
  });

  it('is decided on the money as it is', () =>
    expect(() =>
      given(staying)
        .when(shorten({ received: { paymentIds: [], minor: 0 } }))
        .then([]),
    ).toThrow());

  it('withdraws what its guest has proposed, with the payment for it', () => {
    const change = { ...terms, ...stay, holdId: id(77), by: 'guest', penaltyPercent: 0, penaltyMinor: 0 } as const;
    const proposed: BookingEvent = {
      type: 'BookingChangeProposed',
      data: { ...change, refundMinor: 0, dueMinor: 10_000, holdExpiresAt: on(8, 20) },
    };
    const started: BookingEvent = {
      type: 'BookingPaymentStarted',
      data: { paymentId: id(55), holdExpiresAt: on(8, 20) },
    };
    given([...staying, proposed, started])
      .when(shorten())
      .thenOnce([
        {
          type: 'BookingChangeWithdrawn',
          data: { holdId: id(77), unitId: ROOM, paymentId: id(55), reason: 'replaced' },
        },
        { type: 'BookingChangeProposed', data: { ...shorter, ...free, dueMinor: 0, holdExpiresAt: on(9, 17) } },
      ]);
  });
});

describe('what the seller gives back', () => {
  const back = (refundMinor: number, receivedMinor = 40_000, more: object = {}) => {
    const { state } = given(staying);
    if (state.status === 'none') throw new Error('it was made');
    const asked = { checkOut: '2026-03-10', at: on(9), refundMinor, receivedMinor };
    return shortened({ ...state, timezone: ZONE, ...more }, asked);
  };

  it('lowers the price, with its part of the commission', () =>
    expect(back(15_000)).toMatchObject({
      totalMinor: 25_000,
      lines: [...stay.lines, { kind: 'refund', amountMinor: -15_000 }],
      commission: { commissionMinor: 2_500, providerMinor: 22_500 },
    }));

  it('may be all that is left, and not more', () => {
    expect(back(40_000)).toMatchObject({ totalMinor: 0 });
    for (const [refund, received, kept] of [
      [40_001, 40_000, 0],
      [30_001, 30_000, 0],
      [30_001, 40_000, 10_000],
      [1, 0, 0],
    ] as const)
      expect(() => back(refund, received, { keptMinor: kept })).toThrow(/higher than what is left/);
  });

  it('comes on top of what was given back by hand before', () =>
    expect(back(10_000, 30_000)).toMatchObject({ totalMinor: 20_000 }));

  it('takes what the platform adds to the price in proportion', () => {
    const promotion = { promoCodeId: id(8), code: 'SNOW', bearer: 'platform', discountMinor: 10_000 } as const;
    const lines = [...stay.lines, { kind: 'discount', name: 'SNOW', amountMinor: -10_000 } as const];
    const once = back(15_000, 30_000, { promotion, lines, totalMinor: 30_000 });
    expect(once).toMatchObject({ totalMinor: 15_000, promotion, commission: { commissionMinor: 2_000 } });
    const twice = back(15_000, 15_000, { ...once, item: stay.item });
    expect(twice).toMatchObject({ totalMinor: 0, commission: { commissionMinor: 0, providerMinor: 0 } });
  });
});

it('only a stay is shortened', () => {
  const slot = { slotStart: terms.startsAt, slotEnd: terms.endsAt };
  const item = { type: 'restaurant', listingId: id(9), unitId: ROOM, ...slot } as const;
  const table: BookingEvent = { type: 'BookingCreated', data: { ...creation, item } };
  given([table, paid, confirmed])
    .when(shorten({ received: { paymentIds: [PAYMENT], minor: 20_000 } }))
    .then('invalid_transition');
  given([created, paid, confirmed])
    .when(shorten({ at: on(10, 1), checkOut: '2026-03-09', received: { paymentIds: [PAYMENT], minor: 20_000 } }))
    .then('invalid_transition');
});
