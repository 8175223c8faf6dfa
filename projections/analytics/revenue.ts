/** Money by day and kind, from the lines of the ledger, so that it adds up to the balances of the ledger. */
import { sql } from 'kysely';
import type { MinorSum } from '../../domain/core/schema.ts';
import type { EventType } from '../../domain/modules.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { ledgerEntries } from '../ledger/entries.ts';
import { payments } from '../payments/payments.ts';
import { bookingMilestones, type Period } from './milestones.ts';

const CORRECTED: EventType = 'AdjustmentApproved';
const CAPTURED: EventType = 'PaymentSucceeded';
const GIVEN_BACK: readonly EventType[] = ['RefundSucceeded', 'ChargedBack', 'ChargebackWon'];
/** What sellers earn and lose. Other events only move it, from held to available to paid out. */
const EARNED: readonly EventType[] = [CAPTURED, ...GIVEN_BACK, CORRECTED];

/** Amounts in minor units. */
export interface RevenueRow {
  /** `YYYY-MM-DD` in the time zone of the period. */
  readonly day: string;
  /** `hotel`, `tour`, … of bookings, the service of purchases; `other`: it belongs to no item. */
  readonly kind: string;
  readonly currency: string;
  /** Money of payers. */
  readonly captured_minor: MinorSum;
  /** Refunded and charged back, less chargebacks that were won. */
  readonly refunded_minor: MinorSum;
  /** Of the platform: commissions and what it sells itself. Negative where more went back than came. */
  readonly revenue_minor: MinorSum;
  /** Of sellers. */
  readonly earned_minor: MinorSum;
  /** Discounts that the platform has borne, less those that went back with a refund. */
  readonly discounts_minor: MinorSum;
  /** What refunds and chargebacks took beyond what was left of an item, less what came back. */
  readonly losses_minor: MinorSum;
  /** What corrections have added to revenue, earnings, discounts and losses from other accounts, such as the bank's. */
  readonly corrections_minor: MinorSum;
}

const AMOUNTS = [
  ...['captured_minor', 'refunded_minor', 'revenue_minor', 'earned_minor'],
  ...['discounts_minor', 'losses_minor', 'corrections_minor'],
];

const isAny = (types: readonly EventType[]) => sql`type = any(${types})`;

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
  const clearing = sql`account like 'clearing:%'`;
  const service = sql`account like 'service:%'`;
  const ofSeller = sellerId === undefined ? sql`true` : sql`b.provider_id = ${sellerId}`;
  const sum = (column: string) => sql`sum(${sql.ref(column)})::bigint as ${sql.ref(column)}`;
  const platform = sql`(account = 'commission' or ${service})`;
  const isNamed = sql`(${platform} or owner_id is not null or account in ('promotions', 'losses'))`;
  const { rows } = await sql<RevenueRow>`
    with items as (
      select event_id, item_id, (at at time zone ${timezone})::date as day, currency,
        max(substr(account, 9)) filter (where ${service}) as service,
        coalesce(sum(amount_minor) filter (where ${clearing} and type = ${CAPTURED}), 0) as captured_minor,
        coalesce(-sum(amount_minor) filter (where ${clearing} and ${isAny(GIVEN_BACK)}), 0) as refunded_minor,
        coalesce(-sum(amount_minor) filter (where ${platform}), 0) as revenue_minor,
        coalesce(-sum(amount_minor) filter (where owner_id is not null and ${isAny(EARNED)}), 0) as earned_minor,
        coalesce(sum(amount_minor) filter (where account = 'promotions'), 0) as discounts_minor,
        coalesce(sum(amount_minor) filter (where account = 'losses'), 0) as losses_minor,
        coalesce(sum(amount_minor) filter (where type = ${CORRECTED} and not ${isNamed}), 0) as corrections_minor
      from ${tableOf(ledgerEntries)} where at >= ${from} and at < ${to}
      group by event_id, item_id, at, currency
    )
    select i.day, coalesce(i.service, b.type, 'other') as kind, i.currency, ${sql.join(AMOUNTS.map(sum))}
    from items i left join ${tableOf(bookingMilestones)} b on b.id = i.item_id
    where ${ofSeller} and (${sql.join(
      AMOUNTS.map((name) => sql`${sql.ref(name)} <> 0`),
      sql` or `,
    )})
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
    where p.user_id = ${userId} and l.account like 'clearing:%' and l.type = any(${[CAPTURED, ...GIVEN_BACK]})
    group by l.currency order by l.currency`.execute(db);
  return rows;
};
