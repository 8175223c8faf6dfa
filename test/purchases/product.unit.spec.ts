import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offered } from '../../commands/purchases/purchases.ts';
import { addDays } from '../../domain/core/dates.ts';
import { quotePasses, skiPassTariff } from '../../domain/passes/tariff.ts';
import { insuranceProduct, quoteInsurance } from '../../domain/purchases/insurance.ts';
import { specification } from '../kit/given.ts';
import { insuranceDetails, resort, tariffDetails } from './productFixtures.ts';

const NOW = '2026-12-20T09:00:00Z';
const open = { status: 'published' as const, ...resort };

describe('a ski pass tariff', () => {
  const given = specification(skiPassTariff);
  const add = (change: object) => given([]).when({ type: 'Add', ...resort, details: { ...tariffDetails, ...change } });

  it('is added closed, and sold once published', () => {
    add({}).thenOnce([{ type: 'SkiPassTariffAdded', data: { ...resort, ...tariffDetails } }]);
    given([{ type: 'SkiPassTariffAdded', data: { ...resort, ...tariffDetails } }])
      .when({ type: 'Publish' })
      .thenOnce([{ type: 'SkiPassTariffPublished', data: {} }]);
  });
  it.each([
    ['a season that ends before it begins', { season: { from: '2026-12-02', to: '2026-12-01' } }],
    ['more days than it may be used within', { withinDays: 2 }],
    ['hours of several days', { duration: { unit: 'hour', count: 4 }, withinDays: 2 }],
    ['more hours than a day has', { duration: { unit: 'hour', count: 25 }, withinDays: 1 }],
  ])('is not %s', (_, change) => add(change).then('invalid'));
});

describe('passes', () => {
  const tariff = { ...open, ...tariffDetails };
  const quote = (validFrom: string, of: object = {}) =>
    quotePasses({ ...tariff, ...of }, { validFrom, quantity: 2, withCards: false, at: NOW, closed: [] });

  it('are good for the dates they may be used within, at the price of each', () =>
    expect(quote('2026-12-24')).toEqual({
      offer: {
        validFrom: '2026-12-24',
        validTo: '2026-12-28',
        startsAt: '2026-12-23T21:00:00.000Z',
        endsAt: '2026-12-28T21:00:00.000Z',
        lines: [{ kind: 'item', name: 'pass', quantity: 2, unitMinor: 990_000, amountMinor: 1_980_000 }],
        totalMinor: 1_980_000,
        depositMinor: 0,
      },
      reasons: [],
    }));
  it('of hours are good on one date', () =>
    expect(quote('2026-12-20', { duration: { unit: 'hour', count: 4 }, withinDays: 1 }).offer).toMatchObject({
      validTo: '2026-12-20',
    }));
  it('lose dates to the end of the season, but none of their days', () => {
    expect(quote('2027-04-08').offer).toMatchObject({ validTo: '2027-04-10' });
    expect(quote('2027-04-09').reasons).toEqual(['out_of_season']);
    expect(quote('2026-12-19', { season: { from: '2026-12-21', to: '2027-04-10' } }).reasons).toEqual([
      'past',
      'out_of_season',
    ]);
  });
  it('are sold from the first date of the season to the last, where their hours need no other', () => {
    const hours = { duration: { unit: 'hour', count: 4 }, withinDays: 1 };
    const season = { from: '2026-12-24', to: '2026-12-26' };
    expect(['23', '24', '26', '27'].map((day) => quote(`2026-12-${day}`, { ...hours, season }).reasons)).toEqual([
      ['out_of_season'],
      [],
      [],
      ['out_of_season'],
    ]);
    expect(quote('2026-12-24', { season }).reasons).toEqual([]);
  });
  it('are not sold closed, for yesterday, or years ahead', () => {
    expect(quote('2026-12-24', { status: 'closed' }).reasons).toEqual(['closed']);
    expect(quote('2026-12-19').reasons).toEqual(['past']);
    expect(quote('2028-12-24').reasons).toEqual(['too_far', 'out_of_season']);
  });
  it('are sold up to 500 days ahead', () => {
    const longSeason = { season: { from: '2026-12-01', to: '2030-04-10' } };
    expect(quote(addDays('2026-12-20', 500), longSeason).reasons).toEqual([]);
    expect(quote(addDays('2026-12-20', 501), longSeason).reasons).toEqual(['too_far']);
  });
  it('are refused in words', () => {
    expect(() => offered(quote('2026-11-19'))).toThrow(
      'This cannot be bought: its first day has passed, and not all of its days are in the season.',
    );
  });
});

describe('insurance', () => {
  const given = specification(insuranceProduct);
  const product = { ...open, ...insuranceDetails };
  const quote = (validFrom: string, validTo: string, persons = 3) =>
    quoteInsurance(product, { validFrom, validTo, persons, at: NOW });

  it('changes apply to later purchases', () => {
    given([{ type: 'InsuranceProductAdded', data: { ...resort, ...insuranceDetails } }])
      .when({ type: 'ChangeDetails', details: { pricePerPersonDayMinor: 19_000 } })
      .thenOnce([
        { type: 'InsuranceProductDetailsChanged', data: { ownerId: resort.ownerId, pricePerPersonDayMinor: 19_000 } },
      ]);
  });
  it('costs so much a person and day, both ends included', () =>
    expect(quote('2026-12-24', '2026-12-26').offer).toMatchObject({
      startsAt: '2026-12-23T21:00:00.000Z',
      lines: [{ name: 'person_day', quantity: 9, unitMinor: 15_000, amountMinor: 135_000 }],
      totalMinor: 135_000,
    }));
  it('is not sold for longer than it lasts', () => {
    expect(quote('2026-12-24', '2027-01-22').offer).not.toBeNull();
    expect(quote('2026-12-24', '2027-01-23').reasons).toEqual(['too_long']);
  });
  it('adds up, whatever is asked for', () =>
    fc.assert(
      fc.property(fc.nat(29), fc.integer({ min: 1, max: 20 }), (more, persons) => {
        const to = addDays('2026-12-24', more);
        const { offer } = quote('2026-12-24', to, persons);
        expect(offer?.totalMinor).toBe(15_000 * persons * (more + 1));
      }),
    ));
});
