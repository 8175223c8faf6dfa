/** Scans of passes at gates: passages, refusals, and passages with a conflict that a person should look at. */

import { Type } from '@sinclair/typebox';
import { Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { passesPurpose } from '../../domain/passes/index.ts';
import { Scan } from '../../domain/passes/passEvents.ts';
import { passReasons } from '../../domain/passes/refusalReasons.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { filtersOf, type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

export const scanOutcomes = ['passed', 'refused'] as const;

export const passScans = readModel('pass_scans', {
  version: 1,
  row: Type.Object({
    id: Uuid,
    pass_id: Uuid,
    user_id: Uuid,
    ...snakeSchema(Scan).properties,
    /** The gate had a connection. */
    is_online: Type.Boolean(),
    outcome: OneOf(scanOutcomes),
    /** Of a refusal: why. Of a passage: the conflict, null for none. */
    reason: Nullable(OneOf(passReasons)),
  }),
  key: 'id',
  insertOnly: true,
  personalData: { whose: 'user_id', why: passesPurpose, retention: 'account', erased: 'deleted' },
  on: {
    PassScanned: {
      keys: ({ id }) => [{ id }],
      fold: (_, { id, streamId, data: { day, startsDay, startsPass, conflict, ...scan } }) => ({
        id,
        pass_id: streamId,
        ...toSnake(scan),
        outcome: 'passed' as const,
        reason: conflict,
      }),
    },
    PassScanRefused: {
      keys: ({ id }) => [{ id }],
      fold: (_, { id, streamId, data }) => ({ id, pass_id: streamId, ...toSnake(data), outcome: 'refused' as const }),
    },
  },
  indexes: ['pass_id, scanned_at desc', 'user_id', 'outcome, reason, scanned_at desc'],
});
export type PassScanRow = RowOf<typeof passScans>;

export interface ScanFilter extends Paging {
  readonly passId?: string | undefined;
  readonly outcome?: PassScanRow['outcome'] | undefined;
  readonly reason?: Exclude<PassScanRow['reason'], null> | undefined;
  /** Only what a person should look at: passages against the rules. */
  readonly conflicts?: boolean | undefined;
}

/** Newest first. */
export const listPassScans = (
  db: ReadDb,
  { passId, outcome, reason, conflicts, ...paging }: ScanFilter,
): Promise<Page<PassScanRow>> => {
  const equal = filtersOf({ pass_id: passId, outcome: conflicts ? 'passed' : outcome, reason });
  const matching = tables(db, passScans)
    .selectFrom('pass_scans')
    .selectAll()
    .where((q) => q.and(equal))
    .$if(conflicts === true, (q) => q.where('reason', 'is not', null));
  return pageOf(db, matching.orderBy('scanned_at', 'desc').orderBy('id'), paging);
};
