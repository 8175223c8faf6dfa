/** What is reported of the mountain, as one row. */
import { type Static, Type } from '@sinclair/typebox';
import { Instant, ONLY_ONE, Uuid } from '../../domain/core/schema.ts';
import { NO_REPORT, type ReportEvent, ResortReport, reportAfter } from '../../domain/resort/mountainReport.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { ONE_CHANNEL } from '../engine/channels.ts';
import { keptTable } from '../engine/keptTable.ts';
import { tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';
import { resortChannel } from './channels.ts';

const Row = Type.Object({ id: Uuid, report: ResortReport, updated_at: Instant });
type Row = Static<typeof Row>;

/** As it is shown. */
export const Report = snakeSchema(ResortReport);
export type Report = Static<typeof Report>;

const after = (row: Row | undefined, event: ReportEvent & { readonly streamId: string; readonly at: string }): Row => ({
  id: event.streamId,
  report: reportAfter(row?.report ?? NO_REPORT, event),
  updated_at: event.at,
});

export const resortReports = readModel('resort_reports', {
  version: 1,
  row: Row,
  key: 'id',
  entity: 'resort',
  on: {
    ResortStationSet: after,
    ResortStationRemoved: after,
    SnowReported: after,
    AvalancheDangerReported: after,
    ResortSeasonSet: after,
    ResortNoticePosted: after,
    ResortNoticeRemoved: after,
  },
  wire: wireForm(Type.Object({ ...Report.properties, updated_at: Instant }), ({ report, updated_at }: Row) => ({
    ...toSnake(report),
    updated_at,
  })),
  publishTo: [{ channel: resortChannel, idsOf: () => ONE_CHANNEL, audience: 'guest' }],
  announce: () => ['report'],
});

/** The report, from memory. */
export const reportNow = keptTable([resortReports], async ({ db }): Promise<Report> => {
  const found = tables(db, resortReports).selectFrom('resort_reports').select('report').where('id', '=', ONLY_ONE);
  return toSnake((await found.executeTakeFirst())?.report ?? NO_REPORT);
});
