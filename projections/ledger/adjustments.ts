/** Adjustments of the ledger: corrections and chargebacks, which one admin requests and another approves. */

import { type Static, Type } from '@sinclair/typebox';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type AdjustmentStatus, adjustmentKinds, adjustmentStatuses } from '../../domain/ledger/adjustment.ts';
import { actsOfAdmins } from '../../infra/personalData.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';

const Row = Type.Object({
  id: Uuid,
  kind: OneOf(adjustmentKinds),
  status: OneOf(adjustmentStatuses),
  amount_minor: Minor,
  currency: Currency,
  reason: Type.String(),
  /** The accounts of a correction. */
  debit: Nullable(Type.String()),
  credit: Nullable(Type.String()),
  /** What a chargeback is about. */
  payment_id: Nullable(Uuid),
  item_id: Nullable(Uuid),
  /** Whether the booking stays, of a chargeback. */
  keeps_booking: Type.Boolean(),
  /** Of one that was won. */
  chargeback_id: Nullable(Uuid),
  requested_by: Uuid,
  /** Who approved or rejected it. */
  decided_by: Nullable(Uuid),
  rejection_reason: Nullable(Type.String()),
  created_at: Instant,
  updated_at: Instant,
});
export type AdjustmentRow = Static<typeof Row>;

interface Requested {
  readonly requestedBy: string;
  readonly reason: string;
  readonly amountMinor: number;
  readonly currency: string;
}
const requested = ({ streamId: id, at, data }: { streamId: string; at: string; data: Requested }) => ({
  id,
  status: 'requested' as const,
  amount_minor: data.amountMinor,
  currency: data.currency,
  reason: data.reason,
  debit: null,
  credit: null,
  payment_id: null,
  item_id: null,
  keeps_booking: false,
  chargeback_id: null,
  requested_by: data.requestedBy,
  decided_by: null,
  rejection_reason: null,
  created_at: at,
  updated_at: at,
});

export const adjustments = readModel('ledger_adjustments', {
  version: 2,
  row: Row,
  key: 'id',
  personalData: actsOfAdmins,
  on: {
    CorrectionRequested: (_, event) => {
      const { debit, credit } = event.data;
      return { ...requested(event), kind: 'correction' as const, debit, credit };
    },
    ChargebackRequested: (_, event) => {
      const { paymentId: payment_id, itemId: item_id, keepsBooking: keeps_booking = false } = event.data;
      return { ...requested(event), kind: 'chargeback' as const, payment_id, item_id, keeps_booking };
    },
    ChargebackWonRequested: (_, event) => {
      const { paymentId: payment_id, itemId: item_id, chargebackId: chargeback_id } = event.data;
      return { ...requested(event), kind: 'chargeback_won' as const, payment_id, item_id, chargeback_id };
    },
    AdjustmentApproved: (row, { at, data: { approvedBy: decided_by } }) => ({
      ...existing(row),
      status: 'approved' as const,
      decided_by,
      updated_at: at,
    }),
    AdjustmentRejected: (row, { at, data: { rejectedBy: decided_by, reason: rejection_reason } }) => ({
      ...existing(row),
      status: 'rejected' as const,
      decided_by,
      rejection_reason,
      updated_at: at,
    }),
  },
  indexes: ['created_at desc, id'],
});

/** `amount` is in major units, `amount_minor` in minor units. */
export const Adjustment = Type.Object({ ...Row.properties, amount: Type.Number() }, { $id: 'LedgerAdjustment' });
export const showAdjustment = (row: AdjustmentRow): Static<typeof Adjustment> => ({
  ...row,
  amount: toMajor(row.amount_minor, row.currency),
});

/** Newest first. */
export const listAdjustments = (
  db: ReadDb,
  { status, ...paging }: Paging & { readonly status?: AdjustmentStatus | undefined },
): Promise<Page<AdjustmentRow>> => {
  const matching = tables(db, adjustments)
    .selectFrom('ledger_adjustments')
    .selectAll()
    .$if(status !== undefined, (q) => q.where('status', '=', status ?? 'requested'));
  return pageOf(db, matching.orderBy('created_at', 'desc').orderBy('id'), paging);
};
