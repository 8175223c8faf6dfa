/** Which passes a chargeback blocks: as many as its money paid for, and none twice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OpenPass } from '../../domain/passes/pass.ts';
import { heldBackBy, passesToBlock } from '../../domain/passes/passesToBlock.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { issued, moscow, sold, stateAfter } from './passFixtures.ts';

const [FIRST, SECOND] = [id(901), id(902)];
const at = moscow(9, '12:00');
const passOf = (number: number, priceMinor: number, more: Partial<OpenPass> = {}): OpenPass => ({
  ...stateAfter([sold({ number, priceMinor }), issued]),
  ...more,
});
const family = [passOf(1, 9_000), passOf(2, 9_000), passOf(3, 6_000), passOf(4, 6_000)];
const block = (passes: readonly OpenPass[], amountMinor: number, missingMinor = amountMinor, chargebackId = FIRST) =>
  passesToBlock(passes, { chargebackId, amountMinor, missingMinor }, [], at);
/** As they are after a chargeback. */
const blocked = (passes: readonly OpenPass[], numbers: readonly number[], chargebackId = FIRST): OpenPass[] =>
  passes.map((of) =>
    numbers.includes(of.number) ? { ...of, blocked: true, chargebacks: [...of.chargebacks, chargebackId] } : of,
  );

describe('of a family', () => {
  it.each([
    ['the price of a child', 6_000, [4]],
    ['the price of an adult', 9_000, [2]],
    ['a little', 1, [4]],
    ['one adult and a child', 15_000, [2, 4]],
    ['nearly all', 29_000, [2, 1, 4, 3]],
  ])('%s blocks as few as that pays for', (_, amount, numbers) => {
    expect(block(family, amount)).toEqual(numbers);
  });

  it('a further chargeback counts what is blocked', () => {
    const before = blocked(family, block(family, 1_000));
    expect(block(before, 4_000, 5_000, SECOND)).toEqual([]);
    expect(block(before, 8_000, 9_000, SECOND)).toEqual([3]);
  });

  it('what an admin blocks holds nothing back for the bank', () =>
    expect(block([...family.slice(0, 3), passOf(4, 6_000, { blocked: true })], 6_000)).toEqual([4]));
  it('what an admin has unblocked is not blocked again for the same chargeback, but for another one', () => {
    const decided = blocked(family, [4]).map((of) => ({ ...of, blocked: false }));
    expect(block(decided, 6_000)).toEqual([]);
    expect(block(decided, 6_000, 12_000, SECOND)).toEqual([4]);
  });
});

it('what was ridden, has expired or was given back holds nothing back', () => {
  const of = passOf(1, 9_000);
  expect(heldBackBy({ ...of, days: ['2026-03-08'] }, [], at)).toBe(6_000);
  expect(heldBackBy({ ...of, days: ['2026-03-08', '2026-03-09', '2026-03-10'] }, [], moscow(11, '09:00'))).toBe(0);
  expect(heldBackBy(of, [], moscow(13, '09:00'))).toBe(0);
  expect(heldBackBy({ ...of, ended: { by: 'guest', units: 3, settlesAt: at, at: null, words: 0 } }, [], at)).toBe(0);
  expect(heldBackBy({ ...of, unit: 'season', count: 1, days: ['2026-03-08'] }, [], at)).toBe(9_000);
});

it('blocks enough or all, none too many, and nothing when it is repeated', () => {
  const somePasses = fc
    .array(fc.record({ price: fc.integer({ min: 1, max: 50 }), ridden: fc.nat(3) }), { minLength: 1, maxLength: 6 })
    .map((passes) =>
      passes.map(({ price, ridden }, index) =>
        passOf(index + 1, price * 300, { days: ['2026-03-08', '2026-03-10', '2026-03-11'].slice(0, ridden) }),
      ),
    );
  fc.assert(
    fc.property(somePasses, fc.integer({ min: 1, max: 60_000 }), (passes, amount) => {
      const numbers = block(passes, amount);
      const worths = (some: readonly number[]) => some.map((n) => heldBackBy(passes[n - 1] as OpenPass, [], at));
      const sum = (some: readonly number[]) => some.reduce((total, worth) => total + worth, 0);
      const held = sum(worths(numbers));
      expect(worths(numbers)).not.toContain(0);
      if (held < amount) expect(held).toBe(sum(worths(passes.map(({ number }) => number))));
      else expect(held - Math.min(...worths(numbers))).toBeLessThan(amount);
      expect(block(blocked(passes, numbers), amount)).toEqual([]);
    }),
  );
});
