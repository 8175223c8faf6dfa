/** The calendar file of a booking, read as calendar programs read it. */
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { bookingCalendar, type CalendarFacts } from '../../commands/bookings/calendar.ts';
import type { BookingEvent, OpenBooking } from '../../domain/bookings/booking.ts';
import { instantIn } from '../../domain/core/dates.ts';
import { BOOKING, confirmed, created, creation, GUEST, given, id, paid } from './bookingFixtures.ts';

const stateOf = (events: readonly BookingEvent[]): OpenBooking => given(events).state as OpenBooking;
const hotel = { type: 'hotel', title: null, ownerId: id(8), timezone: 'Europe/Moscow', address: null } as const;
const facts = (over: Partial<CalendarFacts> = {}): CalendarFacts => ({
  bookingId: BOOKING,
  state: stateOf([created, paid, confirmed]),
  sequence: 2,
  offered: { ...hotel, title: 'Отель «Роза»; север, юг', address: 'ул. Лесная, 7' },
  language: 'ru',
  at: '2026-03-01T10:00:00.000Z',
  ...over,
});
const slot = (slotStart: string, slotEnd: string): BookingEvent =>
  ({
    ...created,
    data: {
      ...creation,
      item: { type: 'tour', listingId: id(9), unitId: id(9), slotStart, slotEnd, seats: 2 },
      startsAt: slotStart,
      endsAt: slotEnd,
    },
  }) as BookingEvent;
const parsed = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') as ICAL.Component);
  return { calendar, event };
};
const cancelled: BookingEvent = {
  type: 'BookingCancelled',
  data: { userId: GUEST, by: 'guest', reason: null, penaltyPercent: 0, penaltyMinor: 0, refundMinor: 0 },
} as BookingEvent;

describe('a stay', () => {
  it('is whole days, without the day of check-out, wherever it is read', () => {
    const { calendar, event } = parsed(bookingCalendar(facts()));
    expect(event.startDate.isDate).toBe(true);
    expect([event.startDate.toString(), event.endDate.toString()]).toEqual(['2026-03-08', '2026-03-10']);
    expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH');
  });

  it('keeps its texts as they were written', () => {
    const { event } = parsed(bookingCalendar(facts()));
    expect(event.summary).toBe('Отель «Роза»; север, юг');
    expect(event.location).toBe('ул. Лесная, 7');
    expect(event.description).toContain('Гостей: 2');
  });
});

describe('a slot', () => {
  it.each([
    ['before the clocks change', '2026-10-24'],
    ['on the day that they do', '2026-10-25'],
    ['after it', '2026-10-26'],
  ])('is at the time of its place %s', (_, date) => {
    const timezone = 'Europe/Zurich';
    const [start, end] = [instantIn(timezone, date, '01:30'), instantIn(timezone, date, '04:30')];
    const offered = { ...hotel, title: 'Night walk', timezone };
    const { event } = parsed(bookingCalendar(facts({ state: stateOf([slot(start, end)]), offered })));
    expect(event.startDate.isDate).toBe(false);
    expect(event.startDate.toJSDate().toISOString()).toBe(start);
    expect(event.endDate.toJSDate().toISOString()).toBe(end);
    expect(event.description).toContain(`${date} 01:30 (Europe/Zurich)`);
    expect(event.duration.toSeconds()).toBe((date === '2026-10-25' ? 4 : 3) * 3_600);
  });
});

describe('a booking that changes', () => {
  it('keeps its id, and its sequence grows', () => {
    const [first, second] = [2, 5].map((sequence) => parsed(bookingCalendar(facts({ sequence }))).event);
    expect(second?.uid).toBe(first?.uid);
    expect([first?.sequence, second?.sequence]).toEqual([2, 5]);
  });

  it.each([
    ['unpaid', [created], 'PUBLISH', 'TENTATIVE'],
    ['waiting for an answer', [created, paid], 'PUBLISH', 'TENTATIVE'],
    ['confirmed', [created, paid, confirmed], 'PUBLISH', 'CONFIRMED'],
    ['cancelled', [created, paid, confirmed, cancelled], 'CANCEL', 'CANCELLED'],
  ])('says how it stands: %s', (_, events, method, status) => {
    const { calendar, event } = parsed(bookingCalendar(facts({ state: stateOf(events as BookingEvent[]) })));
    expect(calendar.getFirstPropertyValue('method')).toBe(method);
    expect(event.component.getFirstPropertyValue('status')).toBe(status);
  });
});

/** RFC 5545, 3.6: properties of the calendar come before its components. RFC 5546, 3.2: what has a method has an organizer. */
const faultsOf = (text: string): string[] => {
  const lines = text.replace(/\r\n[ \t]/g, '').split('\r\n');
  const [begin, end] = [lines.indexOf('BEGIN:VEVENT'), lines.lastIndexOf('END:VEVENT')];
  return [
    ...lines.slice(end + 1).filter((line) => line !== 'END:VCALENDAR' && line !== ''),
    ...(lines.slice(0, begin).some((line) => line.startsWith('METHOD:')) &&
    !lines.slice(begin, end).some((line) => /^ORGANIZER[;:]/.test(line))
      ? ['METHOD without ORGANIZER']
      : []),
    ...(/[\p{Cc}\p{Bidi_Control}]/u.exec(text.replaceAll('\r\n', '')) ? ['a control character'] : []),
    ...text.split('\r\n').filter((line) => Buffer.byteLength(line) > 75),
  ];
};

it('is as the formats want, whatever was stored', () => {
  const title = 'Hotel\u0007 \u000bRosa\u202e\r\nMETHOD:REQUEST';
  const offered = { ...hotel, title, address: 'Lesnaya\n7\u0000' };
  for (const events of [[created], [created, paid, confirmed, cancelled]] as BookingEvent[][]) {
    const text = bookingCalendar(facts({ offered, state: stateOf(events) }));
    expect(faultsOf(text)).toEqual([]);
    const { event } = parsed(text);
    expect([event.summary, event.location]).toEqual(['Hotel  Rosa METHOD:REQUEST', 'Lesnaya 7']);
    expect(event.organizer).toBe('mailto:no-reply@resort.invalid');
  }
});

it('lines are short enough and end as the format wants', () => {
  const long = { ...hotel, title: 'Очень длинное название '.repeat(20) };
  const text = bookingCalendar(facts({ offered: long }));
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  expect(parsed(text).event.summary).toBe(long.title.trim());
});

it('says what was booked in words once its seller was erased, and no place', () => {
  for (const [language, word] of [
    ['ru', 'Отель'],
    ['en', 'Hotel'],
  ] as const) {
    const { event } = parsed(bookingCalendar(facts({ offered: hotel, language })));
    expect(event.summary).toBe(word);
    expect(event.location).toBeNull();
  }
});
