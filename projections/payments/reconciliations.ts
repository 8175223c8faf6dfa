/** Reconciliations: runs that compared our payments with the providers' records, and the differences they found. */
import { Type } from '@sinclair/typebox';
import { Count, Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { Difference, reconciliationStatuses } from '../../domain/payments/reconciliation.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';

export const reconciliations = readModel('reconciliations', {
  version: 2,
  row: Type.Object({
    id: Uuid,
    trigger: OneOf(['daily', 'requested']),
    status: OneOf(reconciliationStatuses),
    /** The number of payments compared; null while it runs. */
    checked: Nullable(Count),
    /** Payments that the provider gave no answer about; null while it runs. */
    unanswered: Nullable(Count),
    /** Up to 100 of these payments. */
    unanswered_payments: Type.Array(Uuid),
    differences: Count,
    started_at: Instant,
    finished_at: Nullable(Instant),
  }),
  key: 'id',
  on: {
    ReconciliationStarted: (_, { streamId, at, data: { trigger } }) => ({
      id: streamId,
      trigger,
      status: 'running' as const,
      checked: null,
      unanswered: null,
      unanswered_payments: [],
      differences: 0,
      started_at: at,
      finished_at: null,
    }),
    DifferenceFound: (row) => ({ ...existing(row), differences: existing(row).differences + 1 }),
    ReconciliationFinished: (row, { at, data: { unansweredIds = [], ...counts } }) => ({
      ...existing(row),
      ...counts,
      unanswered_payments: unansweredIds,
      status: 'finished' as const,
      finished_at: at,
    }),
  },
  indexes: ['started_at desc, id'],
});
export type ReconciliationRow = RowOf<typeof reconciliations>;

export const paymentDifferences = readModel('payment_differences', {
  version: 1,
  row: Type.Object({ reconciliation_id: Uuid, ...snakeSchema(Difference).properties, found_at: Instant }),
  key: ['reconciliation_id', 'payment_id', 'kind'],
  on: {
    DifferenceFound: {
      keys: ({ streamId, data: { paymentId, kind } }) => [{ reconciliation_id: streamId, payment_id: paymentId, kind }],
      fold: (_, { streamId, data, at }) => ({ reconciliation_id: streamId, ...toSnake(data), found_at: at }),
    },
  },
});
export type DifferenceRow = RowOf<typeof paymentDifferences>;

/** Newest first. */
export const listReconciliations = (db: ReadDb, paging: Paging): Promise<Page<ReconciliationRow>> =>
  pageOf(
    db,
    tables(db, reconciliations).selectFrom('reconciliations').selectAll().orderBy('started_at', 'desc').orderBy('id'),
    paging,
  );

export const reconciliationById = (db: ReadDb, id: string): Promise<ReconciliationRow | undefined> =>
  tables(db, reconciliations).selectFrom('reconciliations').selectAll().where('id', '=', id).executeTakeFirst();

/** The differences of one run, ordered by payment. */
export const differencesOf = (db: ReadDb, id: string, paging: Paging): Promise<Page<DifferenceRow>> => {
  const found = tables(db, paymentDifferences)
    .selectFrom('payment_differences')
    .selectAll()
    .where('reconciliation_id', '=', id);
  return pageOf(db, found.orderBy('payment_id').orderBy('kind'), paging);
};
