/** Sums of money in replies. Unlike prices, they can be negative: more may have gone back on a day than came. */
import { type Static, Type } from '@sinclair/typebox';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, DateOnly, MinorSum } from '../../domain/core/schema.ts';
import type { RevenueRow, Spent } from '../../projections/analytics/revenue.ts';

const Sum = Type.Number();

export const Revenue = Type.Object(
  {
    day: DateOnly,
    kind: Type.String({ description: 'The type of booking, `ski_pass`, `insurance`, or `other`.' }),
    currency: Currency,
    captured: Sum,
    captured_minor: MinorSum,
    refunded: { ...Sum, description: 'Refunded and charged back.' },
    refunded_minor: MinorSum,
    revenue: { ...Sum, description: 'Of the platform: commissions, and what it sells itself.' },
    revenue_minor: MinorSum,
    earned: { ...Sum, description: 'Of sellers.' },
    earned_minor: MinorSum,
    discounts: {
      ...Sum,
      description: 'Discounts that the platform has borne: prices are higher than what was paid by as much.',
    },
    discounts_minor: MinorSum,
    losses: { ...Sum, description: 'What refunds and chargebacks took beyond what was left of an item.' },
    losses_minor: MinorSum,
    corrections: { ...Sum, description: 'What corrections have added from other accounts, such as those of the bank.' },
    corrections_minor: MinorSum,
  },
  {
    $id: 'RevenueOfDay',
    description: '`revenue` + `earned` = `captured` - `refunded` + `discounts` + `losses` + `corrections`.',
  },
);

export const revenueOf = (row: RevenueRow): Static<typeof Revenue> => ({
  ...row,
  captured: toMajor(row.captured_minor, row.currency),
  refunded: toMajor(row.refunded_minor, row.currency),
  revenue: toMajor(row.revenue_minor, row.currency),
  earned: toMajor(row.earned_minor, row.currency),
  discounts: toMajor(row.discounts_minor, row.currency),
  losses: toMajor(row.losses_minor, row.currency),
  corrections: toMajor(row.corrections_minor, row.currency),
});

export const Spending = Type.Object({ currency: Currency, amount: Sum, amount_minor: MinorSum }, { $id: 'Spending' });
export const spendingOf = (row: Spent): Static<typeof Spending> => ({
  ...row,
  amount: toMajor(row.amount_minor, row.currency),
});
