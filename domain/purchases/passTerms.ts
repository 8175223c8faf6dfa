/** What the passes of a purchase open, frozen when it is made. */
import { type Static, Type } from '@sinclair/typebox';
import { OneOf } from '../core/schema.ts';
import { Days } from './product.ts';

/** The age class of a pass. */
export const holderAges = ['adult', 'youth', 'child', 'senior'] as const;
export type HolderAge = (typeof holderAges)[number];

/** Hours count from the first passage of a gate, days are those with a passage, a season has any number of days. */
export const passUnits = ['hour', 'day', 'season'] as const;

export const MAX_AREA = 32;
/** Parts of the resort with gates of their own, as numbers. An empty list means all of them. */
export const Areas = Type.Array(Type.Integer({ minimum: 1, maximum: MAX_AREA }), {
  maxItems: MAX_AREA,
  uniqueItems: true,
});

export const PassTerms = Type.Object({
  unit: OneOf(passUnits),
  count: Days,
  /** IANA name: days begin there at midnight. */
  timezone: Type.String(),
  /** The age class of each pass of the purchase. */
  holders: Type.Array(OneOf(holderAges), { minItems: 1, maxItems: 100 }),
  areas: Areas,
  /** Whether the holder gets money for unused days after the first valid date. */
  refundsUnused: Type.Boolean(),
  /** Paid for each card and returned with it; 0: passes without cards. */
  depositMinor: Type.Integer({ minimum: 0 }),
  /** What the passes cost together and alone; absent in purchases of before: all passes are then worth the same. */
  together: Type.Optional(
    Type.Object({
      /** The passes of one price, such as a family. */
      holders: Type.Array(OneOf(holderAges), { minItems: 1 }),
      priceMinor: Type.Integer({ minimum: 1 }),
      /** What one pass of an age class cost by itself on that day. */
      alone: Type.Array(Type.Object({ age: OneOf(holderAges), priceMinor: Type.Integer({ minimum: 1 }) })),
    }),
  ),
});
export type PassTerms = Static<typeof PassTerms>;

/** How many units a pass is paid for: days, or 1 for hours and seasons. */
export const paidUnits = ({ unit, count }: Pick<PassTerms, 'unit' | 'count'>): number => (unit === 'day' ? count : 1);

/** The price of one pass of a purchase, without deposit; together they are exactly what was paid. @param number from 1 */
export const priceOfPass = (
  { holders, depositMinor }: Pick<PassTerms, 'holders' | 'depositMinor'>,
  totalMinor: number,
  number: number,
): number => {
  const all = totalMinor - holders.length * depositMinor;
  const each = Math.floor(all / holders.length);
  return number <= all - each * holders.length ? each + 1 : each;
};
