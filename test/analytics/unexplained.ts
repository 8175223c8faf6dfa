import { exactSum } from '../../domain/core/money.ts';
import type { RevenueRow } from '../../projections/analytics/revenue.ts';

/** By how much revenue and earnings differ from the payments, beyond what the other columns say. */
export const unexplained = (row: RevenueRow): number => {
  const right = [row.captured_minor, row.discounts_minor, row.losses_minor, row.corrections_minor];
  const left = [row.refunded_minor, row.revenue_minor, row.earned_minor];
  return Number(exactSum([...right, ...left.map((amount) => 0n - BigInt(amount))]));
};
