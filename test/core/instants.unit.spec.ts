/** Arithmetic with instants: their texts may have an offset and any number of digits. */
import { expect, it } from 'vitest';
import {
  addMinutes,
  addMs,
  DAY_MS,
  HOUR_MS,
  hasCome,
  instantOf,
  isAfter,
  isBefore,
  MINUTE_MS,
  minutesBetween,
  msBetween,
} from '../../domain/core/instants.ts';

const NOON = '2026-12-04T12:00:00.000Z';
const NOON_IN_MOSCOW = '2026-12-04T15:00:00+03:00';
const A_MS_LATER = '2026-12-04T12:00:00.001Z';

it('lengths of time are milliseconds', () => {
  expect([MINUTE_MS, HOUR_MS, DAY_MS]).toEqual([60_000, 3_600_000, 86_400_000]);
});

it('an instant is written in UTC with milliseconds', () => {
  expect(instantOf(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(addMs(NOON_IN_MOSCOW, 0)).toBe(NOON);
});

it.each([
  [1, A_MS_LATER],
  [12 * HOUR_MS, '2026-12-05T00:00:00.000Z'],
  [-4 * DAY_MS, '2026-11-30T12:00:00.000Z'],
])('%i ms after noon it is %s', (ms, expected) => {
  expect(addMs(NOON, ms)).toBe(expected);
  expect(msBetween(NOON, expected)).toBe(ms);
  expect(msBetween(expected, NOON_IN_MOSCOW)).toBe(-ms);
});

it('minutes are added, and counted with their fractions', () => {
  expect(addMinutes(NOON, -90)).toBe('2026-12-04T10:30:00.000Z');
  expect(minutesBetween(NOON, '2026-12-04T12:01:30Z')).toBe(1.5);
});

it.each([
  { at: NOON, isEarlier: false, isLater: false, come: true },
  { at: NOON_IN_MOSCOW, isEarlier: false, isLater: false, come: true },
  { at: A_MS_LATER, isEarlier: true, isLater: false, come: true },
  { at: '2026-12-04T12:00:00+03:00', isEarlier: false, isLater: true, come: false },
])('noon compared with $at', ({ at, isEarlier, isLater, come }) => {
  expect([isBefore(NOON, at), isAfter(NOON, at), hasCome(NOON, at)]).toEqual([isEarlier, isLater, come]);
});
