/** Passes that are cheaper together, given back one by one: what remains is priced by itself, and previews are exact. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { giveDaysBack } from '../../commands/passes/closures.ts';
import { divide, type PassOf } from '../../commands/passes/dividePurchase.ts';
import { giveBackPass, passRefund, previewGiveBack } from '../../commands/passes/refunds.ts';
import { pass } from '../../domain/passes/pass.ts';
import { passTerms, pricesTogether } from '../../domain/passes/tariff.ts';
import { withDiscount } from '../../domain/promotions/appliedPromotion.ts';
import type { PromoTerms } from '../../domain/promotions/terms.ts';
import type { OpenPurchase, PurchaseEvent } from '../../domain/purchases/purchase.ts';
import { purchase } from '../../domain/purchases/purchase.ts';
import { GUEST, id, PAYMENT } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { previewIsResult } from '../kit/previews.ts';
import { promoTerms } from '../promotions/promoFixtures.ts';
import { PURCHASE, purchaseTerms, tariffDetails } from '../purchases/productFixtures.ts';
import { paid } from './boughtPasses.ts';
import { moscow, scanning } from './passFixtures.ts';

const tariff = (ageGroup: 'adult' | 'child' | 'family', priceMinor: number, more: object = {}) => ({
  ...tariffDetails,
  ...{ status: 'published', ownerId: id(90), timezone: 'Europe/Moscow', currency: 'RUB', revision: 0 },
  ...{ duration: { unit: 'day', count: 3 }, withinDays: 4, seasonPrices: [], depositMinor: 100, refundsUnused: true },
  season: { from: '2026-01-01', to: '2026-04-30' },
  family: ageGroup === 'family' ? { adults: 2, children: 2 } : null,
  ...{ ageGroup, priceMinor, ...more },
});
const singles = [
  tariff('adult', 13_500),
  tariff('child', 8_000),
  tariff('adult', 13_000, { withinDays: 5 }),
] as never[];

interface Deal {
  readonly of: object;
  readonly quantity: number;
  readonly withCards: boolean;
  readonly promo?: Partial<PromoTerms>;
}

/** A paid purchase and its passes, in a log in memory. */
const bought = async ({ of, quantity, withCards, promo }: Deal) => {
  const tariffOf = of as never;
  const together = pricesTogether(tariffOf, [...singles, tariffOf], '2026-03-08');
  const terms = { ...passTerms(tariffOf, { quantity, withCards }), together };
  const depositMinor = terms.depositMinor * terms.holders.length;
  const offer = {
    item: { type: 'ski_pass' as const, listingId: purchaseTerms.productId },
    ...{ startsOn: '2026-03-08', currency: 'RUB', lines: [], depositMinor },
    totalMinor: together.priceMinor * quantity + depositMinor,
  };
  const use = { promoCodeId: id(50), code: 'SNOW', terms: { ...promoTerms, ...promo } };
  const { totalMinor, promotion } = promo ? withDiscount(offer, null, use) : { ...offer, promotion: undefined };
  const what = { ...purchaseTerms, serviceType: 'ski_pass' as const, quantity: terms.holders.length, persons: [] };
  const dates = { validFrom: '2026-03-08', validTo: '2026-03-11', startsAt: moscow(8, '00:00') };
  const events: PurchaseEvent[] = [
    {
      type: 'PurchaseMade',
      data: { ...what, ...dates, totalMinor, passTerms: terms, ...(promotion && { promotion }) },
    },
    { type: 'PurchasePaid', data: { paymentId: PAYMENT, amountMinor: totalMinor } },
  ];
  const memory = memoryAggregates(async () => undefined);
  memory.given(`purchase-${PURCHASE}`, events);
  memory.given(`payment-${PAYMENT}`, paid);
  const deps = { aggregates: memory };
  const passes = await divide(
    deps,
    contextOf('system', 'system', moscow(1, '10:00')),
    PURCHASE,
    memory.stateOf(purchase, PURCHASE) as OpenPurchase,
  );
  return { memory, deps, passes, totalMinor };
};

const givingBack = async ({ deps }: { deps: never }, { passId }: PassOf, day: number, role = 'tourist') => {
  const context = contextOf(GUEST, role, moscow(day, '10:00'));
  const preview = await previewGiveBack(deps, context, passId);
  const { units, refundMinor } = await giveBackPass(deps, context, passId, null);
  expect({ units: preview.units, refundMinor: preview.refundMinor }).toEqual({ units, refundMinor });
  return refundMinor;
};

describe('of a family that is cheaper together', () => {
  const family = { of: tariff('family', 34_900), quantity: 1, withCards: false };
  const refundsOf = async (deal: Deal, numbers: readonly number[], role?: string) => {
    const shop = await bought(deal);
    const refunds: number[] = [];
    for (const number of numbers)
      refunds.push(await givingBack(shop as never, shop.passes[number - 1] as PassOf, 2, role));
    return refunds;
  };

  it('the adults who remain pay what two adults pay', async () => {
    const [third = 0, fourth = 0, ...adults] = await refundsOf(family, [3, 4, 1, 2]);
    expect(third + fourth).toBe(34_900 - 2 * 13_500);
    expect(adults).toEqual([13_500, 13_500]);
  });
  it('a family of two that becomes one is a family still', async () => {
    const refunds = await refundsOf({ ...family, quantity: 2 }, [1, 6, 7, 4]);
    expect(refunds.reduce((sum, minor) => sum + minor, 0)).toBe(34_900 - 13_500 - 8_000 + 13_500 + 8_000);
  });
  it('what the resort takes away returns its share, and a deposit that nobody has a card of', async () => {
    expect(await refundsOf(family, [3, 4], 'admin')).toEqual([8_725, 8_725]);
    expect(await refundsOf({ ...family, withCards: true }, [3, 4])).toEqual([100, 8_000]);
  });
  it('a closed day costs nobody the price of the family', async () => {
    const shop = await bought(family);
    const storm = { from: '2026-03-09', to: '2026-03-09', reason: 'storm' };
    await giveDaysBack(shop.deps, contextOf('admin', 'admin', moscow(7, '09:00')), storm);
    expect(await givingBack(shop as never, shop.passes[2] as PassOf, 7)).toBeGreaterThanOrEqual(8_725);
  });
  it('all who leave after a day together pay a day as a family', async () => {
    const shop = await bought(family);
    for (const { passId } of shop.passes) {
      await shop.memory.handle(
        pass,
        passId,
        { type: 'IssuePass', deviceKey: null, at: new Date().toISOString() },
        contextOf(GUEST),
      );
      await shop.memory.handle(pass, passId, scanning(moscow(8, '09:00')), contextOf(GUEST));
    }
    let backMinor = 0;
    for (const each of shop.passes) backMinor += await givingBack(shop as never, each, 8);
    expect(backMinor).toBe(Math.floor((34_900 * 2) / 3));
  });
});

it('a code with a least price counts for the passes that remain', async () => {
  const promo = { percentBps: null, amountMinor: 20_000, leastTotalMinor: 65_000 };
  const shop = await bought({ of: tariff('adult', 13_500), quantity: 5, withCards: false, promo });
  const refunds: number[] = [];
  for (const each of shop.passes) refunds.push(await givingBack(shop as never, each, 2));
  // 47,500 was paid: four cost 54,000 by themselves, three 40,500.
  expect(refunds).toEqual([0, 7_000, 13_500, 13_500, 13_500]);
});

// Never more than was paid, all of it in the end, and previews and settled refunds are the same.
previewIsResult('POST /api/v1/ski-pass/me/:id/give-back', async () => {
  const deal = fc.record({
    of: fc.constantFrom(
      tariff('family', 34_900),
      tariff('family', 90_001),
      tariff('adult', 13_500),
      tariff('child', 7_777),
    ),
    ...{ quantity: fc.integer({ min: 1, max: 3 }), withCards: fc.boolean() },
    promo: fc.option(
      fc.constantFrom<Partial<PromoTerms>>(
        { percentBps: 3_333 },
        { percentBps: null, amountMinor: 5_000, leastTotalMinor: 30_000 },
        { percentBps: 9_000, leastTotalMinor: 7_000 },
      ),
      { nil: undefined },
    ),
  });
  const acts = fc.array(
    fc.record({ which: fc.nat(11), act: fc.constantFrom('guest', 'guest', 'admin', 'ride', 'settle') }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(deal, acts, async ({ promo, ...of }, todo) => {
      const least = promo?.leastTotalMinor ?? 0;
      fc.pre(of.of.priceMinor * of.quantity >= least);
      const shop = await bought({ ...of, ...(promo && { promo }) });
      const told = new Map<string, number>();
      const settle = async (passId: string, day: number) =>
        passRefund.run({ id: passId, data: {}, attempt: 1 }, {
          deps: { ...shop.deps, paymentProviders: { byName: new Map() }, log: { warn: () => undefined } },
          context: contextOf('system', 'system', moscow(day, '10:00')),
        } as never);
      let ridden = false;
      for (const { which, act } of todo) {
        const one = shop.passes[which % shop.passes.length] as PassOf;
        if (act === 'settle') await settle(one.passId, 8);
        else if (act === 'ride') {
          if (told.has(one.passId)) continue;
          ridden = true;
          await shop.memory.handle(
            pass,
            one.passId,
            { type: 'IssuePass', deviceKey: null, at: new Date().toISOString() },
            contextOf(GUEST),
          );
          await shop.memory.handle(pass, one.passId, scanning(moscow(8, '09:00')), contextOf(GUEST));
        } else if (!told.has(one.passId))
          told.set(one.passId, await givingBack(shop as never, one, ridden ? 8 : 2, act === 'guest' ? 'tourist' : act));
      }
      for (const one of shop.passes)
        if (!told.has(one.passId)) told.set(one.passId, await givingBack(shop as never, one, ridden ? 8 : 2));
      let allMinor = 0;
      for (const { passId } of shop.passes) {
        await settle(passId, 12);
        const state = shop.memory.stateOf(pass, passId);
        if (state.status === 'none') throw new Error('there is no pass');
        const minor = (state.settled?.refundMinor ?? -1) + (state.cardReturned ? state.depositMinor : 0);
        expect(minor).toBe(told.get(passId));
        allMinor += minor;
      }
      expect(allMinor).toBeLessThanOrEqual(shop.totalMinor);
      if (!ridden) expect(allMinor).toBe(shop.totalMinor);
    }),
    { numRuns: 60 },
  );
});

it('a tariff of one person is worth its price, and a family that is dearer than its passes is worth them equally', () => {
  const alone = (of: object) => pricesTogether(of as never, [...singles, of as never], '2026-03-08').alone;
  expect(alone(tariff('child', 7_500))).toEqual([{ age: 'child', priceMinor: 7_500 }]);
  expect(alone(tariff('family', 34_900))).toEqual([
    { age: 'adult', priceMinor: 13_500 },
    { age: 'child', priceMinor: 8_000 },
  ]);
  expect(alone(tariff('family', 90_001)).map(({ priceMinor }) => priceMinor)).toEqual([22_501, 22_501]);
});
