/**
 * What goes back of a purchase whose passes are given back one by one. Passes can be cheaper together: as a family, or by a
 * promo code with a least price. So what remains is priced again, and what was paid beyond that goes back.
 */
import { type AppliedPromotion, priceBefore, remainingDiscount } from '../promotions/appliedPromotion.ts';
import { type HolderAge, type PassTerms, paidUnits } from './passTerms.ts';

/** A pass that was given back. */
export interface ReturnedPass {
  /** Of the passes of the purchase, from 1. */
  readonly number: number;
  /** How many of its units go back: days, or 1 for hours and seasons. */
  readonly units: number;
  /** What goes back for it, without the deposit. Later scans can lower it. */
  readonly refundMinor: number;
}

interface Bought {
  readonly totalMinor: number;
  readonly promotion?: AppliedPromotion;
}
export interface TermsTogether extends PassTerms {
  readonly together: NonNullable<PassTerms['together']>;
}
/** How many passes of each age class. */
type Count = Partial<Record<HolderAge, number>>;

const countOf = (holders: readonly HolderAge[]): Count => {
  const count: Count = {};
  for (const age of holders) count[age] = (count[age] ?? 0) + 1;
  return count;
};

/** The least that these holders cost, as any number of families and single passes. */
const cheapest = (holders: readonly HolderAge[], { together }: TermsTogether): number => {
  const [wanted, needed] = [Object.entries(countOf(holders)), countOf(together.holders)];
  const withFamilies = (number: number): number =>
    wanted.reduce((sum, [age, count]) => {
      const each = age as HolderAge;
      const single = together.alone.find((of) => of.age === each)?.priceMinor ?? together.priceMinor;
      return sum + Math.max(0, count - number * (needed[each] ?? 0)) * single;
    }, number * together.priceMinor);
  // Of more families than holders, one would be empty.
  return Math.min(...Array.from({ length: holders.length + 1 }, (_, number) => withFamilies(number)));
};

/** What is kept costs by itself, before a discount: for each unit, those who have it together. Rounded up. */
const priceKept = (terms: TermsTogether, returned: readonly ReturnedPass[]): number => {
  const units = paidUnits(terms);
  const kept = terms.holders.map((age, index) => {
    const back = returned.find(({ number }) => number === index + 1)?.units ?? 0;
    return { age, units: units - back };
  });
  let all = 0;
  for (let unit = 1; unit <= units; unit += 1)
    all += cheapest(
      kept.filter((of) => of.units >= unit).map(({ age }) => age),
      terms,
    );
  return Math.ceil(all / units);
};

const depositsOf = ({ holders, depositMinor }: PassTerms): number => holders.length * depositMinor;

/** What was paid beyond the price of what is kept, of all that was given back, without deposits. */
const returnedOf = (terms: TermsTogether, bought: Bought, returned: readonly ReturnedPass[]): number => {
  const paidMinor = bought.totalMinor - depositsOf(terms);
  const prices = { formerMinor: priceBefore(bought) - depositsOf(terms), nowMinor: priceKept(terms, returned) };
  const of = { ...prices, isPaid: true, isTakenAway: false, leastMinor: 0 };
  const discountMinor = bought.promotion ? remainingDiscount(bought.promotion, of) : 0;
  return paidMinor - (prices.nowMinor - discountMinor);
};

const sumOf = (returned: readonly ReturnedPass[]): number => returned.reduce((sum, of) => sum + of.refundMinor, 0);

/**
 * What goes back for one more pass, after those that were given back before. Together, the passes never return more than
 * was paid, and all of it when none was used.
 * @param shareMinor its equal part of the price for the same units
 * @param isTakenAway the resort takes it, or the mountain was closed: it returns its share at least
 */
export const refundOfOne = (
  terms: TermsTogether,
  bought: Bought,
  before: readonly ReturnedPass[],
  {
    number,
    units,
    shareMinor,
    isTakenAway,
  }: Omit<ReturnedPass, 'refundMinor'> & {
    readonly shareMinor: number;
    readonly isTakenAway: boolean;
  },
): number => {
  const others = before.filter((of) => of.number !== number);
  const all = [...others, { number, units, refundMinor: 0 }];
  const more = returnedOf(terms, bought, all) - sumOf(others);
  const wanted = Math.max(0, isTakenAway ? Math.max(more, shareMinor) : more);
  return Math.min(wanted, bought.totalMinor - depositsOf(terms) - sumOf(others));
};
