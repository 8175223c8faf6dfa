/** What a purchase returns for passes that are given back one by one, in any order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HolderAge, PassTerms } from '../../domain/purchases/passTerms.ts';
import {
  type OpenPurchase,
  type PurchaseCommand,
  type PurchaseEvent,
  purchase,
} from '../../domain/purchases/purchase.ts';
import { id, PAYMENT } from '../bookings/bookingFixtures.ts';
import { givenPurchase, purchaseTerms } from './productFixtures.ts';

interface Prices {
  readonly adult: number;
  readonly child: number;
  readonly family: number;
}
type Return = Extract<PurchaseCommand, { type: 'ReturnPass' }>;

const FAMILY: HolderAge[] = ['adult', 'adult', 'child', 'child'];
const termsOf = ({ adult, child, family }: Prices, families: number, more: Partial<PassTerms> = {}): PassTerms => ({
  ...{ unit: 'day', count: 1, timezone: 'Europe/Moscow', areas: [], refundsUnused: true, depositMinor: 0 },
  holders: Array.from({ length: families }, () => FAMILY).flat(),
  together: {
    holders: FAMILY,
    priceMinor: family,
    alone: [
      { age: 'adult', priceMinor: adult },
      { age: 'child', priceMinor: child },
    ],
  },
  ...more,
});
/** A purchase that was paid, at the price of its families. */
const bought = (passTerms: PassTerms, more: object = {}): OpenPurchase => {
  const { holders, together, depositMinor } = passTerms;
  const families = holders.length / FAMILY.length;
  const totalMinor = families * (together?.priceMinor ?? 0) + holders.length * depositMinor;
  const quantity = holders.length;
  const data = { ...purchaseTerms, serviceType: 'ski_pass' as const, quantity, totalMinor, passTerms, ...more };
  const { state } = givenPurchase([
    { type: 'PurchaseMade', data },
    { type: 'PurchasePaid', data: { paymentId: PAYMENT, amountMinor: data.totalMinor } },
  ]);
  if (state.status === 'none') throw new Error('it was made');
  return state;
};
const giving = (number: number, more: Partial<Return> = {}): Return => ({
  type: 'ReturnPass',
  ...{ number, units: 1, shareMinor: 0, isTakenAway: false },
  ...more,
});
const stateWith = (state: OpenPurchase, ...commands: readonly Return[]): OpenPurchase =>
  commands.reduce(
    (before, command) => purchase.decide(command, before).reduce(purchase.evolve, before) as OpenPurchase,
    state,
  );
const returnedMinor = ({ returned }: OpenPurchase): number => returned.reduce((sum, of) => sum + of.refundMinor, 0);
const depositsOf = ({ passTerms }: OpenPurchase): number =>
  (passTerms?.holders.length ?? 0) * (passTerms?.depositMinor ?? 0);

/** The least that so many adults and children pay: one of them goes alone, or a family goes first. */
const leastFor = ({ adult, child, family }: Prices): ((adults: number, children: number) => number) => {
  const known = new Map<string, number>();
  const least = (adults: number, children: number): number => {
    if (adults + children === 0) return 0;
    const key = `${adults} ${children}`;
    const minor =
      known.get(key) ??
      Math.min(
        adults > 0 ? adult + least(adults - 1, children) : Number.POSITIVE_INFINITY,
        children > 0 ? child + least(adults, children - 1) : Number.POSITIVE_INFINITY,
        family + least(Math.max(0, adults - 2), Math.max(0, children - 2)),
      );
    known.set(key, minor);
    return minor;
  };
  return least;
};

const prices: fc.Arbitrary<Prices> = fc
  .record({ adult: fc.integer({ min: 1, max: 900 }), child: fc.integer({ min: 1, max: 900 }), percent: fc.nat(99) })
  .map(({ adult, child, percent }) => {
    const family = Math.max(1, Math.ceil((2 * (adult + child) * percent) / 100));
    return { adult, child, family };
  });
/** Families with the order in which their passes are given back. */
const deals = fc
  .record({
    prices,
    families: fc.integer({ min: 1, max: 3 }),
    depositMinor: fc.nat(500),
    days: fc.integer({ min: 1, max: 4 }),
  })
  .chain((deal) => {
    const numbers = Array.from({ length: FAMILY.length * deal.families }, (_, index) => index + 1);
    const each = fc.record({ units: fc.nat(deal.days), isTakenAway: fc.boolean() });
    return fc.record({
      deal: fc.constant(deal),
      order: fc.shuffledSubarray(numbers, { minLength: numbers.length }),
      how: fc.array(each, { minLength: numbers.length, maxLength: numbers.length }),
    });
  });
const dealOf = ({
  prices: of,
  families,
  depositMinor,
  days,
}: {
  prices: Prices;
  families: number;
  depositMinor: number;
  days: number;
}) => bought(termsOf(of, families, { count: days, depositMinor }));

describe('passes that are given back', () => {
  it('leave the others to pay the least that families and single passes cost for each day', () =>
    fc.assert(
      fc.property(deals, ({ deal, order, how }) => {
        const least = leastFor(deal.prices);
        let state = dealOf(deal);
        const paidMinor = state.totalMinor - depositsOf(state);
        const kept = state.passTerms?.holders.map((age) => ({ age, days: deal.days })) ?? [];
        for (const [index, number] of order.entries()) {
          const units = how[index]?.units ?? 0;
          state = stateWith(state, giving(number, { units }));
          const [one] = kept.slice(number - 1);
          if (one) one.days -= units;
          const costs = Array.from({ length: deal.days }, (_, day) => {
            const riding = kept.filter(({ days }) => days > day);
            const adults = riding.filter(({ age }) => age === 'adult').length;
            return least(adults, riding.length - adults);
          });
          const keptMinor = Math.ceil(costs.reduce((sum, minor) => sum + minor, 0) / deal.days);
          expect(returnedMinor(state)).toBe(paidMinor - keptMinor);
        }
      }),
    ));

  it('return what was paid when all are back, never more, and each share that the resort takes away', () =>
    fc.assert(
      fc.property(deals, ({ deal, order, how }) => {
        const start = dealOf(deal);
        const paidMinor = start.totalMinor - depositsOf(start);
        const shareMinor = Math.floor(paidMinor / order.length);
        let state = start;
        for (const [index, number] of order.entries()) {
          const before = returnedMinor(state);
          const isTakenAway = how[index]?.isTakenAway ?? false;
          state = stateWith(state, giving(number, { units: deal.days, shareMinor, isTakenAway }));
          const minor = returnedMinor(state) - before;
          expect(minor).toBeGreaterThanOrEqual(isTakenAway ? Math.min(shareMinor, paidMinor - before) : 0);
          expect(returnedMinor(state)).toBeLessThanOrEqual(paidMinor);
        }
        expect(returnedMinor(state)).toBe(paidMinor);
      }),
    ));

  it('return less when a ride becomes known later, never more, and each is counted once', () =>
    fc.assert(
      fc.property(deals, fc.nat(4), ({ deal, order, how }, ridden) => {
        const [number = 0, ...others] = order;
        const all = stateWith(
          dealOf(deal),
          ...[number, ...others].map((each, index) =>
            giving(each, { units: each === number ? deal.days : (how[index]?.units ?? 0) }),
          ),
        );
        const units = Math.max(0, deal.days - ridden);
        const later = stateWith(all, giving(number, { units }));
        const of = (state: OpenPurchase) => state.returned.filter((one) => one.number === number);
        expect(of(later)).toEqual([{ number, units, refundMinor: expect.any(Number) }]);
        expect(of(later)[0]?.refundMinor).toBeLessThanOrEqual(of(all)[0]?.refundMinor ?? 0);
        expect(later.returned).toHaveLength(order.length);
        // What is told again, or is known to be less already, changes nothing.
        for (const known of [units, deal.days])
          expect(purchase.decide(giving(number, { units: known }), later)).toEqual([]);
      }),
    ));

  it('return for a pass that was ridden after all what it would have returned at once, but never more than was told', () =>
    fc.assert(
      fc.property(deals, fc.nat(4), ({ deal, order, how }, ridden) => {
        const [number = 0, ...others] = order;
        const before = others.map((each, index) => giving(each, { units: how[index]?.units ?? 0 }));
        const start = stateWith(dealOf(deal), ...before);
        const units = Math.max(0, deal.days - ridden);
        const [first, again] = [giving(number, { units: deal.days }), giving(number, { units })];
        const minorOf = ({ returned }: OpenPurchase) => returned.find((of) => of.number === number)?.refundMinor;
        const told = stateWith(start, first);
        expect(minorOf(stateWith(told, again))).toBe(minorOf(stateWith(start, again)));
        const taken = { ...again, isTakenAway: true, shareMinor: start.totalMinor };
        expect(minorOf(stateWith(told, taken))).toBeLessThanOrEqual(minorOf(told) ?? 0);
      }),
    ));

  it('get the same percentage off what remains, and their deposits are never discounted', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.nat(500), (tens, depositMinor) => {
        const each = tens * 10;
        const terms = termsOf({ adult: each, child: each, family: 4 * each }, 1, { depositMinor });
        const promotion = { promoCodeId: id(50), code: 'SNOW', bearer: 'platform', discountMinor: 4 * tens };
        const state = bought(terms, { totalMinor: 4 * (each - tens + depositMinor), promotion });
        const refunds = stateWith(state, ...[3, 1, 2, 4].map((number) => giving(number))).returned;
        expect(refunds.map(({ refundMinor }) => refundMinor)).toEqual(Array(4).fill(each - tens));
      }),
    ));
});

it.each(['hour', 'season'] as const)('a pass by the %s is given back as one, however long it lasts', (unit) => {
  const state = bought(termsOf({ adult: 300, child: 200, family: 900 }, 1, { unit, count: 4 }));
  expect(returnedMinor(stateWith(state, ...[1, 2, 3, 4].map((number) => giving(number))))).toBe(900);
});

it('a pass whose age class has no price alone is kept at the price of all together', () => {
  const { together, ...terms } = termsOf({ adult: 1, child: 1, family: 1_000 }, 1);
  const state = bought({ ...terms, together: { holders: FAMILY, priceMinor: 1_000, alone: [] } });
  const refunds = stateWith(state, ...[1, 2, 3, 4].map((number) => giving(number))).returned;
  expect(refunds.map(({ refundMinor }) => refundMinor)).toEqual([0, 0, 0, 1_000]);
});

it('passes of before, without the price of each alone, return their share, which is not decided here', () => {
  const { together, ...terms } = termsOf({ adult: 1, child: 1, family: 1_000 }, 1);
  const decided = (more: object): PurchaseEvent[] =>
    purchase.decide(giving(1), { ...bought(termsOf({ adult: 1, child: 1, family: 1 }, 1)), ...more });
  expect(decided({ passTerms: terms })).toEqual([]);
  expect(decided({ passTerms: undefined })).toEqual([]);
});
