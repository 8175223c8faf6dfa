/** How a booking is paid, and what costs nothing. */
import { describe, expect, it } from 'vitest';
import type { BookingCommand, BookingEvent } from '../../domain/bookings/booking.ts';
import { commandOf, ending, historyOf, marking, starting } from './bookingCommands.ts';
import { at, created, creation, given, HOLD, id, PAYMENT, paid, paying } from './bookingFixtures.ts';

describe('paying', () => {
  it('allows one open payment at a time', () => {
    given([created]).when(commandOf.StartPayment('guest')).thenOnce([paying]);
    given([created, paying])
      .when({ ...starting, paymentId: id(55) })
      .then('payment_open');
  });
  it('allows another payment after the first has ended without money', () => {
    const over: BookingEvent = { type: 'BookingPaymentEnded', data: { paymentId: PAYMENT } };
    given([created, paying]).when(commandOf.EndPayment('system')).thenOnce([over]);
    given([created, paying, over])
      .when({ ...starting, paymentId: id(55), holdExpiresAt: at(50) })
      .then([{ type: 'BookingPaymentStarted', data: { paymentId: id(55), holdExpiresAt: at(50) } }]);
  });
  it('extends the hold, never shortens it', () => {
    given([created])
      .when(commandOf.ExtendHold('system'))
      .thenOnce([{ type: 'BookingHoldExtended', data: { holdExpiresAt: at(90) } }]);
    given([created])
      .when({ type: 'ExtendHold', by: 'system', holdId: HOLD, holdExpiresAt: at(10) })
      .then([]);
  });
  it('does not extend or expire with a hold that was replaced', () => {
    for (const type of ['ExtendHold', 'Expire'] as const)
      given([created])
        .when({ ...commandOf[type]('system'), holdId: id(44) } as BookingCommand)
        .then([]);
  });
  it('marks the booking as paid once, for the hold that was committed', () => {
    given([created, paying]).when(marking).thenOnce([paid]);
    given(historyOf.expired).when(marking).thenOnce([paid]);
    given([created])
      .when({ ...marking, holdId: id(44) })
      .then('conflict');
    given(historyOf.confirmed)
      .when({ ...marking, paymentId: id(55) })
      .then('invalid_transition');
  });
  it('must be for the whole price', () => {
    for (const wrong of [{ amountMinor: 19_999 }, { amountMinor: 0 }, { paymentId: null }])
      given([created, paying])
        .when({ ...marking, ...wrong })
        .then('conflict');
  });
  it('does not start for another price, for a hold that was replaced, or after the hold has expired', () => {
    for (const wrong of [{ amountMinor: 19_999 }, { holdId: id(44) }])
      given([created])
        .when({ ...starting, ...wrong })
        .then('conflict');
    given([created])
      .when({ ...starting, at: at(30) })
      .then('hold_expired');
  });
  it('ends with the first day of a stay', () => {
    const midnight = '2026-03-08T21:00:00.000Z'; // in Moscow
    const longHold: BookingEvent = { type: 'BookingHoldExtended', data: { holdExpiresAt: '2026-03-20T00:00:00Z' } };
    given([created, longHold])
      .when({ ...starting, at: midnight })
      .then('hold_expired');
    given([created, longHold, paying])
      .when({ ...marking, at: midnight })
      .then('conflict');
    given([created, longHold, paying])
      .when({ ...marking, at: '2026-03-08T20:59:59.999Z' })
      .then([paid]);
  });
  it('ends with the start of a slot', () => {
    const [slotStart, slotEnd] = [at(60), at(180)];
    const item = { type: 'tour', listingId: id(9), unitId: id(9), slotStart, slotEnd, seats: 2 } as const;
    const times = { startsAt: slotStart, endsAt: slotEnd, holdExpiresAt: at(90) };
    const data = { ...creation, item, ...times, confirmation: 'instant' as const };
    const settled: BookingEvent = { type: 'BookingPaid', data: { paymentId: PAYMENT, amountMinor: 20_000 } };
    const seats: BookingEvent = { type: 'BookingCreated', data };
    given([seats])
      .when({ ...starting, at: at(60) })
      .then('hold_expired');
    given([seats, paying])
      .when({ ...marking, at: at(60) })
      .then('conflict');
    given([seats, paying])
      .when({ ...marking, at: at(59) })
      .then([settled]);
    const free: BookingEvent = { type: 'BookingCreated', data: { ...data, lines: [], totalMinor: 0 } };
    given([free])
      .when({ ...marking, paymentId: null, amountMinor: 0, at: at(70) })
      .then([{ type: 'BookingPaid', data: { paymentId: null, amountMinor: 0 } }]);
  });
  it('limits the extension of a hold by the start of its first payment', () => {
    const again: BookingEvent = { type: 'BookingPaymentStarted', data: { paymentId: id(55), holdExpiresAt: at(50) } };
    expect(given([created]).state).toMatchObject({ keptFrom: null });
    expect(given([created, paying, again]).state).toMatchObject({ keptFrom: at(40), holdExpiresAt: at(50) });
  });
});

describe('what costs nothing', () => {
  const free: BookingEvent = { type: 'BookingCreated', data: { ...creation, lines: [], totalMinor: 0 } };
  const mark = { ...marking, paymentId: null, amountMinor: 0 } as const;
  const settled: BookingEvent = {
    type: 'BookingPaid',
    data: { paymentId: null, amountMinor: 0, answerBy: at(20 + 24 * 60) },
  };
  it('is paid without a payment', () => given([free]).when(mark).thenOnce([settled]));
  it('cannot be paid after it was cancelled', () => {
    given([free, { type: 'BookingCancelled', data: ending }])
      .when(mark)
      .then('invalid_transition');
  });
  it('refuses a payment', () => given([free]).when(commandOf.StartPayment('guest')).then('invalid_transition'));
});
