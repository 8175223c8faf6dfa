/** What a promo code takes off a price, for what, and who gives it up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemLine, sumOf } from '../../domain/catalog/priceLine.ts';
import { commissionOf } from '../../domain/commissions/commission.ts';
import { Rejected } from '../../domain/core/decider.ts';
import {
  commissionBase,
  priceBefore,
  withDiscount,
  withKeptDiscount,
} from '../../domain/promotions/appliedPromotion.ts';
import { assertCovers, assertTerms, discountOn, keptDiscount, type PromoTerms } from '../../domain/promotions/terms.ts';
import { id, PROVIDER, terms as stay } from '../bookings/bookingFixtures.ts';
import { promoTerms } from './promoFixtures.ts';

const reasonOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    if (error instanceof Rejected) return error.facts.reason ?? error.code;
    throw error;
  }
  return undefined;
};

describe('a discount', () => {
  const on = (terms: Partial<PromoTerms>, totalMinor = 20_000) => discountOn({ ...promoTerms, ...terms }, totalMinor);
  const fixed = { percentBps: null, amountMinor: 5_000 };

  it.each([
    ['is a percentage of the price', {}, 20_000, 2_000],
    ['is rounded to a minor unit', {}, 12_345, 1_235],
    ['is at most what the terms say', { mostMinor: 1_500 }, 20_000, 1_500],
    ['is a fixed amount', fixed, 20_000, 5_000],
    ['leaves one unit of the currency to pay', fixed, 5_000, 4_900],
    ['leaves it of 100 % too', { percentBps: 10_000 }, 20_000, 19_900],
  ])('%s', (_, terms, totalMinor, discount) => expect(on(terms, totalMinor)).toBe(discount));

  it('needs the least price, and a price that leaves something to pay', () => {
    expect(reasonOf(() => on({ leastTotalMinor: 20_001 }))).toBe('least_total');
    expect(reasonOf(() => on({ leastTotalMinor: 20_000 }))).toBeUndefined();
    expect(reasonOf(() => on({}, 100))).toBe('least_total');
    expect(reasonOf(() => on({}, 0))).toBe('least_total');
  });
});

describe('a code', () => {
  const covers = (terms: Partial<PromoTerms>) =>
    reasonOf(() => assertCovers({ ...promoTerms, ...terms }, PROVIDER, stay));

  it.each<[Partial<PromoTerms>, string | undefined]>([
    [{}, undefined],
    [{ currency: 'EUR' }, 'currency'],
    [{ sellerId: id(77) }, 'seller'],
    [{ sellerId: PROVIDER }, undefined],
    [{ types: ['tour', 'transfer'] }, 'type'],
    [{ types: ['hotel'] }, undefined],
    [{ listingIds: [id(8)] }, 'listing'],
    [{ listingIds: [id(8), stay.item.listingId] }, undefined],
    [{ startsFrom: '2026-03-09' }, 'dates'],
    [{ startsTo: '2026-03-07' }, 'dates'],
    [{ startsFrom: '2026-03-08', startsTo: '2026-03-08' }, undefined],
  ])('with %j is refused for %s', (terms, reason) => expect(covers(terms)).toBe(reason));

  it.each<[Partial<PromoTerms>, string | undefined]>([
    [{}, undefined],
    [{ types: ['ski_pass'] }, undefined],
    [{ types: ['insurance', 'hotel'] }, 'type'],
    [{ listingIds: [id(21)] }, undefined],
    [{ sellerId: PROVIDER }, 'seller'],
    [{ firstBookingOnly: true }, 'type'],
  ])('with %j, named for ski passes of the resort, is refused for %s', (terms, reason) => {
    const passes = { item: { type: 'ski_pass', listingId: id(21) }, startsOn: '2026-03-08', currency: 'RUB' } as const;
    expect(reasonOf(() => assertCovers({ ...promoTerms, ...terms }, null, passes))).toBe(reason);
  });

  it('takes nothing off a deposit', () => {
    const lines = [itemLine('pass', 2, 10_000), itemLine('card_deposit', 2, 5_000)];
    const offer = { lines, totalMinor: 30_000, depositMinor: 10_000, startsOn: '2026-03-08', currency: 'RUB' };
    const item = { type: 'ski_pass', listingId: id(21) } as const;
    const half = { ...promoTerms, percentBps: 5_000 };
    const { totalMinor, promotion } = withDiscount({ ...offer, item }, null, {
      ...{ promoCodeId: id(50), code: 'SNOW', terms: half },
    });
    expect({ totalMinor, discountMinor: promotion.discountMinor }).toEqual({
      totalMinor: 20_000,
      discountMinor: 10_000,
    });
  });

  it.each<Partial<PromoTerms>>([
    { amountMinor: 100 },
    { firstBookingOnly: true, types: ['ski_pass', 'insurance'] },
    { percentBps: null },
    { percentBps: null, amountMinor: 100, mostMinor: 50 },
    { bearer: 'seller' },
    { usableFrom: '2026-03-02T00:00:00Z', usableUntil: '2026-03-02T00:00:00Z' },
    { startsFrom: '2026-03-02', startsTo: '2026-03-01' },
    { uses: 1, usesPerPerson: 2 },
    { currency: 'XQQ' },
  ])('cannot have %j', (terms) => expect(reasonOf(() => assertTerms({ ...promoTerms, ...terms }))).toBe('invalid'));
});

it.each<Partial<PromoTerms>>([
  { mostMinor: 50 },
  { percentBps: null, amountMinor: 100 },
  { bearer: 'seller', sellerId: PROVIDER },
  { usableFrom: '2026-03-02T00:00:00Z' },
  { usableUntil: '2026-03-02T00:00:00Z' },
  { usableFrom: '2026-03-02T00:00:00Z', usableUntil: '2026-03-02T00:00:01Z' },
  { startsFrom: '2026-03-02' },
  { startsTo: '2026-03-02' },
  { startsFrom: '2026-03-02', startsTo: '2026-03-02' },
  { firstBookingOnly: true },
  { types: ['ski_pass', 'insurance'] },
  { firstBookingOnly: true, types: ['ski_pass', 'hotel'] },
  { uses: 2, usesPerPerson: 2 },
])('a code can have %j', (terms) => assertTerms({ ...promoTerms, ...terms }));

it.each<[string, Partial<PromoTerms>]>([
  ['on 2026-03-09 or later.', { startsFrom: '2026-03-09' }],
  ['on 2026-03-07 or earlier.', { startsTo: '2026-03-07' }],
  ['on 2026-03-09 or later and on 2026-03-11 or earlier.', { startsFrom: '2026-03-09', startsTo: '2026-03-11' }],
])('a code says that it is for what starts %s', (text, terms) =>
  expect(() => assertCovers({ ...promoTerms, ...terms }, PROVIDER, stay)).toThrow(
    `This promo code is for what starts ${text}`,
  ),
);

describe('the terms of a booking', () => {
  const offered = (terms: Partial<PromoTerms> = {}) =>
    withDiscount(stay, PROVIDER, { promoCodeId: id(50), code: 'SNOW', terms: { ...promoTerms, ...terms } });

  it('have the discount as a line of the price', () => {
    const { lines, totalMinor, promotion } = offered();
    expect(lines.at(-1)).toEqual({ kind: 'discount', name: 'SNOW', amountMinor: -2_000 });
    expect(sumOf(lines)).toBe(totalMinor);
    expect({ totalMinor, promotion }).toEqual({
      totalMinor: 18_000,
      promotion: { promoCodeId: id(50), code: 'SNOW', bearer: 'platform', discountMinor: 2_000 },
    });
  });

  it('pay the seller as without a discount where the platform bears it, and less where the seller does', () => {
    expect(commissionOf(commissionBase(offered()))).toMatchObject({ commissionMinor: 2_000, providerMinor: 18_000 });
    const own = offered({ bearer: 'seller', sellerId: PROVIDER });
    expect(commissionOf(commissionBase(own))).toMatchObject({ commissionMinor: 1_800, providerMinor: 16_200 });
  });

  it('keep the discount when they change: it never rises, and falls with the price', () => {
    const booked = offered({ percentBps: null, amountMinor: 6_000 });
    const changed = (totalMinor: number, more: Partial<PromoTerms> = {}) =>
      withKeptDiscount({ ...stay, totalMinor }, PROVIDER, { ...booked, isPaid: false }, { ...promoTerms, ...more });
    expect(changed(40_000)).toMatchObject({ totalMinor: 34_000, promotion: { discountMinor: 6_000 } });
    expect(changed(10_000)).toMatchObject({ totalMinor: 7_000, promotion: { discountMinor: 3_000 } });
    expect(changed(0)).toMatchObject({ totalMinor: 0, lines: stay.lines, promotion: { discountMinor: 0 } });
    // What the code is for still counts, its least price does not.
    expect(reasonOf(() => changed(10_000, { startsTo: '2026-03-01' }))).toBe('dates');
    expect(reasonOf(() => changed(10_000, { leastTotalMinor: 30_000 }))).toBeUndefined();
  });

  it('leave one unit of the currency to pay when they change unpaid; of paid ones the discount follows the refund', () => {
    const booked = offered({ percentBps: 10_000 });
    const changed = (isPaid: boolean) =>
      withKeptDiscount({ ...stay, totalMinor: 10_000 }, PROVIDER, { ...booked, isPaid }, promoTerms).totalMinor;
    expect(changed(false)).toBe(100);
    expect(changed(true)).toBe(50);
  });

  it('never cost more after a change to a lower price, and never become free of charge', () => {
    const price = fc.integer({ min: 10_000, max: 1e9 });
    fc.assert(
      fc.property(price, price, fc.integer({ min: 1, max: 10_000 }), (before, after, percentBps) => {
        const discount = discountOn({ ...promoTerms, percentBps }, before);
        const kept = keptDiscount(discount, before, after);
        expect(kept).toBeLessThanOrEqual(discount);
        expect(after - kept).toBeGreaterThan(0);
        if (after <= before) expect(after - kept).toBeLessThanOrEqual(before - discount);
        else expect(after - kept - (before - discount)).toBe(after - before);
      }),
    );
  });

  describe('with a code that needs a least price', () => {
    const booked = { ...offered({ percentBps: null, amountMinor: 5_000, leastTotalMinor: 10_000 }), isPaid: false };
    const changed = (totalMinor: number, more: object = {}) =>
      withKeptDiscount({ ...stay, totalMinor }, PROVIDER, { ...booked, ...more }, promoTerms).totalMinor;

    it('cost as much as a new booking of what remains, and the discount comes back with the price', () => {
      expect(booked.totalMinor).toBe(15_000);
      expect([20_000, 10_000, 9_999, 9_000, 1_000, 0].map((price) => changed(price))).toEqual([
        15_000, 5_000, 9_999, 9_000, 1_000, 0,
      ]);
      const { promotion } = withKeptDiscount({ ...stay, totalMinor: 9_000 }, PROVIDER, booked, promoTerms);
      expect(changed(10_000, { totalMinor: 9_000, promotion })).toBe(5_000);
    });

    it('never have a higher discount than before, and leave one unit of the currency to pay', () => {
      const totals = (terms: Partial<PromoTerms>) => {
        const offer = { ...offered({ leastTotalMinor: 5_000, ...terms }), isPaid: false };
        return [40_000, 20_000, 10_000, 5_000].map((price) => changed(price, offer));
      };
      expect(totals({ percentBps: 1_000 })).toEqual([38_000, 18_000, 9_000, 4_500]);
      expect(totals({ percentBps: 10_000 })).toEqual([20_100, 100, 100, 100]);
    });

    it('never cost more than was paid when they become smaller, whatever the steps', () => {
      const paid = { isPaid: true, totalMinor: 5_000, promotion: { ...booked.promotion } };
      expect([10_000, 9_000, 6_000, 5_000, 4_999, 1_000].map((price) => changed(price, paid))).toEqual([
        5_000, 5_000, 5_000, 5_000, 4_999, 1_000,
      ]);
      expect(changed(11_000, paid)).toBe(6_000);
    });

    it('keep their part of the discount when somebody else takes a part away', () => {
      expect(changed(10_000, { isTakenAway: true })).toBe(5_000);
      expect(changed(8_000, { isTakenAway: true })).toBe(6_000);
    });

    it('are as they were when the code has changed meanwhile, and when it was used before this was recorded', () => {
      expect(
        withKeptDiscount({ ...stay, totalMinor: 10_000 }, PROVIDER, booked, { ...promoTerms, leastTotalMinor: 20_000 })
          .totalMinor,
      ).toBe(5_000);
      const { minimum: _, ...promotion } = booked.promotion;
      expect(changed(1_000, { promotion })).toBe(750);
    });

    it('cost what the remaining part costs by itself, but never more than was paid, after any steps', () => {
      const price = fc.integer({ min: 10_000, max: 1e9 });
      const kinds = fc.oneof(
        fc.record({ percentBps: fc.integer({ min: 1, max: 10_000 }), amountMinor: fc.constant(null) }),
        fc.record({ percentBps: fc.constant(null), amountMinor: fc.integer({ min: 1, max: 1e9 }) }),
      );
      const steps = fc.array(fc.record({ percent: fc.integer({ min: 0, max: 100 }), isTakenAway: fc.boolean() }), {
        maxLength: 5,
      });
      fc.assert(
        fc.property(price, price, kinds, steps, (one, other, kind, changes) => {
          const code = { ...promoTerms, ...kind, leastTotalMinor: Math.min(one, other) };
          const use = { promoCodeId: id(50), code: 'SNOW', terms: code };
          let before = Math.max(one, other);
          let paid = withDiscount({ ...stay, totalMinor: before }, PROVIDER, use);
          for (const { percent, isTakenAway } of changes) {
            const now = Math.floor((before * percent) / 100);
            const after = withKeptDiscount(
              { ...stay, totalMinor: now },
              PROVIDER,
              { ...paid, isPaid: true, isTakenAway },
              code,
            );
            const alone = now < code.leastTotalMinor ? now : now - discountOn(code, now);
            expect(after.totalMinor).toBeGreaterThanOrEqual(0);
            expect(after.totalMinor).toBeLessThanOrEqual(
              isTakenAway ? Math.min(alone, paid.totalMinor) : paid.totalMinor,
            );
            if (!isTakenAway) expect(after.totalMinor).toBeLessThanOrEqual(alone);
            [before, paid] = [now, after];
          }
        }),
      );
    });

    it('cost the lower of what was paid and what the rest costs by itself, whatever the order of the changes', () => {
      const part = fc.integer({ min: 0, max: 100_000 });
      fc.assert(
        fc.property(fc.uniqueArray(part, { minLength: 1, maxLength: 5 }), (parts) => {
          let paid = { ...booked, isPaid: true, totalMinor: 95_000, promotion: { ...booked.promotion } };
          for (const now of parts.toSorted((a, b) => b - a)) {
            const after = withKeptDiscount({ ...stay, totalMinor: now }, PROVIDER, paid, promoTerms);
            expect(after.totalMinor).toBe(Math.min(paid.totalMinor, now < 10_000 ? now : now - 5_000));
            paid = { ...paid, ...after };
          }
        }),
      );
    });
  });

  it('show the price before', () => {
    expect(priceBefore(offered())).toBe(stay.totalMinor);
    expect(priceBefore(stay)).toBe(stay.totalMinor);
    expect(commissionBase(stay)).toBe(stay.totalMinor);
  });
});
