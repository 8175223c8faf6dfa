/** Reported days, targets, and the periods that they count for. */
import { describe, expect, it } from 'vitest';
import { todayIn } from '../../domain/core/dates.ts';
import { periodOf } from '../../domain/tracking/periods.ts';
import { reportedDay } from '../../domain/tracking/reportedDay.ts';
import { progressPct, trackingTargets } from '../../domain/tracking/target.ts';
import { specification } from '../kit/given.ts';
import { DAY, idOf, OWNER, reported, targetSet, totals } from './fixtures.ts';

describe('a reported day', () => {
  const given = specification(reportedDay);
  const report = { type: 'ReportDay', accountId: OWNER, day: DAY, today: DAY, totals } as const;
  it('is recorded once', () => given([]).when(report).thenOnce([reported()]));
  it('replaces what was reported before', () => {
    const more = { ...totals, runs: 10 };
    given([reported()])
      .when({ ...report, totals: more })
      .thenOnce([reported(more)]);
  });
  it('is refused before it has begun, and after 30 days', () => {
    given([])
      .when({ ...report, today: '2026-01-09' })
      .then('invalid');
    given([])
      .when({ ...report, today: '2026-02-09' })
      .then([reported()]);
    given([])
      .when({ ...report, today: '2026-02-10' })
      .then('invalid');
  });
});

describe('a target', () => {
  const given = specification(trackingTargets);
  const targetId = idOf(9);
  const set = { type: 'SetTarget', targetId, metric: 'vertical', period: 'week', value: 10_000 } as const;
  const removed = { type: 'TrackingTargetRemoved', data: { targetId } } as const;
  it('is set once, and to another value', () => {
    given([]).when(set).thenOnce([targetSet()]);
    given([targetSet()])
      .when({ ...set, value: 5 })
      .thenOnce([targetSet(5)]);
  });
  it('is removed once, and can be set again', () => {
    given([targetSet()]).when({ type: 'RemoveTarget', targetId }).thenOnce([removed]);
    given([targetSet(), removed]).when(set).thenOnce([targetSet()]);
    given([]).when({ type: 'RemoveTarget', targetId }).then('not_found');
  });
});

it.each([
  [2_900, 10_000, 29],
  [57, 100, 57],
  [9_999, 10_000, 99],
  [0, 7, 0],
  [7, 7, 100],
  [8, 7, 100],
])('the progress of %i with %i is %i percent', (reached, value, percent) => {
  expect(progressPct({ value }, reached)).toBe(percent);
});

describe('a period', () => {
  it.each([
    ['2026-01-10', '2026-01-05', '2026-01-11'],
    ['2026-01-05', '2026-01-05', '2026-01-11'],
    ['2026-01-04', '2025-12-29', '2026-01-04'],
    ['2026-03-29', '2026-03-23', '2026-03-29'], // the clocks change
  ])('the week of %s is an ISO week', (day, startsOn, endsOn) => {
    expect(periodOf('week', day, '10-01')).toEqual({ startsOn, endsOn });
  });

  it.each([
    ['2026-01-10', '2025-10-01', '2026-09-30'],
    ['2026-10-01', '2026-10-01', '2027-09-30'],
    ['2026-09-30', '2025-10-01', '2026-09-30'],
  ])('the season of %s begins on the day that is set', (day, startsOn, endsOn) => {
    expect(periodOf('season', day, '10-01')).toEqual({ startsOn, endsOn });
  });

  it('a season that begins with the year is the year', () => {
    expect(periodOf('season', '2026-01-01', '01-01')).toEqual({ startsOn: '2026-01-01', endsOn: '2026-12-31' });
  });

  it('the day of a session is that of the resort, also when clocks change', () => {
    // In Vienna clocks go from 02:00 to 03:00 on 2026-03-29, and back on 2026-10-25.
    expect(todayIn('Europe/Vienna', '2026-03-28T22:59:59Z')).toBe('2026-03-28');
    expect(todayIn('Europe/Vienna', '2026-03-28T23:00:00Z')).toBe('2026-03-29');
    expect(todayIn('Europe/Vienna', '2026-03-29T21:59:59Z')).toBe('2026-03-29');
    expect(todayIn('Europe/Vienna', '2026-03-29T22:00:00Z')).toBe('2026-03-30');
    expect(todayIn('Europe/Vienna', '2026-10-25T22:59:59Z')).toBe('2026-10-25');
    expect(todayIn('Europe/Vienna', '2026-10-25T23:00:00Z')).toBe('2026-10-26');
  });
});
