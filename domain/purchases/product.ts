/**
 * Products that the resort itself sells without a stock, such as ski passes and insurance. No places are held, and the
 * resort keeps the whole price. Each product is declared by its module and quoted here.
 */
import { Type } from '@sinclair/typebox';
import type { OpenListing } from '../catalog/listing.ts';
import { type DiscountLine, type ItemLine, sumOf } from '../catalog/priceLine.ts';
import { addDays, daysBetween, instantIn, todayIn } from '../core/dates.ts';
import { MOST_MINOR } from '../core/schema.ts';

/**
 * The price of one pass or of one person's day, in minor units. It must be positive, because a payment of zero is not
 * possible.
 */
export const UnitPrice = Type.Integer({ minimum: 1, maximum: MOST_MINOR });
const MAX_DAYS = 366;
export const Days = Type.Integer({ minimum: 1, maximum: MAX_DAYS });
export const Description = Type.String({ maxLength: 10_000 });

/** For the listing commands. No seller role may own a product: only admins add them, for the resort. */
export const ownedByResort = { owners: [], parts: null, stockOf: () => [] } as const;

/** How long before their first day passes and insurance are sold. */
const MAX_DAYS_AHEAD = 500;

/** Why something is not sold as it was asked for, in words for a person. */
export const productReasons = {
  closed: 'it is not on sale',
  past: 'its first day has passed',
  too_far: `it is sold at most ${MAX_DAYS_AHEAD} days ahead`,
  out_of_season: 'not all of its days are in the season',
  too_long: 'it is not sold for so many days',
  mountain_closed:
    'the mountain is declared closed on so many of its dates that not all of it could be used: choose another first day',
};
export type ProductReason = keyof typeof productReasons;

/** The dates for which it is valid, both included, in the resort's time zone, and its price. */
export interface ProductOffer {
  readonly validFrom: string;
  readonly validTo: string;
  /** The first moment of `validFrom`. */
  readonly startsAt: string;
  /** The end of `validTo`. */
  readonly endsAt: string;
  readonly lines: readonly (ItemLine | DiscountLine)[];
  readonly totalMinor: number;
  /** The part of the total that goes back with the cards, and is not discounted. */
  readonly depositMinor: number;
}
/** Either an offer, or the reasons why there is none. */
export type ProductQuote =
  | { readonly offer: ProductOffer; readonly reasons: readonly [] }
  | { readonly offer: null; readonly reasons: readonly ProductReason[] };

export type Sold = Pick<OpenListing<object>, 'status' | 'timezone'>;

export const quoteProduct = (
  { status, timezone }: Sold,
  { validFrom, validTo, at }: { validFrom: string; validTo: string; at: string },
  reasons: readonly (ProductReason | false)[],
  lines: readonly ItemLine[],
  depositMinor = 0,
): ProductQuote => {
  const ahead = daysBetween(todayIn(timezone, at), validFrom);
  const against = [
    status !== 'published' && ('closed' as const),
    ahead < 0 && ('past' as const),
    ahead > MAX_DAYS_AHEAD && ('too_far' as const),
    ...reasons,
  ].filter((reason) => reason !== false);
  if (against.length > 0) return { offer: null, reasons: against };
  const startsAt = instantIn(timezone, validFrom, '00:00');
  const endsAt = instantIn(timezone, addDays(validTo, 1), '00:00');
  return {
    offer: { validFrom, validTo, startsAt, endsAt, lines, totalMinor: sumOf(lines), depositMinor },
    reasons: [],
  };
};
