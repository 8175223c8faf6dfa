import { describe, expect, it } from 'vitest';
import { quoteLesson } from '../../domain/catalog/instructor.ts';
import { quoteTable, tablesFor } from '../../domain/catalog/restaurant.ts';
import { cellsBetween, isOpen, lastsAt, openingDateOf, openingsOn, startsOn } from '../../domain/catalog/slots.ts';
import { departuresOf, quoteTour } from '../../domain/catalog/tour.ts';
import { quoteRide } from '../../domain/catalog/transfer.ts';
import { addDays, WEEKDAYS } from '../../domain/core/dates.ts';
import { addMinutes, instantOf } from '../../domain/core/instants.ts';
import { fixed, instructorDetails, restaurantDetails, tourDetails, transferDetails } from './listingFixtures.ts';

const AT = '2026-12-01T09:00:00.000Z';
const published = { ...fixed, status: 'published' } as const;
const tour = { ...published, ...tourDetails };
const restaurant = { ...published, ...restaurantDetails };
const transfer = { ...published, ...transferDetails };
const instructor = { ...published, ...instructorDetails };
/** An instant by the clocks of Moscow, which are three hours ahead. */
const msk = (dateTime: string): string => new Date(`${dateTime}:00+03:00`).toISOString();
const daily = [...WEEKDAYS];

it('the busiest possible listings are calculated quickly', () => {
  const times = Array.from({ length: 96 }, (_, n) => instantOf(n * 900_000).slice(11, 16));
  const schedule = times.map((time) => ({ from: '2026-12-01', to: '2026-12-31', weekdays: daily, time }));
  const busy = { ...tour, schedule };
  const hours = Array.from({ length: 50 }, () => ({ weekdays: daily, from: '00:00', to: '24:00' }));
  const before = process.cpuUsage();
  const departures = departuresOf(busy, '2026-12-02', '2026-12-12');
  const quotes = departures.map(({ slotStart }) => quoteTour(busy, { slotStart, guests: 1, at: AT }));
  const starts = startsOn({ ...restaurant, hours }, '2026-12-02', 90);
  const open = starts.filter((slotStart) => isOpen({ ...restaurant, hours }, slotStart, slotStart));
  expect([quotes.filter(({ offer }) => offer !== null).length, open.length]).toEqual([960, 91]);
  // Processor time, so that a busy machine does not fail the test.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
});

describe('departures', () => {
  it('are on the days of the schedule, by the clocks of the place', () =>
    expect(departuresOf(tour, '2026-12-04', '2026-12-12')).toEqual([
      { slotStart: msk('2026-12-04T20:00'), slotEnd: msk('2026-12-04T21:30') },
      { slotStart: msk('2026-12-05T20:00'), slotEnd: msk('2026-12-05T21:30') },
      { slotStart: msk('2026-12-11T20:00'), slotEnd: msk('2026-12-11T21:30') },
    ]));
  it('are not on closed dates, nor outside the season', () => {
    expect(departuresOf(tour, '2027-01-01', '2027-01-02')).toEqual([]);
    expect(departuresOf(tour, '2026-11-01', '2026-12-01')).toEqual([]);
    expect(departuresOf(tour, '2027-04-01', '2027-05-01')).toEqual([]);
  });
  it('are listed once where two rules agree, and in order', () => {
    const rule = { from: '2026-12-04', to: '2026-12-04', weekdays: daily };
    const schedule = [{ ...rule, time: '20:00' }, { ...rule, time: '09:00' }, ...tour.schedule];
    expect(departuresOf({ ...tour, schedule }, '2026-12-04', '2026-12-05').map((one) => one.slotStart)).toEqual([
      msk('2026-12-04T09:00'),
      msk('2026-12-04T20:00'),
    ]);
  });
  it('keep the clock time when the clocks change', () => {
    const schedule = [{ from: '2027-03-27', to: '2027-03-28', weekdays: daily, time: '09:00' }];
    const alpine = { ...tour, timezone: 'Europe/Vienna', schedule };
    expect(departuresOf(alpine, '2027-03-27', '2027-03-29').map((one) => one.slotStart)).toEqual([
      '2027-03-27T08:00:00.000Z',
      '2027-03-28T07:00:00.000Z',
    ]);
  });
});

describe('a seat on a tour', () => {
  const quote = (changes: object = {}, of: object = {}) =>
    quoteTour({ ...tour, ...of }, { slotStart: msk('2026-12-04T20:00'), guests: 3, at: AT, ...changes });

  it('costs a price for each guest', () =>
    expect(quote()).toEqual({
      offer: {
        slotStart: msk('2026-12-04T20:00'),
        slotEnd: msk('2026-12-04T21:30'),
        lines: [{ kind: 'item', name: 'seat', quantity: 3, unitMinor: 450_000, amountMinor: 1_350_000 }],
        totalMinor: 1_350_000,
      },
      reasons: [],
    }));
  it('is at a departure, however its instant is written', () => {
    expect(quote({ slotStart: '2026-12-04T20:00:00+03:00' }).offer?.slotStart).toBe(msk('2026-12-04T20:00'));
    expect(quote({ slotStart: msk('2026-12-04T20:15') }).reasons).toEqual(['not_offered']);
    expect(quote({ slotStart: msk('2026-12-06T20:00') }).reasons).toEqual(['not_offered']);
    expect(quote({ slotStart: msk('2027-01-01T20:00') }).reasons).toEqual(['not_offered']);
  });
  it('is available for as many guests as there are seats', () => {
    expect(quote({ guests: 8 }).offer).not.toBeNull();
    expect(quote({ guests: 9 }).reasons).toEqual(['capacity']);
  });
  it('is not sold when closed, past, too far ahead or off the grid', () => {
    expect(quote({}, { status: 'closed' }).reasons).toEqual(['closed']);
    expect(quote({ at: msk('2026-12-04T20:01') }).reasons).toEqual(['past']);
    expect(quote({ at: '2025-11-01T00:00:00Z' }).reasons).toEqual(['too_far']);
    expect(quote({ slotStart: msk('2026-12-04T20:07') }).reasons).toEqual(['off_grid', 'not_offered']);
  });
});

describe('a table', () => {
  const quote = (slotStart: string, changes: object = {}, of: object = {}) =>
    quoteTable({ ...restaurant, ...of }, { seats: 6 }, { slotStart, guests: 4, at: AT, ...changes });

  it('costs a deposit for each guest, or nothing', () => {
    expect(quote(msk('2026-12-04T19:00')).offer).toEqual({
      startsOn: '2026-12-04',
      slotStart: msk('2026-12-04T19:00'),
      slotEnd: msk('2026-12-04T21:00'),
      lines: [{ kind: 'item', name: 'deposit', quantity: 4, unitMinor: 50_000, amountMinor: 200_000 }],
      totalMinor: 200_000,
    });
    expect(quote(msk('2026-12-04T19:00'), {}, { depositPerGuestMinor: 0 }).offer).toMatchObject({
      lines: [],
      totalMinor: 0,
    });
  });
  it('is available for a whole sitting, also past midnight', () => {
    expect(quote(msk('2026-12-05T00:00')).offer).toMatchObject({
      startsOn: '2026-12-04',
      slotEnd: msk('2026-12-05T02:00'),
    });
    expect(quote(msk('2026-12-05T00:15')).reasons).toEqual(['not_offered']);
    expect(quote(msk('2026-12-04T11:45')).reasons).toEqual(['not_offered']);
  });
  it('is not available in the night after a closed date, but in the one before', () => {
    expect(quote(msk('2026-12-31T00:00')).offer).not.toBeNull();
    expect(quote(msk('2026-12-31T12:00')).reasons).toEqual(['not_offered']);
    expect(quote(msk('2027-01-01T00:00')).reasons).toEqual(['not_offered']);
  });
  it('on request is not available less than half an hour before its start', () => {
    const at = (minutes: number) => ({ at: addMinutes(msk('2026-12-04T19:00'), -minutes) });
    expect(quote(msk('2026-12-04T19:00'), at(30)).offer).not.toBeNull();
    expect(quote(msk('2026-12-04T19:00'), at(29)).reasons).toEqual(['too_late']);
    expect(quote(msk('2026-12-04T19:00'), at(-1)).reasons).toEqual(['past']);
    expect(quote(msk('2026-12-04T19:00'), at(1), { confirmation: 'instant' }).offer).not.toBeNull();
  });
  it('seats no more guests than it has chairs', () =>
    expect(quote(msk('2026-12-04T19:00'), { guests: 7 }).reasons).toEqual(['capacity']));
  it('is found by size, the smallest first, unless it is out of sale', () => {
    const names = (guests: number, tables = restaurant.tables) => tablesFor(tables, guests).map((one) => one.name);
    expect(names(2)).toEqual(['By the window', 'Round table']);
    expect(names(3)).toEqual(['Round table']);
    expect(names(7)).toEqual([]);
    const gone = restaurant.tables.map((one) => ({ ...one, units: 0 }));
    expect(names(1, gone)).toEqual([]);
  });
});

describe('a ride', () => {
  const sedan = transferDetails.vehicles[0] as (typeof transferDetails.vehicles)[number];
  const quote = (slotStart: string, changes: object = {}) =>
    quoteRide(transfer, sedan, { slotStart, guests: 3, at: AT, ...changes });

  it('costs the price of the vehicle, however many guests ride', () =>
    expect(quote(msk('2026-12-04T08:00'), { guests: 1 }).offer).toEqual({
      slotStart: msk('2026-12-04T08:00'),
      slotEnd: msk('2026-12-04T09:00'),
      lines: [{ kind: 'item', name: 'Sedan', quantity: 1, unitMinor: 300_000, amountMinor: 300_000 }],
      totalMinor: 300_000,
    }));
  it('begins within service hours, to the last minute of the day', () => {
    expect(quote(msk('2026-12-04T23:45')).offer?.slotEnd).toBe(msk('2026-12-05T00:45'));
    expect(quote(msk('2026-12-05T00:15')).reasons).toEqual(['not_offered']);
    expect(quote(msk('2026-12-04T05:45')).reasons).toEqual(['not_offered']);
    expect(quote(msk('2026-12-31T08:00')).reasons).toEqual(['not_offered']);
  });
  it('takes as many as it seats', () =>
    expect(quote(msk('2026-12-04T08:00'), { guests: 4 }).reasons).toEqual(['capacity']));
});

describe('a lesson', () => {
  const quote = (slotStart: string, slotEnd: string, changes: object = {}) =>
    quoteLesson(instructor, { slotStart, slotEnd, guests: 2, at: AT, ...changes });

  it('costs by the hour, to the quarter', () =>
    expect(quote(msk('2026-12-04T10:00'), msk('2026-12-04T11:15')).offer).toMatchObject({
      lines: [{ name: 'lesson', quantity: 1, amountMinor: 500_000 }],
      totalMinor: 500_000,
    }));
  it('lasts an hour at least and eight at most', () => {
    expect(quote(msk('2026-12-04T10:00'), msk('2026-12-04T10:45')).reasons).toEqual(['too_short']);
    expect(quote(msk('2026-12-04T07:00'), msk('2026-12-04T15:15')).reasons).toEqual(['too_long', 'not_offered']);
    expect(quote(msk('2026-12-04T10:00'), msk('2026-12-04T09:00')).reasons).toContain('too_short');
  });
  it('is within working hours and on the grid', () => {
    expect(quote(msk('2026-12-04T15:00'), msk('2026-12-04T16:00')).offer).not.toBeNull();
    expect(quote(msk('2026-12-04T15:15'), msk('2026-12-04T16:15')).reasons).toEqual(['not_offered']);
    expect(quote(msk('2026-12-05T10:00'), msk('2026-12-05T11:00')).reasons).toEqual(['not_offered']);
    expect(quote(msk('2026-12-31T10:00'), msk('2026-12-31T11:00')).reasons).toEqual(['not_offered']);
    expect(quote(msk('2026-12-04T10:00'), msk('2026-12-04T11:05')).reasons).toEqual(['off_grid']);
    expect(quote(msk('2026-12-04T10:05'), msk('2026-12-04T11:05')).reasons).toEqual(['off_grid']);
  });
  it('is for a small group', () =>
    expect(quote(msk('2026-12-04T10:00'), msk('2026-12-04T11:00'), { guests: 5 }).reasons).toEqual(['capacity']));
});

describe('opening hours', () => {
  const open = (timezone: string, from: string, to: string) => ({
    hours: [{ weekdays: daily, from, to }],
    closedDates: [],
    timezone,
  });

  it('are as long as the night is when the clocks change', () => {
    const [spring] = openingsOn(open('Europe/Vienna', '22:00', '05:00').hours, 'Europe/Vienna', '2027-03-27');
    expect(spring).toEqual({ opens: '2027-03-27T21:00:00.000Z', closes: '2027-03-28T03:00:00.000Z' });
    const [autumn] = openingsOn(open('Europe/Vienna', '22:00', '05:00').hours, 'Europe/Vienna', '2027-10-30');
    expect(autumn).toEqual({ opens: '2027-10-30T20:00:00.000Z', closes: '2027-10-31T04:00:00.000Z' });
  });
  it.each([
    ['when the clocks skip the closing time', '2027-03-27', '02:00', '2027-03-28T01:00:00.000Z', 8],
    ['when the closing time comes twice: at the first', '2027-10-30', '02:00', '2027-10-31T00:00:00.000Z', 8],
    ['when an hour comes twice before it', '2027-10-30', '03:00', '2027-10-31T02:00:00.000Z', 10],
  ])('past midnight belong to the evening, %s', (_, evening, to, closes, hours) => {
    const place = { ...open('Europe/Vienna', '18:00', to), closedDates: [addDays(evening, 1)] };
    const starts = startsOn(place, evening, 60);
    expect(starts).toHaveLength((hours - 1) * 4 + 1);
    for (const start of starts) expect(openingDateOf(place, start, addMinutes(start, 60)), start).toBe(evening);
    expect(addMinutes(starts.at(-1) ?? '', 60)).toBe(closes);
    expect(openingDateOf(place, addMinutes(starts.at(-1) ?? '', 15), addMinutes(closes, 15))).toBeNull();
  });
  it('last after midnight, until they close', () => {
    const place = open('Europe/Vienna', '18:00', '02:00');
    const lasts = (at: string) => lastsAt(place, '2026-12-04', `${at}+01:00`);
    expect(['2026-12-04T17:59', '2026-12-04T18:00', '2026-12-05T01:59', '2026-12-05T02:00'].map(lasts)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
  it('of two days that both hold a slot count as those of its own date', () => {
    const { hours, ...place } = open('UTC', '18:00', '02:00');
    const allDay = { ...place, hours: [...hours, { weekdays: daily, from: '00:00', to: '24:00' }] };
    expect(openingDateOf(allDay, '2026-12-05T00:30:00Z', '2026-12-05T01:30:00Z')).toBe('2026-12-05');
  });
  it('hold a slot only as a whole', () => {
    const place = open('UTC', '10:00', '12:00');
    expect(isOpen(place, '2026-12-04T10:00:00Z', '2026-12-04T12:00:00Z')).toBe(true);
    expect(isOpen(place, '2026-12-04T09:45:00Z', '2026-12-04T11:00:00Z')).toBe(false);
    expect(isOpen({ ...place, closedDates: ['2026-12-04'] }, '2026-12-04T10:00:00Z', '2026-12-04T11:00:00Z')).toBe(
      false,
    );
  });
  it('say when a slot can begin: every quarter of an hour until it no longer fits', () => {
    expect(startsOn(open('UTC', '10:00', '12:00'), '2026-12-04', 90)).toEqual([
      '2026-12-04T10:00:00.000Z',
      '2026-12-04T10:15:00.000Z',
      '2026-12-04T10:30:00.000Z',
    ]);
    expect(startsOn(open('UTC', '10:00', '11:00'), '2026-12-04', 90)).toEqual([]);
    expect(startsOn({ ...open('UTC', '10:00', '12:00'), closedDates: ['2026-12-04'] }, '2026-12-04', 60)).toEqual([]);
    expect(startsOn(open('Europe/Vienna', '01:00', '04:00'), '2027-03-28', 60)).toHaveLength(5);
  });
  it('say it once where two of them overlap', () => {
    const { hours, ...place } = open('UTC', '10:00', '12:00');
    const both = { ...place, hours: [...hours, { weekdays: daily, from: '11:00', to: '13:00' }] };
    expect(startsOn(both, '2026-12-04', 60).map((one) => one.slice(11, 16))).toEqual([
      '10:00',
      '10:15',
      '10:30',
      '10:45',
      '11:00',
      '11:15',
      '11:30',
      '11:45',
      '12:00',
    ]);
  });
  it('are cut into cells of a quarter of an hour', () => {
    expect(cellsBetween('2026-12-04T10:00:00Z', '2026-12-04T10:30:00Z')).toEqual([
      '2026-12-04T10:00:00.000Z',
      '2026-12-04T10:15:00.000Z',
    ]);
    expect(cellsBetween('2026-12-04T10:00:00Z', '2026-12-04T10:00:00Z')).toEqual([]);
  });
});
