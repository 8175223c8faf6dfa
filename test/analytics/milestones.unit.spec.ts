/** What became of bookings, as numbers are made of it. */
import { expect, it } from 'vitest';
import type { BookingEvent } from '../../domain/bookings/booking.ts';
import { bookingMilestones } from '../../projections/analytics/milestones.ts';
import {
  at,
  BOOKING,
  confirmed,
  created,
  creation,
  GUEST,
  PAYMENT,
  PROVIDER,
  paid,
  terms,
} from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';

const rowsAfter = projection(bookingMilestones);
const rowAfter = (...events: readonly (readonly [BookingEvent, number])[]) =>
  rowsAfter(
    [[created, 0] as const, ...events].map(([event, minute]) => happened('booking', BOOKING, event, at(minute))),
  )[0];

const atFirst = {
  id: BOOKING,
  user_id: GUEST,
  provider_id: PROVIDER,
  type: 'hotel',
  created_at: at(0),
  paid_at: null,
  asked_at: null,
  answered_at: null,
  ended_at: null,
  ended: null,
};
const ending = { userId: GUEST, reason: null, penaltyPercent: 0, penaltyMinor: 0, refundMinor: 20_000 };
const rejected = (by: 'provider' | 'system'): BookingEvent => ({ type: 'BookingRejected', data: { ...ending, by } });
const paidAtOnce: BookingEvent = { type: 'BookingPaid', data: { paymentId: PAYMENT, amountMinor: 20_000 } };

it('a booking on request is asked for with its payment, and answered', () => {
  expect(rowAfter()).toEqual(atFirst);
  const asked = { ...atFirst, paid_at: at(20), asked_at: at(20) };
  expect(rowAfter([paid, 20])).toEqual(asked);
  expect(rowAfter([paid, 20], [confirmed, 50])).toEqual({ ...asked, answered_at: at(50) });
  const ended = { ended: 'rejected', ended_at: at(60) };
  expect(rowAfter([paid, 20], [rejected('provider'), 60])).toEqual({ ...asked, ...ended, answered_at: at(60) });
  expect(rowAfter([paid, 20], [rejected('system'), 60])).toEqual({ ...asked, ...ended });
});

it('an instant booking is not asked for', () => {
  expect(rowAfter([paidAtOnce, 20], [confirmed, 21])).toEqual({ ...atFirst, paid_at: at(20) });
});

it('changed terms can ask again', () => {
  const formerly = { formerHoldId: creation.holdId, formerUnitId: terms.item.unitId };
  const costs = { by: 'guest' as const, penaltyPercent: 0, penaltyMinor: 0, refundMinor: 0 };
  const change = { ...costs, paymentId: null, amountMinor: 0, answerBy: at(300) };
  const rescheduled: BookingEvent = { type: 'BookingRescheduled', data: { ...terms, ...formerly, change } };
  const unpaid: BookingEvent = { type: 'BookingRescheduled', data: { ...terms, ...formerly } };
  expect(rowAfter([unpaid, 5])).toEqual(atFirst);
  expect(rowAfter([paid, 20], [confirmed, 50], [rescheduled, 90])).toEqual({
    ...atFirst,
    paid_at: at(20),
    asked_at: at(90),
  });
});

it('a booking ends before its time', () => {
  const cancelled: BookingEvent = { type: 'BookingCancelled', data: { ...ending, by: 'guest' } };
  const expired: BookingEvent = { type: 'BookingExpired', data: {} };
  expect(rowAfter([cancelled, 5])).toEqual({ ...atFirst, ended: 'cancelled', ended_at: at(5) });
  expect(rowAfter([expired, 30])).toEqual({ ...atFirst, ended: 'expired', ended_at: at(30) });
});
