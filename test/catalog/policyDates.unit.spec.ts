import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BookingEvent, booking } from '../../domain/bookings/booking.ts';
import { payableUntil } from '../../domain/bookings/payingTime.ts';
import {
  type CancellationPolicyName,
  cancellationPolicy,
  cancellationPolicyNames,
  datedPolicy,
  penaltyPercentAt,
  quoteCancellation,
} from '../../domain/catalog/cancellation.ts';
import { stayTimes } from '../../domain/catalog/pricing.ts';
import { timeAgainst } from '../../domain/catalog/slots.ts';
import { addDays, daysBefore, instantIn, localTime } from '../../domain/core/dates.ts';
import { addMs, DAY_MS, isAfter, isBefore } from '../../domain/core/instants.ts';
import { creation, given, PAYMENT, paid } from '../bookings/bookingFixtures.ts';

const ZONES = Intl.supportedValuesOf('timeZone');
/** Clocks that jump at midnight, by half an hour, by a whole day, and at the end of the evening. */
const ODD = ['America/Havana', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/Nuuk', 'Africa/Cairo', 'Asia/Beirut'];
const zone = fc.oneof(fc.constantFrom(...ZONES), fc.constantFrom(...ODD));
/** A date near one on which clocks change somewhere, and any other. */
const date = fc.integer({ min: 0, max: 8_000 }).map((days) => addDays('2010-01-01', days));
const time = fc
  .integer({ min: 0, max: 95 })
  .map((quarter) => `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${['00', '15', '30', '45'][quarter % 4]}`);

describe('days before an instant', () => {
  it('have the same time of day by the clocks of the place, in every time zone', () => {
    fc.assert(
      fc.property(zone, date, time, fc.integer({ min: 1, max: 60 }), (timezone, on, at, days) => {
        const start = instantIn(timezone, on, at);
        const [startDate = '', startTime = ''] = localTime(timezone, start).split(' ');
        const found = daysBefore(timezone, start, days);
        const wall = localTime(timezone, found);
        const asked = `${addDays(startDate, -days)} ${startTime}`;
        // A time that the clocks skipped is read as by `instantIn`.
        if (wall !== asked) expect(found).toBe(instantIn(timezone, addDays(startDate, -days), startTime));
        expect(Math.abs(Date.parse(found) - Date.parse(addMs(start, -days * DAY_MS)))).toBeLessThanOrEqual(DAY_MS);
        expect(isBefore(daysBefore(timezone, start, days + 1), found)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['Europe/Berlin', '2027-04-01T12:00:00.000Z', 5, '2027-03-27T13:00:00.000Z'],
    ['Europe/Berlin', '2027-11-03T13:00:00.000Z', 5, '2027-10-29T12:00:00.000Z'],
    // The day begins at 01:00.
    ['America/Havana', instantIn('America/Havana', '2027-03-15', '00:00'), 1, '2027-03-14T05:00:00.000Z'],
    // 02:30 is skipped, and comes twice.
    ['Europe/Berlin', instantIn('Europe/Berlin', '2027-03-29', '02:30'), 1, '2027-03-28T01:30:00.000Z'],
    ['Europe/Berlin', instantIn('Europe/Berlin', '2027-11-01', '02:30'), 1, '2027-10-31T00:30:00.000Z'],
    // The date before was skipped.
    ['Pacific/Apia', instantIn('Pacific/Apia', '2011-12-31', '14:00'), 1, '2011-12-31T00:00:00.000Z'],
  ])('%s: %s, %d days', (timezone, start, days, before) => {
    expect(daysBefore(timezone, start, days)).toBe(before);
  });
});

const policies = fc.constantFrom<CancellationPolicyName>(...cancellationPolicyNames).map(cancellationPolicy);

describe('the rules of a policy', () => {
  it('end where they say, and cost more and more', () => {
    fc.assert(
      fc.property(zone, date, policies, fc.boolean(), (timezone, checkIn, policy, countsHours) => {
        const { startsAt } = stayTimes(timezone, { checkIn, checkOut: addDays(checkIn, 1) });
        const start = { startsAt, timezone, countsHours };
        let before = -1;
        for (const { until, penaltyPercent } of datedPolicy(policy, start).rules) {
          expect(penaltyPercentAt(policy, start, until)).toBe(penaltyPercent);
          expect(penaltyPercentAt(policy, start, addMs(until, 1))).toBeGreaterThan(Math.min(penaltyPercent, 99));
          expect(penaltyPercent).toBeGreaterThan(before);
          before = penaltyPercent;
        }
        // Bookings of before lose nothing by the change.
        const hours = { startsAt };
        for (const { until } of [
          ...datedPolicy(policy, hours).rules,
          ...datedPolicy(policy, { startsAt, timezone }).rules,
        ])
          for (const at of [until, addMs(until, 1), addMs(until, -1)])
            expect(penaltyPercentAt(policy, { ...start, countsHours: true }, at)).toBe(
              Math.min(penaltyPercentAt(policy, hours, at), penaltyPercentAt(policy, { startsAt, timezone }, at)),
            );
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['made with a time zone', { timezone: 'Europe/Berlin' }, '2027-03-27T13:00:00.000Z', '2027-10-29T12:00:00.000Z'],
    ['of before', {}, '2027-03-27T13:00:00.000Z', '2027-10-29T13:00:00.000Z'],
  ])('apply to a booking %s, and its quote is the refund', (_, zoned, inSpring, inAutumn) => {
    for (const [startsAt, until] of [
      ['2027-04-01T12:00:00.000Z', inSpring],
      ['2027-11-03T13:00:00.000Z', inAutumn],
    ] as const) {
      const made: BookingEvent = { type: 'BookingCreated', data: { ...creation, startsAt, ...zoned } };
      const { state } = given([made, paid]);
      if (state.status === 'none') throw new Error('no booking');
      const timezone = 'Europe/Berlin';
      for (const [at, percent] of [
        [until, 0],
        [addMs(until, 1), 50],
      ] as const) {
        const received = { paymentIds: [PAYMENT], minor: 20_000 };
        const [cancelled] = booking.decide(
          { type: 'Cancel', by: 'guest', reason: null, received, at, timezone },
          state,
        );
        expect(cancelled?.data).toMatchObject({ penaltyPercent: percent });
        expect(cancelled?.data).toMatchObject(quoteCancellation({ timezone, ...state }, 20_000, at, 'guest'));
      }
    }
  });
});

it('stays can be paid until their first day is over, by the clocks of the hotel', () => {
  fc.assert(
    fc.property(zone, date, (timezone, checkIn) => {
      const item = { ...creation.item, type: 'hotel' as const, checkIn, checkOut: addDays(checkIn, 1) };
      const { startsAt } = stayTimes(timezone, item);
      const until = payableUntil({ item, startsAt, timezone });
      expect(until).toBe(instantIn(timezone, addDays(checkIn, 1), '00:00'));
      expect(isAfter(until, startsAt)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it('slots are sold up to the same date ahead, whatever the clocks do until then', () => {
  fc.assert(
    fc.property(zone, date, time, time, (timezone, today, now, slot) => {
      const at = instantIn(timezone, today, now);
      const isTooFar = (days: number) =>
        timeAgainst(
          { status: 'published', confirmation: 'instant', timezone },
          instantIn(timezone, addDays(localTime(timezone, at).slice(0, 10), days), slot),
          at,
        ).includes('too_far');
      expect(isTooFar(364)).toBe(false);
      expect(isTooFar(367)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
