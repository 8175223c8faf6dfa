/** Quiet hours: past midnight, in a named time zone, on the days when the clocks change. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { notificationLanguage } from '../../domain/core/notification.ts';
import { quietUntil } from '../../domain/push/quietHours.ts';

const night = { from: '22:00', to: '08:00', timezone: 'Europe/Berlin' };
const noon = { from: '12:00', to: '14:30', timezone: 'Asia/Kolkata' };

it.each([
  ['before the evening', night, '2026-07-01T19:59:59Z', null],
  ['from the evening on', night, '2026-07-01T20:00:00Z', '2026-07-02T06:00:00.000Z'],
  ['after midnight', night, '2026-07-01T23:00:00Z', '2026-07-02T06:00:00.000Z'],
  ['until the morning', night, '2026-07-02T06:00:00Z', null],
  ['within a day', noon, '2026-07-01T07:00:00Z', '2026-07-01T09:00:00.000Z'],
  ['outside of the hours of a day', noon, '2026-07-01T09:00:00Z', null],
  // The clocks go from 02:00 to 03:00: the night has an hour less.
  ['in the night in which the clocks go forward', night, '2026-03-28T21:00:00Z', '2026-03-29T06:00:00.000Z'],
  ['in the night in which the clocks go back', night, '2026-10-24T20:00:00Z', '2026-10-25T07:00:00.000Z'],
  ['to a time that is skipped', { ...night, to: '02:30' }, '2026-03-29T00:30:00Z', '2026-03-29T01:30:00.000Z'],
  [
    'to a time that comes twice, the first time',
    { ...night, to: '02:30' },
    '2026-10-25T00:10:00Z',
    '2026-10-25T00:30:00.000Z',
  ],
  ['to a time that comes twice, the second time', { ...night, to: '02:30' }, '2026-10-25T01:10:00Z', null],
])('%s', (_, quiet, at, until) => {
  expect(quietUntil(quiet, at)).toBe(until);
});

it('always end later than now, and within a day and an hour', () => {
  const clock = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
  const zones = fc.constantFrom('Europe/Moscow', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC');
  const instants = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(clock, clock, zones, instants, (from, to, timezone, date) => {
      fc.pre(from !== to);
      const at = date.toISOString();
      const until = quietUntil({ from, to, timezone }, at);
      if (until === null) return;
      expect(Date.parse(until)).toBeGreaterThan(date.getTime());
      expect(Date.parse(until) - date.getTime()).toBeLessThanOrEqual(25 * HOUR_MS);
    }),
  );
});

it('nobody is told in a language that there are no texts in', () => {
  expect(['ru', 'ru-RU', 'en-GB', 'de', 'rue'].map(notificationLanguage)).toEqual(['ru', 'ru', 'en', 'en', 'en']);
});
