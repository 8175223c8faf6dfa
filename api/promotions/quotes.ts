/** Prices before something is booked or bought, with the discount of a promo code. */
import { Type } from '@sinclair/typebox';
import type { PriceLine } from '../../domain/catalog/priceLine.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Minor } from '../../domain/core/schema.ts';
import type { AppliedPromotion } from '../../domain/promotions/appliedPromotion.ts';
import { toSnake } from '../../infra/naming.ts';
import { linesOf, PriceLines } from '../../projections/catalog/priceLines.ts';

export const Promo = Type.Optional(
  Type.String({
    minLength: 3,
    maxLength: 40,
    description: 'A promo code, in any letter case.',
    examples: ['SNOW-2027'],
  }),
);

export const quoteFields = {
  currency: Currency,
  total: Type.Number(),
  total_minor: Minor,
  price_lines: PriceLines,
  discount: Type.Number(),
  discount_minor: Minor,
};

interface Priced {
  readonly currency: string;
  readonly totalMinor: number;
  readonly lines: readonly PriceLine[];
  readonly promotion?: AppliedPromotion;
}

export const quoteWire = ({ currency, totalMinor: total_minor, lines, promotion }: Priced) => {
  const discount_minor = promotion?.discountMinor ?? 0;
  const [total, discount] = [toMajor(total_minor, currency), toMajor(discount_minor, currency)];
  const price_lines = linesOf({ price_lines: toSnake([...lines]), currency });
  return { currency, total, total_minor, price_lines, discount, discount_minor };
};
