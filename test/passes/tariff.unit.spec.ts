/** Tariffs for families and seasons, prices by season, deposits, and what the passes of a purchase cost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passTerms, quotePasses, skiPassTariff } from '../../domain/passes/tariff.ts';
import { priceOfPass } from '../../domain/purchases/passTerms.ts';
import { specification } from '../kit/given.ts';
import { resort, tariffDetails } from '../purchases/productFixtures.ts';

const at = '2026-12-20T09:00:00Z';
const open = { status: 'published' as const, roleChange: 0, ...resort, ...tariffDetails };
const family = { ...open, ageGroup: 'family' as const, family: { adults: 2, children: 1 } };

describe('a tariff', () => {
  const given = specification(skiPassTariff);
  it.each([
    ['a family without a family tariff', { family: { adults: 1, children: 1 } }],
    ['a family tariff without a family', { ageGroup: 'family' as const }],
    ['ages that end before they begin', { ages: { from: 12, to: 6 } }],
    ['several seasons', { duration: { unit: 'season' as const, count: 2 } }],
    [
      'two prices on one date',
      {
        seasonPrices: [
          { from: '2026-12-28', to: '2027-01-08', priceMinor: 2 },
          { from: '2027-01-08', to: '2027-01-09', priceMinor: 1 },
        ],
      },
    ],
    ['a price for no dates', { seasonPrices: [{ from: '2026-12-28', to: '2026-12-27', priceMinor: 2 }] }],
  ])('does not have %s', (_, change) =>
    given([])
      .when({ type: 'Add', ...resort, details: { ...tariffDetails, ...change } })
      .then('invalid'),
  );
  it('of 0.1.0 has no prices by season, no cards and no areas', () => {
    const { ages, family, seasonPrices, depositMinor, areas, refundsUnused, ...old } = tariffDetails;
    const { state } = given([{ type: 'SkiPassTariffAdded', data: { ...resort, ...old } }]);
    expect(state).toMatchObject({ ages, family, seasonPrices, depositMinor, areas, refundsUnused });
  });
});

describe('a price', () => {
  const total = (of: typeof open, validFrom: string, withCards = false, quantity = 2) =>
    quotePasses(of, { validFrom, quantity, withCards, at }).offer?.totalMinor;

  it('is that of the first date', () => {
    const of = { ...open, seasonPrices: [{ from: '2026-12-28', to: '2027-01-08', priceMinor: 1_200_000 }] };
    expect([
      total(of, '2026-12-27'),
      total(of, '2026-12-28'),
      total(of, '2027-01-08'),
      total(of, '2027-01-09'),
    ]).toEqual([1_980_000, 2_400_000, 2_400_000, 1_980_000]);
  });
  it('has a deposit for each card, if cards are wanted', () => {
    expect(total({ ...open, depositMinor: 10 }, '2026-12-24')).toBe(1_980_000);
    expect(total({ ...open, depositMinor: 10 }, '2026-12-24', true)).toBe(1_980_020);
    expect(total({ ...family, depositMinor: 10 } as never, '2026-12-24', true)).toBe(1_980_060);
  });
  it('of a season lasts until its end', () => {
    const season = { ...open, duration: { unit: 'season' as const, count: 1 }, withinDays: 1 };
    expect(quotePasses(season, { validFrom: '2026-12-24', quantity: 1, at }).offer).toMatchObject({
      validTo: open.season.to,
    });
  });
  it('is divided among the passes without a remainder', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.nat(1_000), fc.nat(100_000), (quantity, deposit, price) => {
        const terms = passTerms({ ...family, depositMinor: deposit }, { quantity, withCards: true });
        expect(terms.holders.slice(0, 3)).toEqual(['adult', 'adult', 'child']);
        const all = price + terms.holders.length * deposit;
        const parts = terms.holders.map((_, index) => priceOfPass(terms, all, index + 1));
        expect(parts.reduce((sum, each) => sum + each, 0)).toBe(price);
      }),
    ));
});

describe('a pass for dates on which the mountain is declared closed', () => {
  const days = (count: number, withinDays: number) => ({
    ...open,
    duration: { unit: 'day' as const, count },
    withinDays,
  });
  const quoted = (of: Parameters<typeof quotePasses>[0], closed: readonly string[], validFrom = '2026-12-24') => {
    const { offer, reasons } = quotePasses(of, { validFrom, quantity: 1, at, closed });
    return offer ? 'sold' : reasons;
  };
  it.each<[string, Parameters<typeof quotePasses>[0], string[], unknown]>([
    ['its only day', days(1, 1), ['2026-12-24'], ['mountain_closed']],
    ['one of its two days', days(2, 2), ['2026-12-25'], ['mountain_closed']],
    ['more days than it has to spare', days(2, 4), ['2026-12-24', '2026-12-25', '2026-12-27'], ['mountain_closed']],
    ['as many days as it has to spare', days(2, 4), ['2026-12-24', '2026-12-25'], 'sold'],
    ['other days', days(2, 2), ['2026-12-23', '2026-12-26'], 'sold'],
    [
      'the day of its hours',
      { ...days(1, 1), duration: { unit: 'hour', count: 4 } },
      ['2026-12-24'],
      ['mountain_closed'],
    ],
    ['a day of a season', { ...days(1, 1), duration: { unit: 'season', count: 1 } }, ['2026-12-24'], 'sold'],
  ])('%s: it is sold only if all of it can be used', (_, of, closed, expected) =>
    expect(quoted(of, closed)).toEqual(expected),
  );
});
