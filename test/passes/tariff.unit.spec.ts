/** Tariffs for families and seasons, prices by season, deposits, and what the passes of a purchase cost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, datesBetween } from '../../domain/core/dates.ts';
import { type OpenTariff, passTerms, pricesTogether, quotePasses, skiPassTariff } from '../../domain/passes/tariff.ts';
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
  it.each([
    ['ages of one year', { ages: { from: 6, to: 6 } }],
    ['ages', { ages: { from: 6, to: 12 } }],
    ['a whole season', { duration: { unit: 'season' as const, count: 1 }, withinDays: 1 }],
    ['a season of one day', { season: { from: '2026-12-01', to: '2026-12-01' } }],
    ['all hours of a day', { duration: { unit: 'hour' as const, count: 24 }, withinDays: 1 }],
    ['days that follow each other', { withinDays: 3 }],
  ])('has %s', (_, change) => {
    const details = { ...tariffDetails, ...change };
    given([])
      .when({ type: 'Add', ...resort, details })
      .thenOnce([{ type: 'SkiPassTariffAdded', data: { ...resort, ...details } }]);
  });
  it('has prices by season in any order, but never two on a date, and names one of them', () => {
    const period = fc.record({ first: fc.nat(25), length: fc.nat(4) }).map(({ first, length }) => ({
      from: addDays('2026-12-01', first),
      to: addDays('2026-12-01', first + length),
      priceMinor: 1,
    }));
    fc.assert(
      fc.property(fc.array(period, { maxLength: 5 }), (seasonPrices) => {
        const dates = seasonPrices.map(({ from, to }) => [...datesBetween(from, to), to]);
        const details = { ...tariffDetails, seasonPrices };
        const add = () => skiPassTariff.decide({ type: 'Add', ...resort, details }, given([]).state);
        const areApart = new Set(dates.flat()).size === dates.flat().length;
        const fields = seasonPrices.flatMap(({ from }, n) =>
          dates.some((other, index) => index !== n && other.includes(from)) ? `season_prices/${n}/from` : [],
        );
        if (areApart) expect(add()).toHaveLength(1);
        else expect(add).toThrow(expect.objectContaining({ fields: [expect.toBeOneOf(fields)] }));
      }),
    );
  });
  it('of 0.1.0 has no prices by season, no cards and no areas', () => {
    const { ages, family, seasonPrices, depositMinor, areas, refundsUnused, ...old } = tariffDetails;
    const { state } = given([{ type: 'SkiPassTariffAdded', data: { ...resort, ...old } }]);
    expect(state).toMatchObject({ ages, family, seasonPrices, depositMinor, areas, refundsUnused });
  });
});

describe('a price', () => {
  const total = (of: typeof open, validFrom: string, withCards = false, quantity = 2) =>
    quotePasses(of, { validFrom, quantity, withCards, at, closed: [] }).offer?.totalMinor;

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
  it('has no line for cards without a deposit, and says what its deposits are', () => {
    const offer = (of: typeof open) =>
      quotePasses(of, { validFrom: '2026-12-24', quantity: 2, withCards: true, at, closed: [] }).offer;
    expect(offer(open)).toMatchObject({ lines: [{ name: 'pass' }], depositMinor: 0 });
    expect(offer({ ...open, depositMinor: 10 })).toMatchObject({
      lines: [{ name: 'pass' }, { name: 'card_deposit', quantity: 2, amountMinor: 20 }],
      depositMinor: 20,
    });
  });
  it('of a season lasts until its end', () => {
    const season = { ...open, duration: { unit: 'season' as const, count: 1 }, withinDays: 1 };
    expect(
      quotePasses(season, { validFrom: '2026-12-24', quantity: 1, withCards: false, at, closed: [] }).offer,
    ).toMatchObject({
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
    const { offer, reasons } = quotePasses(of, { validFrom, quantity: 1, withCards: false, at, closed });
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

describe('what a pass of a family costs alone', () => {
  const dates = { season: open.season, withinDays: 5 };
  const tariffOf = (ageGroup: string, priceMinor: number, more: object = {}) =>
    ({ ...open, ...dates, areas: [1, 2], ageGroup, priceMinor, ...more }) as unknown as OpenTariff;
  const ours = tariffOf('family', 1_000, { family: { adults: 2, children: 1 } });
  const from = '2026-12-24';
  const alone = (...others: OpenTariff[]) =>
    Object.fromEntries(pricesTogether(ours, others, from).alone.map(({ age, priceMinor }) => [age, priceMinor]));
  const [adult, child] = [tariffOf('adult', 500), tariffOf('child', 300)];

  it('is the cheapest tariff of its age class, or of an adult where there is none', () => {
    expect(alone(adult, tariffOf('adult', 450), child)).toEqual({ adult: 450, child: 300 });
    expect(alone(adult)).toEqual({ adult: 500, child: 500 });
    expect(alone(tariffOf('senior', 1), ours)).toEqual({ adult: 334, child: 334 });
    expect(alone(tariffOf('adult', 1, { seasonPrices: [{ from, to: from, priceMinor: 480 }] }))).toEqual({
      adult: 480,
      child: 480,
    });
  });
  it('is as much for each where alone they cost less than together', () => {
    expect(alone(tariffOf('adult', 400), tariffOf('child', 200))).toEqual({ adult: 400, child: 200 });
    expect(alone(tariffOf('adult', 400), tariffOf('child', 199))).toEqual({ adult: 334, child: 334 });
  });
  it.each<[string, object]>([
    ['that is not on sale', { status: 'closed' }],
    ['in another currency', { currency: 'EUR' }],
    ['of other units', { duration: { unit: 'hour', count: 3 } }],
    ['of more days', { duration: { unit: 'day', count: 4 } }],
    ['within fewer dates', { withinDays: 4 }],
    ['of fewer areas', { areas: [1] }],
    ['of more areas', { areas: [1, 2, 3] }],
    ['of other areas', { areas: [1, 3] }],
    ['whose season begins later', { season: { ...open.season, from: '2026-12-25' } }],
    ['whose season ends sooner', { season: { ...open.season, to: '2026-12-27' } }],
  ])('is not that of a tariff %s', (_, more) => {
    expect(alone(adult, tariffOf('adult', 450, more))).toEqual({ adult: 500, child: 500 });
  });
  it('is that of a tariff that opens the same on its dates', () => {
    for (const more of [{ areas: [2, 1] }, { season: { from, to: '2026-12-28' } }, { name: 'Another' }])
      expect(alone(adult, tariffOf('adult', 450, more))).toEqual({ adult: 450, child: 450 });
  });
  it('of a season is that of a season that ends on the same date', () => {
    const season = { duration: { unit: 'season', count: 1 } };
    const family = { ...ours, ...season } as OpenTariff;
    const alone = (to: string) =>
      pricesTogether(family, [tariffOf('adult', 700, { ...season, season: { ...open.season, to } })], from).alone;
    expect(alone(open.season.to)[0]).toEqual({ age: 'adult', priceMinor: 700 });
    expect(alone('2026-12-30')[0]).toEqual({ age: 'adult', priceMinor: 334 });
  });
});

it('the passes of a tariff are its areas, and its deposits only with cards', () => {
  const of = { ...family, areas: [1, 3], depositMinor: 20, refundsUnused: true };
  const holders = ['adult', 'adult', 'child', 'adult', 'adult', 'child'];
  const terms = { unit: 'day', count: 3, timezone: 'Europe/Moscow', holders, areas: [1, 3], refundsUnused: true };
  expect(passTerms(of, { quantity: 2, withCards: true })).toEqual({ ...terms, depositMinor: 20 });
  expect(passTerms(of, { quantity: 2, withCards: false })).toEqual({ ...terms, depositMinor: 0 });
  // In 0.1.0, a family did not say how many they are.
  expect(passTerms({ ...of, family: null }, { quantity: 1, withCards: true }).holders).toEqual(['adult']);
  expect(passTerms({ ...of, ageGroup: 'senior', family: null }, { quantity: 1, withCards: true }).holders).toEqual([
    'senior',
  ]);
});
