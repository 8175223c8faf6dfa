/** One line of a price, the same for everything that is sold. Amounts are minor units. */
import { type Static, Type } from '@sinclair/typebox';
import { DateOnly, Minor, OneOf } from '../core/schema.ts';

/** One night of a stay. */
const NightLine = Type.Object({ kind: Type.Literal('night'), date: DateOnly, amountMinor: Minor });
/** A tax or fee on top of the nights. */
const ChargeLine = Type.Object({
  kind: OneOf(['tax', 'fee'] as const),
  name: Type.String(),
  amountMinor: Minor,
});
/** A quantity of something at a unit price. */
export const ItemLine = Type.Object({
  kind: Type.Literal('item'),
  name: Type.String(),
  quantity: Type.Integer({ minimum: 1 }),
  unitMinor: Minor,
  amountMinor: Minor,
});
export type ItemLine = Static<typeof ItemLine>;

/** A discount: a negative amount. `name`: the promo code. */
export const DiscountLine = Type.Object({
  kind: Type.Literal('discount'),
  name: Type.String(),
  amountMinor: Type.Integer({ maximum: -1 }),
});
export type DiscountLine = Static<typeof DiscountLine>;

/** What the seller gave back of a price that was paid: a negative amount. */
const RefundLine = Type.Object({ kind: Type.Literal('refund'), amountMinor: Type.Integer({ maximum: -1 }) });

export const PriceLine = Type.Union([NightLine, ChargeLine, ItemLine, DiscountLine, RefundLine]);
export type PriceLine = Static<typeof PriceLine>;

/** A line of `quantity` at `unitMinor` each. */
export const itemLine = (name: string, quantity: number, unitMinor: number): ItemLine => ({
  kind: 'item',
  name,
  quantity,
  unitMinor,
  amountMinor: quantity * unitMinor,
});

/** The sum of the lines, in minor units. */
export const sumOf = (lines: readonly { readonly amountMinor: number }[]): number =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
