/** Deadlines and reminders of bookings on request, references, and how long a seller sees the guest. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGuestSeen } from '../../domain/bookings/guest.ts';
import { referenceOf, typedReference } from '../../domain/bookings/reference.ts';
import { answerDeadline, isTooLateToAsk, reminderTimes } from '../../domain/catalog/confirmation.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { at, BOOKING, id } from './bookingFixtures.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

describe('the answer deadline', () => {
  it.each([
    ['a day after the payment', 30 * DAY, DAY],
    ['two hours before the start', 10 * HOUR, 8 * HOUR],
    ['half an hour after the payment, however near the start is', 2 * HOUR, 30],
    ['half an hour after a payment after the start', -HOUR, 30],
  ])('is %s', (_, start, deadline) => expect(answerDeadline(at(0), at(start))).toBe(at(deadline)));

  it('leaves no time less than half an hour before the start', () => {
    expect(isTooLateToAsk('on_request', at(30), at(0))).toBe(false);
    expect(isTooLateToAsk('on_request', at(29), at(0))).toBe(true);
    expect(isTooLateToAsk('instant', at(1), at(0))).toBe(false);
  });
});

describe('reminders', () => {
  it('come after half of the time and an hour before the deadline', () =>
    expect(reminderTimes(at(0), at(DAY))).toEqual([
      { reminder: 'reminder', dueAt: at(12 * HOUR) },
      { reminder: 'last_reminder', dueAt: at(23 * HOUR) },
    ]));
  it('are one where there is little time', () =>
    expect(reminderTimes(at(0), at(30))).toEqual([{ reminder: 'reminder', dueAt: at(15) }]));
  it('come after the payment, before the deadline, and at least an hour apart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 30, max: DAY }), (window) => {
        const [first, last] = reminderTimes(at(0), at(window)).map(({ dueAt }) => Date.parse(dueAt));
        expect(first).toBeGreaterThan(Date.parse(at(0)));
        expect(first).toBeLessThan(Date.parse(at(window)));
        if (last) expect(last - (first ?? 0)).toBeGreaterThanOrEqual(HOUR * MINUTE_MS);
        if (last) expect(last).toBeLessThan(Date.parse(at(window)));
      }),
    );
  });
});

describe('a reference', () => {
  it('has eight characters that nobody confuses, always the same for a booking', () => {
    expect(referenceOf(BOOKING)).toBe('AAAAAAAG');
    expect(referenceOf('018f0000-0000-7000-8000-ffffffffffff')).toBe('99999999');
    fc.assert(
      fc.property(fc.uuid(), (booking) => {
        expect(referenceOf(booking)).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
        expect(referenceOf(booking)).toBe(referenceOf(booking.toUpperCase()));
      }),
    );
  });
  it('differs with every one of the last 40 bits', () => {
    const many = Array.from({ length: 40 }, (_, bit) =>
      referenceOf(`${id(0).slice(0, 26)}${(2 ** bit).toString(16).padStart(10, '0')}`),
    );
    expect(new Set(many).size).toBe(40);
  });
  it('is found as people type it', () => expect(typedReference('k7qm-2x wd')).toBe('K7QM2XWD'));
});

describe('the guest is seen by the seller', () => {
  const booking = { status: 'completed', endsAt: at(0), updatedAt: at(0) } as const;
  it('until a week after the end', () => {
    expect(isGuestSeen(booking, at(7 * DAY))).toBe(true);
    expect(isGuestSeen(booking, at(7 * DAY + 1))).toBe(false);
  });
  it('until a week after it was cancelled, where that was earlier', () => {
    const cancelled = { ...booking, status: 'cancelled', endsAt: at(30 * DAY) } as const;
    expect(isGuestSeen(cancelled, at(8 * DAY))).toBe(false);
    expect(isGuestSeen({ ...cancelled, status: 'confirmed' }, at(8 * DAY))).toBe(true);
    expect(isGuestSeen({ ...cancelled, endsAt: at(-DAY) }, at(7 * DAY))).toBe(false);
  });
});
