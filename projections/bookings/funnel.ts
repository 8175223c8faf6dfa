/** The funnel of bookings: how many of a period reached each stage, and how much money. */
import { sql } from 'kysely';
import type { bookingTypes } from '../../domain/catalog/bookableItem.ts';
import type { MinorSum } from '../../domain/core/schema.ts';
import { type ReadDb, tableOf, tables } from '../engine/readDb.ts';
import { PAID_OUT } from '../ledger/balances.ts';
import { ledgerEntries } from '../ledger/entries.ts';
import { paymentItems } from '../payments/paymentItems.ts';
import { bookings } from './bookings.ts';

/** In the order in which bookings reach them. The last two are no stages, but what else became of the money. */
export const funnelStages = ['created', 'payment_started', 'captured', 'released', 'refunded', 'commission'] as const;
export type FunnelStage = (typeof funnelStages)[number];

export type FunnelRow = {
  readonly type: (typeof bookingTypes)[number];
  readonly currency: string;
} & { readonly [S in FunnelStage as `${S}_count`]: number } & { readonly [S in FunnelStage as `${S}_minor`]: MinorSum };

interface Period {
  /** Instants; `to` is not included. */
  readonly from: string;
  readonly to: string;
}

/** The bookings created in a period, by type and currency. Their later stages count whenever they happened. */
export const funnelOf = async (db: ReadDb, { from, to }: Period): Promise<FunnelRow[]> => {
  // Each booking is looked up by itself: joined, all items and entries are read where the period is long enough.
  const { rows } = await sql<FunnelRow>`
    select b.type, b.currency,
      count(*) as created_count, sum(b.total_minor)::bigint as created_minor,
      count(*) filter (where s.is_started) as payment_started_count,
      coalesce(sum(b.total_minor) filter (where s.is_started), 0)::bigint as payment_started_minor,
      ${sql.join(
        ['captured', 'released', 'refunded', 'commission'].map((stage) => {
          const amount = sql.ref(`m.${stage}`);
          const [count, minor] = [sql.ref(`${stage}_count`), sql.ref(`${stage}_minor`)];
          return sql`count(*) filter (where ${amount} > 0) as ${count}, coalesce(sum(${amount}), 0)::bigint as ${minor}`;
        }),
      )}
    from ${tableOf(bookings)} b
      cross join lateral (
        select
          sum(amount_minor) filter (where type = 'PaymentSucceeded' and account like 'clearing:%') as captured,
          sum(amount_minor) filter (where type in ('ShareReleased', 'EscrowReleased') and account like 'held:%') as released,
          -sum(amount_minor) filter (where type = 'RefundSucceeded' and account like 'clearing:%') as refunded,
          -sum(amount_minor) filter (where account = 'commission') as commission
        from ${tableOf(ledgerEntries)} where item_id = b.id
      ) m
      cross join lateral (
        select count(*) > 0 as is_started from ${tableOf(paymentItems)} where item_id = b.id
      ) s
    where b.created_at >= ${from} and b.created_at < ${to}
    group by b.type, b.currency order by b.currency, b.type`.execute(db);
  return rows;
};

export interface PaidOutRow {
  readonly currency: string;
  readonly count: number;
  readonly amount_minor: MinorSum;
}

/** What owners were paid in a period, by payout or from escrow. A payout does not belong to a single booking. */
export const paidOutIn = (db: ReadDb, { from, to }: Period): Promise<PaidOutRow[]> =>
  tables(db, ledgerEntries)
    .selectFrom('ledger_entries')
    .select([
      'currency',
      sql<number>`count(*)`.as('count'),
      sql<MinorSum>`sum(amount_minor)::bigint`.as('amount_minor'),
    ])
    .where('type', 'in', PAID_OUT)
    .where('owner_id', 'is not', null)
    .where('at', '>=', from)
    .where('at', '<', to)
    .groupBy('currency')
    .orderBy('currency')
    .execute();
