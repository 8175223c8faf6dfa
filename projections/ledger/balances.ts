/** The balance of each ledger account; debits are positive. */

import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { exactSum } from '../../domain/core/money.ts';
import { Currency, MinorSum, Nullable, Uuid } from '../../domain/core/schema.ts';
import { ledgerPurpose } from '../../domain/ledger/index.ts';
import { account, type OwnerAccount, ownerOf } from '../../domain/ledger/ledger.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { onEventsWith, readModel } from '../engine/readModel.ts';
import { ledgerEntries } from './entries.ts';
import { refundReservations } from './reservations.ts';

const Row = Type.Object({
  account: Type.String(),
  currency: Currency,
  /** The owner of the account; null for accounts of the platform. */
  owner_id: Nullable(Uuid),
  balance_minor: MinorSum,
});
export type BalanceRow = Static<typeof Row>;

export const balances = readModel('balances', {
  version: 1,
  row: Row,
  key: ['account', 'currency'],
  personalData: { whose: 'owner_id', why: ledgerPurpose, retention: forTheBooks },
  on: onEventsWith('postings', {
    keys: ({ data: { postings, currency } }) =>
      [...new Set(postings.map((posting) => posting.account))].map((name) => ({ account: name, currency })),
    fold: (row: BalanceRow | undefined, { data: { postings } }, key): BalanceRow => ({
      ...key,
      owner_id: ownerOf(key.account),
      balance_minor: exactSum([
        row?.balance_minor ?? 0,
        ...postings.filter((posting) => posting.account === key.account).map(({ amountMinor }) => amountMinor),
      ]),
    }),
  }),
  indexes: ['owner_id, currency'],
});

/** Every account, by name. In each currency the balances add up to zero. */
export const listBalances = (db: ReadDb): Promise<BalanceRow[]> =>
  tables(db, balances).selectFrom('balances').selectAll().orderBy('currency').orderBy('account').execute();

export interface OwnerBalance {
  readonly currency: string;
  /** Earned, not released yet. */
  readonly held_minor: MinorSum;
  /** Can be paid out; negative if the owner owes money. */
  readonly available_minor: MinorSum;
  /** The part of it that refunds under way will take. */
  readonly in_refund_minor: MinorSum;
  /** On its way to the owner's bank. */
  readonly in_payout_minor: MinorSum;
  readonly paid_out_minor: MinorSum;
}

/** The balances of an owner, one row for each currency. */
export const balancesOf = (db: ReadDb, ownerId: string): Promise<OwnerBalance[]> => {
  const on = (kind: OwnerAccount) =>
    sql<MinorSum>`coalesce(-sum(balance_minor) filter (where account = ${account[kind](ownerId)}), 0)::bigint`;
  return tables(db, balances, ledgerEntries, refundReservations)
    .selectFrom('balances')
    .select((q) => [
      'currency',
      on('held').as('held_minor'),
      on('available').as('available_minor'),
      on('payout').as('in_payout_minor'),
      q
        .selectFrom('refund_reservations as reserved')
        .select(sql<MinorSum>`coalesce(sum(amount_minor), 0)::bigint`.as('sum'))
        .where('reserved.owner_id', '=', ownerId)
        .whereRef('reserved.currency', '=', 'balances.currency')
        .$asScalar()
        .$notNull()
        .as('in_refund_minor'),
      q
        .selectFrom('ledger_entries as paid')
        .select(sql<MinorSum>`coalesce(sum(amount_minor), 0)::bigint`.as('sum'))
        .where('paid.owner_id', '=', ownerId)
        .whereRef('paid.currency', '=', 'balances.currency')
        .where('paid.type', 'in', ['PayoutPaid', 'EscrowReleased'])
        .$asScalar()
        .$notNull()
        .as('paid_out_minor'),
    ])
    .where('owner_id', '=', ownerId)
    .groupBy('currency')
    .orderBy('currency')
    .execute();
};
