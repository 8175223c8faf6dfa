import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertCurrency, exactSum, percentage, split, toMajor, toMinor } from '../../domain/core/money.ts';

const currency = fc.constantFrom('RUB', 'EUR', 'USD', 'JPY', 'KWD', 'CLF');
const amount = fc.integer({ min: -1e12, max: 1e12 });
const weights = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 12 }).filter((all) => all.some((w) => w > 0));

describe('major and minor units', () => {
  it.each([
    [4599, 'RUB', 45.99],
    [1, 'EUR', 0.01],
    [1500, 'JPY', 1500],
    [-1005, 'USD', -10.05],
    [12345, 'KWD', 12.345],
  ])('%i %s is %d', (minor, code, major) => {
    expect(toMajor(minor, code)).toBe(major);
    expect(toMinor(major, code)).toBe(minor);
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(amount, currency, (minor, code) => {
        expect(toMinor(toMajor(minor, code), code)).toBe(minor);
      }),
    );
  });

  it.each([
    [0.001, 'RUB'],
    [1.5, 'JPY'],
    [1e21, 'RUB'],
    [1e-7, 'RUB'],
    [Number.NaN, 'RUB'],
    [Number.POSITIVE_INFINITY, 'EUR'],
    [1e14, 'RUB'],
  ])('%d %s is refused', (major, code) => {
    expect(() => toMinor(major, code)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`is not a valid amount in ${code}`),
        code: 'invalid',
        fields: [''],
      }),
    );
  });
});

it('a currency is a code of ISO 4217', () => {
  for (const code of ['RUB', 'JPY', 'KWD']) assertCurrency(code);
  for (const code of ['XXQ', 'rub', ''])
    expect(() => assertCurrency(code)).toThrow(expect.objectContaining({ code: 'invalid', fields: ['currency'] }));
});

describe('a percentage', () => {
  it.each([
    [10_000, 1_500, 1_500],
    [5, 5_000, 3],
    [-5, 5_000, -3],
    [1, 4_999, 0],
    [-1, 4_999, 0],
    [9_007_199_254_740_991, 10_000, 9_007_199_254_740_991],
  ])('of %i by %i bps is %i', (minor, bps, expected) => expect(percentage(minor, bps)).toBe(expected));

  it('is never more than half a unit from the exact value', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 20_000 }), (minor, bps) => {
        const off = BigInt(percentage(minor, bps)) * 10_000n - BigInt(minor) * BigInt(bps);
        expect(off <= 5_000n && off >= -5_000n).toBe(true);
      }),
    );
  });
});

describe('a split', () => {
  it('gives what is left over to the largest remainders, earlier parts first', () => {
    expect(split(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(split(-100, [1, 1, 1])).toEqual([-34, -33, -33]);
    expect(split(10, [7, 0, 3])).toEqual([7, 0, 3]);
    expect(split(-10, [7, 0, 3])).toEqual([-7, 0, -3]);
    expect(split(0, [1, 2])).toEqual([0, 0]);
    fc.assert(
      fc.property(fc.oneof(amount, fc.integer({ min: -20, max: 20 })), weights, (minor, shares) => {
        const total = BigInt(shares.reduce((sum, share) => sum + share, 0));
        const exact = shares.map((share) => BigInt(Math.abs(minor)) * BigInt(share));
        const hasMore = split(minor, shares).map((part, index) => BigInt(Math.abs(part)) > exact[index]! / total);
        const order = exact.map((each, index) => ({ remainder: each % total, index }));
        order.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
        // From the first of them on, and none after one that has none.
        const inOrder = order.map(({ index }) => hasMore[index]);
        expect(inOrder).toEqual(inOrder.toSorted((a, b) => Number(b) - Number(a)));
      }),
    );
  });

  it('adds up exactly, and no part is a whole unit from its share', () => {
    fc.assert(
      fc.property(amount, weights, (minor, shares) => {
        const parts = split(minor, shares);
        const total = shares.reduce((sum, share) => sum + share, 0);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(minor);
        for (const [index, part] of parts.entries()) {
          const off = BigInt(part) * BigInt(total) - BigInt(minor) * BigInt(shares[index] ?? 0);
          expect(off < BigInt(total) && off > -BigInt(total)).toBe(true);
        }
      }),
    );
  });

  it('needs a weight', () => {
    expect(() => split(1, [0, 0])).toThrow('weights must add up to more than zero');
    expect(() => split(1, [])).toThrow('weights must add up to more than zero');
    expect(() => split(1, [2, -1])).toThrow('weights must add up to more than zero');
  });
});

describe('a sum', () => {
  it('is exact, and a number as long as a number can hold it', () => {
    const each = fc.oneof(amount, fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }));
    fc.assert(
      fc.property(fc.array(each), (amounts) => {
        let expected = 0n;
        for (const minor of amounts) expected += BigInt(minor);
        const sum = exactSum(amounts);
        expect(BigInt(sum)).toBe(expected);
        expect(typeof sum).toBe(Number.isSafeInteger(Number(expected)) ? 'number' : 'bigint');
      }),
    );
  });
});
