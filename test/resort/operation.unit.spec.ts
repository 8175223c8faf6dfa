/** The state of lifts and slopes at any instant. */
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { altitudesOf, lengthOf } from '../../domain/resort/geometry.ts';
import { type Operated, stateAt } from '../../domain/resort/operation.ts';
import { NO_REPORTS, nextQueueEnd, type QueueReports, queueAt } from '../../domain/resort/queue.ts';
import { openSpans, type Schedule } from '../../domain/resort/schedule.ts';
import { sampleLifts, sampleSlopes, slopeDetails } from '../../ops/seed/mountain.ts';
import { id, liftOf, winter } from './resortFixtures.ts';

const MOSCOW = 'Europe/Moscow'; // UTC+3 all year
const PARIS = 'Europe/Paris';
const bySchedule: Operated = { schedule: winter, override: null, isRetired: false };
const at = (instant: string, operated = bySchedule, zone = MOSCOW) => stateAt(operated, zone, instant);

describe('the schedule', () => {
  it.each([
    ['before it opens', '2027-01-13T05:59:59Z', 'scheduled', '2027-01-13T06:00:00.000Z'],
    ['when it opens', '2027-01-13T06:00:00Z', 'open', '2027-01-13T13:00:00.000Z'],
    ['when it closes', '2027-01-13T13:00:00Z', 'closed', '2027-01-13T21:00:00.000Z'],
    ['between the day and the evening', '2027-01-16T14:00:00Z', 'scheduled', '2027-01-16T15:00:00.000Z'],
    ['in the evening', '2027-01-16T18:59:00Z', 'open', '2027-01-16T19:00:00.000Z'],
    ['on a short day', '2026-12-31T11:00:00Z', 'closed', '2026-12-31T21:00:00.000Z'],
    ['on a closed day, until the morning after begins', '2027-01-10T09:00:00Z', 'closed', '2027-01-10T21:00:00.000Z'],
    ['long before the season', '2026-10-01T09:00:00Z', 'closed', null],
  ])('%s', (_, instant, status, until) => {
    expect(at(instant)).toEqual({ status, source: 'schedule', reason: null, until });
  });

  it('is that of the resort, wherever the server is', () => {
    expect(at('2027-01-13T15:30:00Z', bySchedule, 'America/Denver').status).toBe('scheduled');
    expect(at('2027-01-13T16:30:00Z', bySchedule, 'America/Denver').status).toBe('open');
  });

  it('keeps the hours of the clocks when they are changed', () => {
    expect(at('2027-03-27T08:00:00Z', bySchedule, PARIS).status).toBe('open'); // 9:00 in winter
    expect(at('2027-03-27T07:59:00Z', bySchedule, PARIS).status).toBe('scheduled');
    expect(at('2027-03-28T07:00:00Z', bySchedule, PARIS)).toMatchObject({
      status: 'open', // 9:00 in summer
      until: '2027-03-28T14:00:00.000Z',
    });
    expect(at('2027-03-28T06:59:00Z', bySchedule, PARIS).status).toBe('scheduled');
  });

  it('counts a skipped hour as no time, and one that comes twice from its first occurrence', () => {
    const night = (opens: string, closes: string): Schedule => ({
      seasons: [],
      exceptions: [{ from: '2026-01-01', until: '2028-01-01', hours: [{ opens, closes }], note: null }],
    });
    const hours = (schedule: Schedule, date: string) =>
      openSpans(schedule, PARIS, date).map(({ from, to }) => (to - from) / HOUR_MS);
    expect(hours(night('01:00', '04:00'), '2027-03-28')).toEqual([2]);
    expect(hours(night('01:00', '04:00'), '2027-10-31')).toEqual([4]);
    expect(hours(night('00:00', '24:00'), '2027-03-28')).toEqual([23]);
  });
});

describe('what a person has set', () => {
  const set = (status: 'open' | 'closed' | 'hold', until: string | null, reason: string | null = null): Operated => ({
    ...bySchedule,
    override: { status, until, reason },
  });

  it('counts against the schedule until its time', () => {
    const stopped = set('hold', '2027-01-13T08:00:00Z', 'Wind');
    expect(at('2027-01-13T07:59:59Z', stopped)).toEqual({
      status: 'hold',
      source: 'manual',
      reason: 'Wind',
      until: '2027-01-13T08:00:00.000Z',
    });
    expect(at('2027-01-13T08:00:00Z', stopped)).toMatchObject({ status: 'open', source: 'schedule', reason: null });
  });

  it('counts until it is changed, also out of season and without a schedule', () => {
    const open = set('open', null);
    expect(at('2026-08-01T00:00:00Z', open)).toEqual({ status: 'open', source: 'manual', reason: null, until: null });
    expect(at('2026-08-01T00:00:00Z', { ...open, schedule: null }).status).toBe('open');
  });

  it('means nothing to one that is retired; without a schedule it is closed', () => {
    expect(at('2027-01-13T07:00:00Z', { ...set('open', null), isRetired: true })).toMatchObject({ status: 'closed' });
    expect(at('2027-01-13T07:00:00Z', { ...bySchedule, schedule: null })).toMatchObject({
      status: 'closed',
      source: 'none',
      until: null,
    });
  });
});

describe('a queue', () => {
  const NOW = '2027-01-13T10:00:00.000Z';
  const report = (people: number | null, minutes: number | null, validUntil: string) => ({
    people,
    minutes,
    measuredAt: '2027-01-13T09:50:00.000Z',
    validUntil,
  });
  const later = '2027-01-13T10:05:00.000Z';
  const known = (
    reports: Partial<QueueReports>,
    status: 'open' | 'closed' | 'hold' = 'open',
    capacity: number | null = 2_400,
  ) => queueAt({ ...NO_REPORTS, ...reports }, capacity, status, NOW);

  it('is the people over the capacity, and never 0 because it is unknown', () => {
    expect(known({ manual: report(200, null, later) })).toMatchObject({
      queueMinutes: 5,
      queuePeople: 200,
      queueSource: 'manual',
    });
    expect(known({ manual: report(0, null, later) }).queueMinutes).toBe(0);
    expect(known({}).queueMinutes).toBeNull();
    expect(known({ manual: report(200, null, later) }, 'open', null).queueMinutes).toBeNull();
    expect(known({ manual: report(null, 12, later) }, 'open', null).queueMinutes).toBe(12);
  });

  it('is the first valid one: a person, then scans, then skiers', () => {
    const scans = report(400, null, later);
    expect(known({ manual: report(null, 5, later), scans }).queueSource).toBe('manual');
    expect(known({ manual: report(null, 5, NOW), scans }).queueSource).toBe('scans');
    expect(known({ scans: report(1, null, NOW), skiers: report(2, null, later) }).queueSource).toBe('skiers');
    expect(known({ manual: report(null, 5, NOW) }).queueMinutes).toBeNull();
  });

  it('is not there while the lift is closed, whatever an old report says', () => {
    expect(known({ manual: report(null, 5, later) }, 'closed').queueMinutes).toBeNull();
    expect(known({ manual: report(null, 5, later) }, 'hold').queueMinutes).toBe(5);
  });

  it('ends next when the first valid report ends', () => {
    const reports = { manual: report(null, 5, NOW), scans: report(1, null, later), skiers: null };
    expect(nextQueueEnd(reports, NOW)).toBe(later);
    expect(nextQueueEnd(reports, later)).toBeNull();
  });
});

describe('geometry', () => {
  it('is measured with its inclination', () => {
    const { geometry } = liftOf();
    expect(lengthOf(geometry)).toBeGreaterThan(1_500);
    expect(lengthOf(geometry)).toBeLessThan(1_700);
    expect(altitudesOf(geometry)).toEqual({ bottom: 560, top: 1_170 });
    const flat = { type: 'LineString' as const, coordinates: geometry.coordinates.map((point) => point.slice(0, 2)) };
    expect(lengthOf(flat)).toBeLessThan(lengthOf(geometry) as number);
    expect(altitudesOf(flat)).toEqual({ bottom: null, top: null });
  });

  it('of the demo connects every slope with a lift, downhill', () => {
    expect([sampleLifts.length, sampleSlopes.length]).toEqual([12, 30]);
    const ids = { lift: () => id(1), slope: () => id(2) };
    for (const sample of sampleSlopes) {
      const { toLifts, toSlopes, geometry } = slopeDetails(sample, 2027, ids);
      const leadingThere = [...sampleLifts, ...sampleSlopes].filter(({ to }) => to === sample.from);
      expect(leadingThere.length, sample.name).toBeGreaterThan(0);
      expect(toLifts.length + toSlopes.length, sample.name).toBeGreaterThan(0);
      const altitudes = (geometry.coordinates as number[][]).map(([, , altitude = 0]) => altitude);
      expect(altitudes, sample.name).toEqual(altitudes.toSorted((a, b) => b - a));
    }
  });
});
