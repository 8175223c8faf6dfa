/** Buckets of scores, and the periods of boards. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boardsOf, closesAt } from '../../domain/leaderboards/board.ts';
import { bucketOf, lowestOf } from '../../domain/leaderboards/score.ts';

const anyScore = fc.oneof(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 0, max: 2_000 }));

describe('buckets', () => {
  it('hold the scores between their lowest and that of the next one', () => {
    fc.assert(
      fc.property(anyScore, (score) => {
        const bucket = bucketOf(score);
        expect(lowestOf(bucket)).toBeLessThanOrEqual(score);
        expect(lowestOf(bucket + 1)).toBeGreaterThan(score);
        expect(bucketOf(lowestOf(bucket))).toBe(bucket);
      }),
    );
  });

  it('are narrow, and never lower for a higher score', () => {
    fc.assert(
      fc.property(anyScore, anyScore, (a, b) => {
        expect(bucketOf(Math.max(a, b))).toBeGreaterThanOrEqual(bucketOf(Math.min(a, b)));
        const bucket = bucketOf(a);
        expect(lowestOf(bucket + 1) - lowestOf(bucket)).toBeLessThanOrEqual(Math.max(1, a / 128));
      }),
    );
  });
});

describe('boards', () => {
  it('of a day are those of its week, month and season at the resort', () => {
    const calendar = { timezone: 'Europe/Moscow', seasonBegins: '10-01' };
    expect(boardsOf('2027-01-01', calendar).map(({ board }) => board)).toEqual([
      'day:2027-01-01',
      'week:2026-12-28',
      'month:2027-01-01',
      'season:2026-10-01',
    ]);
    const [, , month] = boardsOf('2028-02-10', calendar);
    expect(month?.period).toEqual({ startsOn: '2028-02-01', endsOn: '2028-02-29' });
  });

  it('close 72 hours after the end, also when clocks change', () => {
    expect(closesAt({ endsOn: '2026-12-30' }, { timezone: 'Europe/Moscow' })).toBe('2027-01-02T21:00:00.000Z');
    // In Paris summer time begins on the last Sunday of March.
    expect(closesAt({ endsOn: '2027-03-28' }, { timezone: 'Europe/Paris' })).toBe('2027-03-31T22:00:00.000Z');
  });
});
