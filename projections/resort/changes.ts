/** The history of lifts and slopes, for admins: who changed what, and when. */
import { Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, OneOf, Uuid } from '../../domain/core/schema.ts';
import { toSnake } from '../../infra/naming.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

const kinds = ['added', 'changed', 'status_set', 'queue_reported', 'queue_withdrawn', 'retired'] as const;

const Row = Type.Object({
  id: Uuid,
  /** The lift or the slope. */
  subject_id: Uuid,
  change: OneOf(kinds),
  at: Instant,
  by: Type.String({ description: 'Id of the account or the key that changed it.' }),
  data: Type.Unsafe<object>({ type: 'object', description: 'What it was changed to.' }),
});

const kept = (change: (typeof kinds)[number]) => ({
  keys: ({ id }: Recorded) => [{ id }],
  fold: (_: unknown, { id, streamId, at, meta, data }: Recorded) => ({
    id,
    subject_id: streamId,
    change,
    at,
    by: meta.actor.id,
    data: toSnake(data),
  }),
});

export const resortChanges = readModel('resort_changes', {
  version: 1,
  row: Row,
  key: 'id',
  insertOnly: true,
  indexes: ['subject_id, at desc, id desc'],
  on: {
    LiftAdded: kept('added'),
    LiftChanged: kept('changed'),
    LiftOverrideSet: kept('status_set'),
    LiftQueueReported: kept('queue_reported'),
    LiftQueueReportWithdrawn: kept('queue_withdrawn'),
    LiftRetired: kept('retired'),
    SlopeAdded: kept('added'),
    SlopeChanged: kept('changed'),
    SlopeOverrideSet: kept('status_set'),
    SlopeRetired: kept('retired'),
  },
});
export type ResortChangeRow = RowOf<typeof resortChanges>;

/** Newest first. */
export const changesOf = (db: ReadDb, subjectId: string, paging: Paging): Promise<Page<ResortChangeRow>> =>
  pageOf(
    db,
    tables(db, resortChanges)
      .selectFrom('resort_changes')
      .selectAll()
      .where('subject_id', '=', subjectId)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc'),
    paging,
  );
