/** Money by day and kind, from the lines of the ledger, so that it adds up to the balances of the ledger. */
import { sql } from 'kysely';
import type { MinorSum } from '../../domain/core/schema.ts';
import type { EventType } from '../../domain/modules.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { ledgerEntries } from '../ledger/entries.ts';
import { payments } from '../payments/payments.ts';
import { bookingMilestones, type Period } from './milestones.ts';

const CAPTURED: EventType = 'PaymentSucceeded';
const GIVEN_BACK: readonly EventType[] = ['RefundSucceeded', 'ChargedBack', 'ChargebackWon'];
/** What sellers earn and lose. Other events only move it, from held to available to paid out. */
const EARNED: readonly EventType[] = [CAPTURED, ...GIVEN_BACK, 'AdjustmentApproved'];

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
}

const isAny = (types: readonly EventType[]) => sql`type = any(${types})`;

/**
 * Money of a period by day, kind and currency. Over all time, `revenue_minor` is what the platform's accounts have.
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
  const amounts = ['captured_minor', 'refunded_minor', 'revenue_minor', 'earned_minor'];
  const { rows } = await sql<RevenueRow>`
    with items as (
      select event_id, item_id, (at at time zone ${timezone})::date as day, currency,
        max(substr(account, 9)) filter (where ${service}) as service,
        coalesce(sum(amount_minor) filter (where ${clearing} and type = ${CAPTURED}), 0) as captured_minor,
        coalesce(-sum(amount_minor) filter (where ${clearing} and ${isAny(GIVEN_BACK)}), 0) as refunded_minor,
        coalesce(-sum(amount_minor) filter (where account = 'commission' or ${service}), 0) as revenue_minor,
        coalesce(-sum(amount_minor) filter (where owner_id is not null and ${isAny(EARNED)}), 0) as earned_minor
      from ${tableOf(ledgerEntries)} where at >= ${from} and at < ${to}
      group by event_id, item_id, at, currency
    )
    select i.day, coalesce(i.service, b.type, 'other') as kind, i.currency, ${sql.join(amounts.map(sum))}
    from items i left join ${tableOf(bookingMilestones)} b on b.id = i.item_id
    where ${ofSeller} and (i.captured_minor, i.refunded_minor, i.revenue_minor, i.earned_minor) <> (0, 0, 0, 0)
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
