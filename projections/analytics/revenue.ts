/** Money by day and kind, so that it adds up to the balances of the ledger. */
import type { Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import type { MinorSum } from '../../domain/core/schema.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { ledgerEntries } from '../ledger/entries.ts';
import { payments } from '../payments/payments.ts';
import { bookingMilestones, type Period } from './milestones.ts';
import { PAYERS_MONEY, RevenueAmounts, revenueLines } from './revenueLines.ts';

export type RevenueRow = Static<typeof RevenueAmounts> & {
  /** `YYYY-MM-DD` in the time zone of the period. */
  readonly day: string;
  /** `hotel`, `tour`, … of bookings, the service of purchases; `other`: it belongs to no item. */
  readonly kind: string;
  readonly currency: string;
};

/**
 * Money of a period by day, kind and currency. Over all time, `revenue_minor` is what the platform's accounts have. In every row,
 * revenue + earned = captured - refunded + discounts + losses + corrections.
 * @param sellerId only of what this seller has sold
 */
export const revenueByDay = async (
  db: ReadDb,
  { from, to, timezone }: Period,
  sellerId?: string,
): Promise<RevenueRow[]> => {
  // Lines that do not name the seller are few: of items of which the platform's part alone has moved.
  const ofSeller =
    sellerId === undefined
      ? sql`true`
      : sql`(l.seller_id = ${sellerId} or l.seller_id is null) and l.service is null and b.provider_id = ${sellerId}`;
  const sums = Object.keys(RevenueAmounts.properties).map(
    (column) => sql`sum(${sql.ref(column)})::bigint as ${sql.ref(column)}`,
  );
  // The limit has bookings looked up one by one: joined, all of them are read where the period is long enough.
  const { rows } = await sql<RevenueRow>`
    select (l.at at time zone ${timezone})::date as day, coalesce(l.service, b.type, 'other') as kind, l.currency,
      ${sql.join(sums)}
    from ${tableOf(revenueLines)} l
      left join lateral (
        select type, provider_id from ${tableOf(bookingMilestones)} where id = l.item_id limit 1
      ) b on true
    where l.at >= ${from} and l.at < ${to} and ${ofSeller}
    group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
};

export interface Spent {
  readonly currency: string;
  /** Paid, less what came back. */
  readonly amount_minor: MinorSum;
}

/** What a person has spent, by currency. */
export const spentBy = async (db: ReadDb, userId: string): Promise<Spent[]> => {
  const { rows } = await sql<Spent>`
    select l.currency, sum(l.amount_minor)::bigint as amount_minor
    from ${tableOf(payments)} p join ${tableOf(ledgerEntries)} l on l.payment_id = p.id
    where p.user_id = ${userId} and l.account like 'clearing:%' and l.type = any(${[...PAYERS_MONEY]})
    group by l.currency order by l.currency`.execute(db);
  return rows;
};
