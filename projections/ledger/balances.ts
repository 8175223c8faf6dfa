/** The balance of each ledger account; debits are positive. */

import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { exactSum } from '../../domain/core/money.ts';
import { Currency, MinorSum, Nullable, Uuid } from '../../domain/core/schema.ts';
import { ledgerPurpose } from '../../domain/ledger/index.ts';
import { account, changesOn, type OwnerAccount, ownerOf } from '../../domain/ledger/ledger.ts';
import type { EventType } from '../../domain/modules.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { type ReadDb, rowColumns, tables } from '../engine/readDb.ts';
import { onEventsWith, readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';
import { refundReservations } from './reservations.ts';

export const LedgerBalance = Type.Object({
  account: Type.String(),
  currency: Currency,
  /** The owner of the account; null for accounts of the platform. */
  owner_id: Nullable(Uuid),
  balance_minor: MinorSum,
});
export type LedgerBalance = Static<typeof LedgerBalance>;

/** `paid_out_minor`: what of an owner's account was ever paid to them. */
const Row = Type.Object({ ...LedgerBalance.properties, paid_out_minor: MinorSum });
type Row = Static<typeof Row>;

/** The events with which money of owners leaves for their bank. */
export const PAID_OUT: readonly EventType[] = ['PayoutPaid', 'EscrowReleased'];
const isPaidOut = (type: string): boolean => PAID_OUT.some((each) => each === type);

export const balances = readModel('balances', {
  version: 2,
  row: Row,
  wire: wireForm(LedgerBalance, ({ paid_out_minor: _, ...balance }: Row) => balance),
  key: ['account', 'currency'],
  personalData: { whose: 'owner_id', why: ledgerPurpose, retention: forTheBooks },
  on: onEventsWith('postings', {
    keys: ({ data: { postings, currency } }) =>
      [...new Set(postings.map((posting) => posting.account))].map((name) => ({ account: name, currency })),
    fold: (row: Row | undefined, { type, data: { postings } }, key): Row => {
      const owner_id = ownerOf(key.account);
      const changes = changesOn(key.account, postings);
      const paidOut = owner_id !== null && isPaidOut(type) ? changes : [];
      return {
        ...key,
        owner_id,
        balance_minor: exactSum([row?.balance_minor ?? 0, ...changes]),
        paid_out_minor: exactSum([row?.paid_out_minor ?? 0, ...paidOut]),
      };
    },
  }),
  indexes: ['owner_id, currency'],
});

/** Every account, by name. In each currency the balances add up to zero. */
export const listBalances = (db: ReadDb): Promise<LedgerBalance[]> =>
  tables(db, balances)
    .selectFrom('balances')
    .select(rowColumns({ row: LedgerBalance }))
    .orderBy('currency')
    .orderBy('account')
    .execute();

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
  return tables(db, balances, refundReservations)
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
      sql<MinorSum>`coalesce(sum(paid_out_minor), 0)::bigint`.as('paid_out_minor'),
    ])
    .where('owner_id', '=', ownerId)
    .groupBy('currency')
    .orderBy('currency')
    .execute();
};
