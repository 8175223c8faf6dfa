/** Reports of what people have written, for admins. */

import { type Static, Type } from '@sinclair/typebox';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { reportsPurpose } from '../../domain/reports/index.ts';
import { reportActions } from '../../domain/reports/report.ts';
import { keptBecause } from '../../infra/personalData.ts';
import type { Page, Paging } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { listOldestFirst, oldestFirstIndex } from './oldestFirst.ts';

export const reportStatuses = ['open', 'resolved'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

const Row = Type.Object({
  id: Uuid,
  reporter_id: Uuid,
  subject_kind: Type.String({ description: 'What is reported: `message`, `review` and so on.' }),
  subject_id: Uuid,
  within_id: Nullable({ ...Uuid, description: 'What the subject is part of, such as the chat of a message.' }),
  reason: Type.String(),
  status: OneOf(reportStatuses),
  action: Nullable(OneOf(reportActions)),
  resolved_by: Nullable(Type.String({ description: 'The admin.' })),
  resolved_at: Nullable(Instant),
  created_at: Instant,
});
export type ReportRow = Static<typeof Row>;

export const reports = readModel('reports', {
  version: 1,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'reporter_id',
    texts: ['reason'],
    others: { resolved_by: keptBecause.doneBy },
    why: reportsPurpose,
    retention: 'account',
  },
  on: {
    ContentReported: (_, { streamId: id, at, data: { reporterId, subject, reason } }) => ({
      id,
      reporter_id: reporterId,
      subject_kind: subject.kind,
      subject_id: subject.id,
      within_id: subject.within,
      reason,
      status: 'open' as const,
      action: null,
      resolved_by: null,
      resolved_at: null,
      created_at: at,
    }),
    ReportResolved: (row, { at, meta, data: { action } }) => ({
      ...existing(row),
      status: 'resolved' as const,
      action,
      resolved_by: meta.actor.id,
      resolved_at: at,
    }),
  },
  indexes: [oldestFirstIndex('subject_kind'), 'subject_id', 'reporter_id'],
});

const all = (db: ReadDb) => tables(db, reports).selectFrom('reports').selectAll();

/** A report of one of these kinds. */
export const reportById = (db: ReadDb, id: string, kinds: readonly string[]): Promise<ReportRow | undefined> =>
  all(db).where('id', '=', id).where('subject_kind', 'in', kinds).executeTakeFirst();

/** Whether somebody has reported this. */
export const isReported = async (db: ReadDb, subjectId: string): Promise<boolean> =>
  (await all(db).where('subject_id', '=', subjectId).limit(1).executeTakeFirst()) !== undefined;

/** The ids of the open reports of this, whoever has made them. */
export const openReportsOf = async (
  db: ReadDb,
  { kind, id }: { readonly kind: string; readonly id: string },
): Promise<string[]> => {
  const open = all(db).where('subject_kind', '=', kind).where('subject_id', '=', id).where('status', '=', 'open');
  return (await open.execute()).map((row) => row.id);
};

/** Whether a report of this waits for an answer. */
export const hasOpenReport = async (
  db: ReadDb,
  subject: { readonly kind: string; readonly id: string },
): Promise<boolean> => (await openReportsOf(db, subject)).length > 0;

/** The oldest first. */
export const listReports = (
  db: ReadDb,
  {
    kinds,
    status,
    ...paging
  }: Paging & { readonly kinds: readonly string[]; readonly status?: ReportStatus | undefined },
): Promise<Page<ReportRow>> =>
  listOldestFirst(db, reports, { kind: 'subject_kind', kinds, statuses: status ? [status] : reportStatuses }, paging);
