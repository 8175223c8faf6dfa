/** Promo codes of purchases on the real stores: checkouts at once, dying processes, unpaid ends, and the money of a discount. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addListing } from '../../commands/catalog/listings.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { passesOf } from '../../commands/passes/dividePurchase.ts';
import { quotedPasses } from '../../commands/passes/passes.ts';
import { giveBackPass } from '../../commands/passes/refunds.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { createPromoCode, promoCodeId } from '../../commands/promotions/promoCodes.ts';
import { buy } from '../../commands/purchases/buyAtOnce.ts';
import { cancelPurchase } from '../../commands/purchases/cancelPurchase.ts';
import { quotedInsurance } from '../../commands/purchases/insurance.ts';
import { makePurchase, quoteNewPurchase } from '../../commands/purchases/makePurchase.ts';
import { purchaseUses } from '../../commands/purchases/promoUses.ts';
import { loadPurchase, type QuotePurchase } from '../../commands/purchases/purchases.ts';
import { tariffKind } from '../../domain/passes/tariff.ts';
import { promoCode } from '../../domain/promotions/promoCode.ts';
import type { PromoTerms } from '../../domain/promotions/terms.ts';
import { insuranceKind } from '../../domain/purchases/insurance.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { createStage, dyingBefore, type Node, type Settings, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { outcomeOf, previewIsResult } from '../kit/previews.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { promoTerms } from '../promotions/promoFixtures.ts';
import { insuranceDetails, tariffDetails } from './productFixtures.ts';

let stage: Stage;
let tariffId: string;
let insuranceId: string;

const CODE = 'SNOW-27';
const asAdmin = () => contextOf(randomUUID(), 'admin');
/** A code, a tariff of 9,900.00 with a deposit of 200.00, and insurance for 150.00 a day. */
const begin = async (terms: Partial<PromoTerms> = {}, settings: Settings = {}) => {
  stage = await createStage(await freshStores(), settings);
  const place = { ownerId: randomUUID(), timezone: 'Europe/Moscow', currency: 'RUB' };
  const season = { from: stage.day(-30), to: stage.day(90) };
  const tariff = { ...place, details: { ...tariffDetails, season, depositMinor: 20_000 } };
  tariffId = (await addListing(stage.node, asAdmin(), tariffKind, tariff)).id;
  insuranceId = (await addListing(stage.node, asAdmin(), insuranceKind, { ...place, details: insuranceDetails })).id;
  await createPromoCode(stage.node, asAdmin(), CODE, { ...promoTerms, ...terms });
};

const passes = (quantity = 2, withCards = false): QuotePurchase =>
  quotedPasses({ tariffId, validFrom: stage.day(10), quantity, withCards });
const anna = { firstName: 'Anna', lastName: 'Orlova', birthDate: '1990-05-17' };
const insurance = (): QuotePurchase =>
  quotedInsurance({ productId: insuranceId, validFrom: stage.day(10), validTo: stage.day(11), persons: [anna] });
const buying = (quote: QuotePurchase, context: CommandContext = contextOf(randomUUID()), node: Node = stage.node) =>
  buy(node, context, quote, { method: 'card', promo: ' snow-27 ' });
const uses = async () => {
  const { state } = await stage.node.aggregates.load(promoCode, promoCodeId(CODE));
  return state.status === 'none' ? [] : [...state.uses].map(([itemId, { taken }]) => ({ itemId, taken }));
};
const statusOf = async (id: string) => (await loadPurchase(stage.node, id)).status;
const says = async (paymentId: string, status: 'succeeded' | 'cancelled') => {
  stage.provider.says(paymentId, status);
  await syncPayment(stage.node, contextOf('system'), paymentId);
};
const paidFor = async (quote: QuotePurchase, guest: string) => {
  const { purchaseId, paymentId } = await buying(quote, contextOf(guest));
  await says(paymentId, 'succeeded');
  await until(async () => (await statusOf(purchaseId)) === 'paid');
  return { purchaseId, paymentId };
};
const refunded = async (paymentId: string) =>
  Object.values((await stage.payment(paymentId)).refunds)
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);

it('are never used more often than they allow by purchases at the same time', async () => {
  await begin({ uses: 3 });
  const nodes = [stage.node, stage.newNode(), stage.newNode()];
  const checkouts = Array.from({ length: 9 }, (_, n) => buying(insurance(), undefined, nodes[n % nodes.length]));
  const outcomes = await Promise.allSettled(checkouts);
  const made = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(made.map(({ purchase }) => purchase.totalMinor)).toEqual([27_000, 27_000, 27_000]);
  expect(refusals.map(({ code, facts }) => `${code} ${facts.reason}`)).toEqual(Array(6).fill('promo_refused used_up'));
  expect((await uses()).map(({ itemId }) => itemId).toSorted()).toEqual(
    made.map(({ purchaseId }) => purchaseId).toSorted(),
  );
});

it('keep their use for the same request after a crash, and lose it when nobody asks again', async () => {
  await begin({ uses: 3, usesPerPerson: 3 }, { holdTtlMs: 500 });
  for (const command of ['ReservePromoUse', 'MakePurchase']) {
    const context = contextOf(randomUUID());
    await expect(buying(passes(), context, dyingBefore(stage.node, command))).rejects.toThrow(StoreUnavailable);
    const { purchaseId } = await buying(passes(), context, stage.newNode());
    expect((await uses()).map(({ itemId }) => itemId)).toContain(purchaseId);
  }
  const kept = (await uses()).map(({ itemId }) => itemId);
  expect(kept).toHaveLength(2);
  await expect(buying(passes(), undefined, dyingBefore(stage.node, 'MakePurchase'))).rejects.toThrow(StoreUnavailable);
  const lost = (await uses()).find(({ itemId }) => !kept.includes(itemId))?.itemId ?? '';
  stage.work();
  await purchaseUses.due.runNow(stage.node.jobs, lost);
  // The other two expire unpaid, which gives their uses back, too.
  await until(async () => (await uses()).length === 0);
});

it('come back from an unpaid purchase that is cancelled and from an admin’s cancellation, not from a guest’s', async () => {
  await begin({ usesPerPerson: 3 });
  stage.work();
  const guest = randomUUID();
  const unpaid = await buying(insurance(), contextOf(guest));
  await cancelPurchase(stage.node, contextOf(guest), unpaid.purchaseId, null);
  await until(async () => (await uses()).length === 0);
  const kept = await paidFor(insurance(), guest);
  const returned = await paidFor(insurance(), guest);
  expect((await uses()).map(({ taken }) => taken)).toEqual([true, true]);
  await cancelPurchase(stage.node, contextOf(guest), kept.purchaseId, null);
  await cancelPurchase(stage.node, asAdmin(), returned.purchaseId, null);
  await until(async () => (await uses()).length === 1);
  await until(() => stage.handledAll());
  expect(await uses()).toEqual([{ itemId: kept.purchaseId, taken: true }]);
});

it('divide the lower price over the passes, leave deposits alone, and are borne and given back by the platform', async () => {
  await begin({ percentBps: 5_000 });
  stage.work();
  const guest = randomUUID();
  const { offer } = await quoteNewPurchase(stage.node, contextOf(guest), passes(2, true), CODE);
  expect(offer.lines.at(-1)).toEqual({ kind: 'discount', name: CODE, amountMinor: -990_000 });
  expect(offer.totalMinor).toBe(990_000 + 40_000);
  const { purchaseId, paymentId } = await paidFor(passes(2, true), guest);
  const bought = await loadPurchase(stage.node, purchaseId);
  expect(bought).toMatchObject({ totalMinor: offer.totalMinor, promotion: { code: CODE, discountMinor: 990_000 } });
  expect(await stage.payment(paymentId)).toMatchObject({
    amountMinor: 1_030_000,
    parts: { [purchaseId]: { heldMinor: 0, platformMinor: 2_020_000, promotionMinor: 990_000 } },
  });
  await until(async () => (await passesOf(stage.node, purchaseId, bought)).length === 2);
  const made = await passesOf(stage.node, purchaseId, bought);
  expect(made.map(({ pass }) => pass.priceMinor)).toEqual([495_000, 495_000]);
  for (const { passId } of made) await giveBackPass(stage.node, contextOf(guest), passId, null);
  await until(async () => (await refunded(paymentId)) === 1_030_000);
  expect((await stage.payment(paymentId)).parts[purchaseId]).toEqual({
    ...{ heldMinor: 0, availableMinor: 0, platformMinor: 0, promotionMinor: 0 },
  });
});

it('of another seller, for other types and for first bookings are refused', async () => {
  await begin({ firstBookingOnly: true });
  const create = (code: string, terms: Partial<PromoTerms>) =>
    createPromoCode(stage.node, asAdmin(), code, { ...promoTerms, ...terms });
  await create('SELLERS', { bearer: 'seller', sellerId: randomUUID() });
  await create('PASSES', { types: ['ski_pass'] });
  const reasonOf = async (promo: string, quote: QuotePurchase) => {
    const outcome = quoteNewPurchase(stage.node, contextOf(randomUUID()), quote, promo);
    return outcome.then(
      ({ promotion }) => promotion?.discountMinor,
      ({ facts }) => facts.reason,
    );
  };
  expect(await reasonOf(CODE, passes())).toBe('type');
  expect(await reasonOf('SELLERS', passes())).toBe('seller');
  expect(await reasonOf('PASSES', insurance())).toBe('type');
  expect(await reasonOf('PASSES', passes(1))).toBe(99_000);
});

const deal = fc.record({
  quantity: fc.integer({ min: 1, max: 4 }),
  withCards: fc.boolean(),
  /** Days from today: some of them are over, or beyond the season. */
  from: fc.constantFrom(-1, 0, 5, 5, 89, 400),
  usedBefore: fc.integer({ min: 0, max: 2 }),
  hasPromo: fc.boolean(),
});
/** What is promised and what is made of it at the same moment, by somebody who has used the code before or not. */
const compared = (buysPasses: boolean) => async () => {
  await begin({ uses: 8, usesPerPerson: 2, leastTotalMinor: 40_000 });
  await fc.assert(
    fc.asyncProperty(deal, async ({ quantity, withCards, from, usedBefore, hasPromo }) => {
      const persons = Array.from({ length: quantity }, () => anna);
      const quoteIn = (day: string): QuotePurchase =>
        buysPasses
          ? quotedPasses({ tariffId, validFrom: day, quantity, withCards })
          : quotedInsurance({ productId: insuranceId, validFrom: day, validTo: stage.day(from + quantity), persons });
      const guest = randomUUID();
      for (let n = 0; n < usedBefore && hasPromo; n += 1) await outcomeOf(() => buying(passes(1), contextOf(guest)));
      const [quote, { at }] = [quoteIn(stage.day(from)), contextOf(guest)];
      const asked = contextOf(guest, 'tourist', at);
      const price = hasPromo ? { promo: CODE } : {};
      const promised = await outcomeOf(() => quoteNewPurchase(stage.node, asked, quote, price.promo));
      const made = await outcomeOf(() => makePurchase(stage.node, contextOf(guest, 'tourist', at), quote, price));
      if ('code' in promised || 'code' in made) expect(promised).toEqual(made);
      else {
        const { totalMinor, lines, validFrom, validTo, currency, promotion } = made.purchase;
        const {
          depositMinor: _,
          startsAt: __,
          endsAt: ___,
          ...offer
        } = promised.offer as unknown as Record<string, unknown>;
        expect({ ...offer, currency: promised.currency, promotion: promised.promotion }).toMatchObject({
          ...{ totalMinor, lines, validFrom, validTo, currency, promotion },
        });
      }
    }),
    { numRuns: 10 },
  );
};
previewIsResult('POST /api/v1/ski-pass/quote', compared(true));
previewIsResult('POST /api/v1/insurance/quote', compared(false));
