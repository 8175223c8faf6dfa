/** Money as whole minor units (kopecks, cents). Everything here is exact: no intermediate value is a fraction. */
import { Rejected } from './decider.ts';
import type { MinorSum } from './schema.ts';

/** Digits after the point where they are not two: ISO 4217, list one. */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((c) => [c, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((c) => [c, 3])),
  CLF: 4,
  UYW: 4,
};
const DEFAULT_EXPONENT = 2;

/** Basis points in a whole: 10 000 bps = 100 %. */
export const BPS = 10_000;

const currencies = new Set(Intl.supportedValuesOf('currency'));

export const exponentOf = (currency: string): number => EXPONENTS[currency] ?? DEFAULT_EXPONENT;
/** @throws Rejected `invalid` for a code that is no currency */
export const assertCurrency = (code: string): void => {
  if (!currencies.has(code))
    throw new Rejected('invalid', `${code} is not an ISO 4217 currency, such as RUB.`, { fields: ['currency'] });
};
/** How many minor units make one major unit: 100 for RUB, 1 for JPY. */
export const minorPerMajor = (currency: string): number => 10 ** exponentOf(currency);

/**
 * `4599, 'RUB'` → `45.99`, for the wire. The number nearest to the decimal, so that it prints as that decimal up to 15
 * digits; beyond, only minor units are exact.
 */
export const toMajor = (minor: MinorSum, currency: string): number => Number(minor) / minorPerMajor(currency);

/**
 * Amounts added up exactly, however many they are: what thousands of the largest amounts add up to is more than a number
 * can hold. @throws RangeError for a fraction
 */
export const exactSum = (amounts: readonly MinorSum[]): MinorSum => {
  const sum = amounts.reduce<bigint>((total, amount) => total + BigInt(amount), 0n);
  const number = Number(sum);
  return Number.isSafeInteger(number) ? number : sum;
};

/**
 * `45.99, 'RUB'` → `4599`.
 * @throws Rejected `invalid` when the currency has no such fraction, or the amount is beyond exact integers
 */
export const toMinor = (major: number, currency: string): number => {
  const exponent = exponentOf(currency);
  const decimal = /^(-?\d+)(?:\.(\d+))?$/.exec(String(major));
  const fraction = decimal?.[2] ?? '';
  // NaN for what is no decimal.
  const minor = Number(`${decimal?.[1]}${fraction.padEnd(exponent, '0')}`);
  if (fraction.length > exponent || !Number.isSafeInteger(minor))
    throw new Rejected(
      'invalid',
      `${major} is not a valid amount in ${currency}: it has too many decimals or is not a number in range.`,
      { fields: [''] },
    );
  return minor;
};

/** A size with the sign of an amount; zero has none. */
const signed = (minor: number, size: number): number => (size === 0 ? 0 : Math.sign(minor) * size);

/** `bps` (none is negative) of an amount, rounded half away from zero: 2.5 → 3, −2.5 → −3. */
export const percentage = (minor: number, bps: number): number => {
  const doubled = 2n * BigInt(Math.abs(minor)) * BigInt(bps) + BigInt(BPS);
  return signed(minor, Number(doubled / (2n * BigInt(BPS))));
};

/**
 * Divides an amount in the proportion of `weights`, none negative, by largest remainder: the parts always add up to
 * the amount, none is further than one minor unit from its exact share, and equal remainders go to the earlier part.
 */
export const split = (minor: number, weights: readonly number[]): number[] => {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total <= 0n || weights.some((weight) => weight < 0))
    throw new RangeError('weights must add up to more than zero');
  const amount = BigInt(Math.abs(minor));
  const shares = weights.map((weight) => {
    const exact = amount * BigInt(weight);
    return { floor: exact / total, remainder: exact % total };
  });
  const left = amount - shares.reduce((sum, { floor }) => sum + floor, 0n);
  // Sorting keeps the order of equal remainders.
  const byRemainder = shares.toSorted((a, b) => Number(b.remainder - a.remainder));
  const oneMore = new Set(byRemainder.slice(0, Number(left)));
  return shares.map((share) => signed(minor, Number(share.floor) + (oneMore.has(share) ? 1 : 0)));
};

/** An amount in two parts, of which the first is `bps` of it; together they are the amount. */
export const dividedAt = (minor: number, bps: number): readonly [number, number] => {
  const [first = 0, second = 0] = split(minor, [bps, BPS - bps]);
  return [first, second];
};
