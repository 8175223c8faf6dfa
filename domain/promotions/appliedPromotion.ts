/**
 * The discount of a booking or a purchase. It is a line of the price. Where the seller bears it, the commission is calculated
 * on the lower price; where the platform bears it, the commission and the share of the seller are those of the price before.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { DiscountLine, PriceLine } from '../catalog/priceLine.ts';
import { minorPerMajor } from '../core/money.ts';
import { Uuid } from '../core/schema.ts';
import { PromoCodeText } from './promoCode.ts';
import {
  assertCovers,
  Bearer,
  type Discountable,
  discountLines,
  discountOn,
  givenAgain,
  keptDiscount,
  Minimum,
  type PromoTerms,
} from './terms.ts';

export const AppliedPromotion = Type.Object({
  promoCodeId: Uuid,
  code: PromoCodeText,
  bearer: Bearer,
  discountMinor: Type.Integer({ minimum: 0 }),
  /** Absent: the code had no least price, or the use is older than this field. */
  minimum: Type.Optional(Minimum),
});
export type AppliedPromotion = Static<typeof AppliedPromotion>;

/** What guests and sellers see of it. */
export const ShownPromotion = Type.Omit(AppliedPromotion, ['minimum']);
export const shownPromotion = ({ minimum: _, ...shown }: AppliedPromotion): Static<typeof ShownPromotion> => shown;

interface Price {
  readonly totalMinor: number;
  readonly promotion?: AppliedPromotion;
}
interface Offered extends Discountable {
  readonly lines: readonly PriceLine[];
  readonly totalMinor: number;
  /** The part of the total that is not discounted: deposits, which go back in full. Absent: 0. */
  readonly depositMinor?: number;
}

/** The price without the discount. */
export const priceBefore = ({ totalMinor, promotion }: Price): number => totalMinor + (promotion?.discountMinor ?? 0);

/** What the platform adds to the total for the seller. */
export const contributionTo = ({ promotion }: Price): number =>
  promotion?.bearer === 'platform' ? promotion.discountMinor : 0;

/** What the commission is calculated on. */
export const commissionBase = (price: Price): number => price.totalMinor + contributionTo(price);

/** An offer with its discount. */
export type Discounted<O extends Offered> = O & {
  readonly lines: readonly (O['lines'][number] | DiscountLine)[];
  readonly promotion: AppliedPromotion;
};

const discounted = <O extends Offered>(offer: O, promotion: AppliedPromotion): Discounted<O> => ({
  ...offer,
  lines: [...offer.lines, ...discountLines(promotion.code, promotion.discountMinor)],
  totalMinor: offer.totalMinor - promotion.discountMinor,
  promotion,
});

/**
 * @param sellerId null: the platform sells it itself
 * @throws Rejected `promo_refused` where the code gives no discount on this
 */
export const withDiscount = <O extends Offered>(
  offer: O,
  sellerId: string | null,
  { promoCodeId, code, terms }: { readonly promoCodeId: string; readonly code: string; readonly terms: PromoTerms },
): Discounted<O> => {
  assertCovers(terms, sellerId, offer);
  const discountMinor = discountOn(terms, offer.totalMinor - (offer.depositMinor ?? 0));
  const { leastTotalMinor, percentBps, amountMinor } = terms;
  const minimum = { leastTotalMinor, percentBps, amountMinor, mostMinor: discountMinor };
  return discounted(offer, {
    ...{ promoCodeId, code, bearer: terms.bearer, discountMinor },
    ...(leastTotalMinor > 0 && { minimum }),
  });
};

/** How what was bought with a discount changes. */
interface Remaining {
  /** Before the discount: what it was calculated on, and the price of what remains. */
  readonly formerMinor: number;
  readonly nowMinor: number;
  readonly isPaid: boolean;
  /** The seller or the resort takes something away, not the guest: it costs no discount. */
  readonly isTakenAway: boolean;
  /** What is left to pay at least, where the price allows it. */
  readonly leastMinor: number;
}

/**
 * The discount on what remains. Without a least price, it never rises, and falls in proportion to the price. A code with a
 * least price gives what it gives on what remains alone; but nobody pays more for a part than was paid for the whole.
 */
export const remainingDiscount = ({ discountMinor, minimum }: AppliedPromotion, of: Remaining): number => {
  const { formerMinor, nowMinor, isPaid, isTakenAway, leastMinor } = of;
  const share = keptDiscount(discountMinor, formerMinor, nowMinor, leastMinor);
  if (minimum === undefined) return share;
  const again = Math.max(0, Math.min(givenAgain(minimum, nowMinor), nowMinor - leastMinor));
  const given = isTakenAway ? Math.max(share, again) : again;
  if (!isPaid) return given;
  const paidMinor = formerMinor - discountMinor;
  return Math.min(discountMinor, Math.max(given, nowMinor - paidMinor));
};

/**
 * New terms of a booking that has a discount. Of what is not paid yet, one major unit stays to pay, as of a new booking.
 * @param terms those of the code now
 * @throws Rejected `promo_refused` where the code is not for the new dates
 */
export const withKeptDiscount = <O extends Offered>(
  offer: O,
  sellerId: string | null,
  booked: {
    readonly totalMinor: number;
    readonly promotion: AppliedPromotion;
    readonly isPaid: boolean;
    readonly isTakenAway?: boolean;
  },
  terms: PromoTerms,
): Discounted<O> => {
  const { promotion, isPaid, isTakenAway = false } = booked;
  assertCovers({ ...terms, currency: offer.currency }, sellerId, offer);
  const prices = { formerMinor: priceBefore(booked), nowMinor: offer.totalMinor };
  const leastMinor = isPaid ? 0 : minorPerMajor(offer.currency);
  const discountMinor = remainingDiscount(promotion, { ...prices, isPaid, isTakenAway, leastMinor });
  return discounted(offer, { ...promotion, discountMinor });
};
