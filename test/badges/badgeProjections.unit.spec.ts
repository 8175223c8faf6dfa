import { describe, expect, it } from 'vitest';
import type { Badge, BadgeEvent } from '../../domain/badges/catalogue.ts';
import type { HolderEvent } from '../../domain/badges/holder.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { badgeAwards } from '../../projections/badges/awards.ts';
import { badges } from '../../projections/badges/badges.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';

const ID = '018f0000-0000-7000-8000-00000000000b';
const ANNA = '018f0000-0000-7000-8000-00000000000a';
const AT = '2026-12-30T09:00:00.000Z';
const badge: Badge = {
  name: { ru: 'Новичок', en: 'Beginner' },
  description: { ru: 'Первый день.', en: 'The first day.' },
  metric: 'days',
  threshold: 1,
  window: 'ever',
  season: null,
};

describe('the badges', () => {
  const rowsAfter = projection(badges);
  const of = (event: BadgeEvent) => happened('badgeCatalogue', ONLY_ONE, event, AT);

  it('are shown as they were written last, and stay when they are retired', () => {
    const defined = of({ type: 'BadgeDefined', data: { badgeId: ID, badge } });
    const changed = of({ type: 'BadgeChanged', data: { badgeId: ID, badge: { ...badge, threshold: 2 } } });
    const retired = of({ type: 'BadgeRetired', data: { badgeId: ID } });
    const row = { id: ID, ...badge, created_at: AT, retired_at: null };
    expect(rowsAfter([defined])).toEqual([row]);
    expect(rowsAfter([defined, changed, retired])).toEqual([{ ...row, threshold: 2, retired_at: AT }]);
  });
});

describe('awards', () => {
  const rowsAfter = projection(badgeAwards);
  const of = (event: HolderEvent) => happened('badgeHolder', ANNA, event, AT);
  const { name: _, description: __, ...rule } = badge;
  const awarded = of({ type: 'BadgeAwarded', data: { accountId: ANNA, badgeId: ID, rule } });

  it('are told to their holder, and end when they are taken back', () => {
    const row = { account_id: ANNA, badge_id: ID, awarded_at: AT };
    expect(rowsAfter([awarded])).toEqual([row]);
    expect(toldOn(badgeAwards, row)).toEqual([`realtime:user_${ANNA}`]);
    const cause = 'track_disqualified' as const;
    const revoked = of({ type: 'BadgeRevoked', data: { accountId: ANNA, badgeId: ID, cause } });
    expect(rowsAfter([awarded, revoked])).toEqual([]);
  });
});
