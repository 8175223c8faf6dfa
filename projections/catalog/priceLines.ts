/** The lines of a price in replies and realtime messages. */
import { type Static, Type } from '@sinclair/typebox';
import { PriceLine } from '../../domain/catalog/priceLine.ts';
import { toMajor } from '../../domain/core/money.ts';
import { DateOnly, Minor, OneOf } from '../../domain/core/schema.ts';
import { snakeSchema } from '../../infra/naming.ts';

/** As rows of read models have it. */
export const StoredLine = snakeSchema(PriceLine);
type StoredLine = Static<typeof StoredLine>;

const Line = Type.Object({
  kind: OneOf(['night', 'tax', 'fee', 'item', 'discount', 'refund'] as const),
  /** Only for a night. */
  date: Type.Optional(DateOnly),
  /** For everything but a night and a refund. */
  name: Type.Optional(Type.String()),
  /** Only for an item: how many, and the price of one. */
  quantity: Type.Optional(Type.Integer()),
  unit: Type.Optional(Type.Number()),
  unit_minor: Type.Optional(Minor),
  /** Of a discount and a refund it is negative. */
  amount: Type.Number(),
  amount_minor: Minor,
});

export const PriceLines = Type.Array(Line);

/** Price lines with their amounts in major units too. */
export const linesOf = ({
  price_lines,
  currency,
}: {
  readonly price_lines: readonly StoredLine[];
  readonly currency: string;
}) =>
  price_lines.map((line) => ({
    ...line,
    amount: toMajor(line.amount_minor, currency),
    ...('unit_minor' in line && { unit: toMajor(line.unit_minor, currency) }),
  }));
