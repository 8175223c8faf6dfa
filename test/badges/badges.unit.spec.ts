/** Badges: what they are given for, who gets them, and how far somebody is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badgePolicy } from '../../commands/badges/policy.ts';
import { type Badge, type BadgeEvent, badgeCatalogue, MAX_BADGES } from '../../domain/badges/catalogue.ts';
import { badgeHolder, type HolderEvent } from '../../domain/badges/holder.ts';
import { type BadgeRule, type Fact, isReached, progressPct, valueOn } from '../../domain/badges/rule.ts';
import { contextOf } from '../kit/context.ts';
import { specification } from '../kit/given.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened } from '../kit/projected.ts';
import { idOf } from '../tracking/fixtures.ts';

const ID = '018f0000-0000-7000-8000-00000000000b';
const rule: BadgeRule = { metric: 'vertical', threshold: 10_000, window: 'week', season: null };
const badge: Badge = {
  name: { ru: 'Десять тысяч', en: 'Ten thousand' },
  description: { ru: 'За неделю.', en: 'In one week.' },
  ...rule,
};
const defined: BadgeEvent = { type: 'BadgeDefined', data: { badgeId: ID, badge } };
const retired: BadgeEvent = { type: 'BadgeRetired', data: { badgeId: ID } };

describe('the catalogue', () => {
  const given = specification(badgeCatalogue);

  it('takes a badge once, changes and retires it', () => {
    given([]).when({ type: 'DefineBadge', badgeId: ID, badge }).thenOnce([defined]);
    const easier = { ...badge, threshold: 5_000 };
    given([defined])
      .when({ type: 'ChangeBadge', badgeId: ID, badge: easier })
      .thenOnce([{ type: 'BadgeChanged', data: { badgeId: ID, badge: easier } }]);
    given([defined]).when({ type: 'ChangeBadge', badgeId: ID, badge }).then([]);
    given([defined]).when({ type: 'RetireBadge', badgeId: ID }).thenOnce([retired]);
  });

  it('refuses what does not exist, was retired, or makes no sense', () => {
    given([]).when({ type: 'ChangeBadge', badgeId: ID, badge }).then('not_found');
    given([]).when({ type: 'RetireBadge', badgeId: ID }).then('not_found');
    given([defined, retired]).when({ type: 'ChangeBadge', badgeId: ID, badge }).then('invalid_transition');
    const weekly = { ...badge, metric: 'friends' } as const;
    given([]).when({ type: 'DefineBadge', badgeId: ID, badge: weekly }).then('invalid');
  });

  it('is bounded', () => {
    const full = Array.from(
      { length: MAX_BADGES },
      (_, n): BadgeEvent => ({
        type: 'BadgeDefined',
        data: { badgeId: `018f0000-0000-7000-8000-0000000${String(n).padStart(5, '0')}`, badge },
      }),
    );
    given(full).when({ type: 'DefineBadge', badgeId: ID, badge }).then('conflict');
  });
});

describe('a holder', () => {
  const given = specification(badgeHolder);
  const of = { accountId: '018f0000-0000-7000-8000-00000000000a', badgeId: ID };
  const awarded: HolderEvent = { type: 'BadgeAwarded', data: { ...of, rule } };
  const revoked: HolderEvent = { type: 'BadgeRevoked', data: { ...of, cause: 'track_disqualified' } };

  it('gets a badge once, whatever its rule is now, and can earn it again after it was taken back', () => {
    given([])
      .when({ type: 'AwardBadge', ...of, rule })
      .thenOnce([awarded]);
    given([awarded])
      .when({ type: 'AwardBadge', ...of, rule: { ...rule, threshold: 1 } })
      .then([]);
    given([awarded])
      .when({ type: 'RevokeBadge', ...of, cause: 'track_disqualified' })
      .thenOnce([revoked]);
    given([awarded, revoked])
      .when({ type: 'AwardBadge', ...of, rule })
      .thenOnce([awarded]);
  });
});

describe('a rule', () => {
  const SEASON = '10-01';
  const facts: Fact[] = [
    { metric: 'vertical', day: '2026-12-27', amount: 9_000 }, // Sunday
    { metric: 'vertical', day: '2026-12-28', amount: 5_000 }, // Monday
    { metric: 'vertical', day: '2027-01-03', amount: 4_999 }, // Sunday
    { metric: 'runs', day: '2026-12-28', amount: 50_000 },
  ];
  const reaches = (changes: Partial<BadgeRule>): boolean => isReached({ ...rule, ...changes }, facts, SEASON);

  it('counts what happened within one window', () => {
    expect(reaches({ threshold: 9_999 })).toBe(true);
    expect(reaches({ threshold: 10_000 })).toBe(false);
    expect(reaches({ window: 'month', threshold: 14_000 })).toBe(true);
    expect(reaches({ window: 'season', threshold: 18_999 })).toBe(true);
    expect(reaches({ window: 'day', threshold: 9_001 })).toBe(false);
  });

  it('counts only its season', () => {
    expect(reaches({ window: 'ever', season: 2026, threshold: 18_999 })).toBe(true);
    expect(reaches({ window: 'ever', season: 2025, threshold: 1 })).toBe(false);
    expect(valueOn({ ...rule, season: 2025 }, facts, '2026-12-28', SEASON)).toBe(0);
    // The first week of a season may have begun before it.
    const around: Fact[] = [
      { metric: 'vertical', day: '2026-09-30', amount: 1 },
      { metric: 'vertical', day: '2026-10-01', amount: 2 },
    ];
    expect(valueOn({ ...rule, season: 2026 }, around, '2026-10-02', SEASON)).toBe(2);
    expect(valueOn({ ...rule, season: null }, around, '2026-10-02', SEASON)).toBe(3);
  });
});

describe('progress', () => {
  it('is exact, rounded down, and 100 only for those who have the badge', () => {
    expect(progressPct(199, 200, false)).toBe(99);
    expect(progressPct(29, 100, false)).toBe(29); // 0.29 * 100 is less than 29
    expect(progressPct(0, 3, false)).toBe(0);
    expect(progressPct(5, 3, false)).toBe(99);
    expect(progressPct(0, 3, true)).toBe(100);
  });

  it('never says more than was reached', () => {
    fc.assert(
      fc.property(fc.nat(200_000_000), fc.integer({ min: 1, max: 100_000_000 }), (value, threshold) => {
        const shown = progressPct(value, threshold, false);
        expect(shown * threshold).toBeLessThanOrEqual(value * 100);
        if (value < threshold) expect((shown + 1) * threshold).toBeGreaterThan(value * 100);
        else expect(shown).toBe(99);
      }),
    );
  });
});

it('a day with a ski pass counts once, whatever its further scans', async () => {
  const counted: unknown[] = [];
  const pool = { query: async (_: string, values: unknown[] = []) => ({ rows: counted.push(values) && [] }) };
  const deps = { pool, aggregates: memoryAggregates() } as never;
  const [passId, accountId] = [idOf(1), idOf(2)];
  for (const startsDay of [true, false]) {
    const scan = {
      scanId: idOf(3),
      gateId: 'g',
      liftId: null,
      area: null,
      scannedAt: '2026-03-08T07:00:00Z',
      skewMs: 0,
    };
    const data = {
      userId: accountId,
      ...scan,
      isOnline: true,
      day: '2026-03-08',
      startsDay,
      startsPass: null,
      conflict: null,
    };
    const event = happened('pass', passId, { type: 'PassScanned', data }, '2026-03-08T07:00:00Z');
    await badgePolicy.handlers.get('PassScanned')?.(event as never, { deps, context: contextOf('system') });
  }
  expect(counted).toEqual([[['passes'], [accountId], ['2026-03-08'], ['2026-03-08'], [1], [expect.any(String)]]]);
});
