/** Payouts to owners. An admin requests each one; the bank then pays it, or it fails. */

import { type Static, Type } from '@sinclair/typebox';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { ledgerPurpose } from '../../domain/ledger/index.ts';
import { type PayoutStatus, payoutStatuses } from '../../domain/ledger/ownerAccount.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { providerChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { filtersOf, type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';

const keys = ({ data }: { readonly data: { readonly payoutId: string } }) => [{ id: data.payoutId }];

const Row = Type.Object({
  id: Uuid,
  owner_id: Uuid,
  currency: Currency,
  amount_minor: Minor,
  status: OneOf(payoutStatuses),
  /** The bank's reference, once it is paid. */
  reference: Nullable(Type.String()),
  /** Why it failed. */
  reason: Nullable(Type.String()),
  created_at: Instant,
  updated_at: Instant,
});
export type PayoutRow = Static<typeof Row>;

/** A payout in replies and messages: `amount` is in major units, `amount_minor` in minor units. */
export const Payout = Type.Object({ ...Row.properties, amount: Type.Number() }, { $id: 'Payout' });
export const payoutWire = wireForm(Payout, (row: PayoutRow) => ({
  ...row,
  amount: toMajor(row.amount_minor, row.currency),
}));

export const payouts = readModel('payouts', {
  version: 2,
  row: Row,
  wire: payoutWire,
  key: 'id',
  personalData: { whose: 'owner_id', why: ledgerPurpose, retention: forTheBooks },
  on: {
    PayoutRequested: {
      keys,
      fold: (_, { at, data }) => ({
        id: data.payoutId,
        owner_id: data.ownerId,
        currency: data.currency,
        amount_minor: data.amountMinor,
        status: 'requested' as const,
        reference: null,
        reason: null,
        created_at: at,
        updated_at: at,
      }),
    },
    PayoutPaid: {
      keys,
      fold: (row, { at, data: { reference } }) => ({
        ...existing(row),
        status: 'paid' as const,
        reference,
        updated_at: at,
      }),
    },
    PayoutFailed: {
      keys,
      fold: (row, { at, data: { reason } }) => ({
        ...existing(row),
        status: 'failed' as const,
        reason,
        updated_at: at,
      }),
    },
  },
  indexes: ['owner_id, created_at desc, id', 'created_at desc, id'],
  publishTo: [{ channel: providerChannel, idsOf: ({ owner_id }) => [owner_id], audience: 'seller' }],
});

export const payoutById = (db: ReadDb, id: string): Promise<PayoutRow | undefined> =>
  tables(db, payouts).selectFrom('payouts').selectAll().where('id', '=', id).executeTakeFirst();

export interface PayoutFilter extends Paging {
  readonly ownerId?: string | undefined;
  readonly status?: PayoutStatus | undefined;
}

/** Newest first. */
export const listPayouts = (db: ReadDb, { ownerId, status, ...paging }: PayoutFilter): Promise<Page<PayoutRow>> => {
  const equal = filtersOf({ owner_id: ownerId, status });
  const matching = tables(db, payouts)
    .selectFrom('payouts')
    .where((q) => q.and(equal));
  return pageOf(db, matching.selectAll().orderBy('created_at', 'desc').orderBy('id'), paging);
};
