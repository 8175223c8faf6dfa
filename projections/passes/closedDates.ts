/** Dates that the closed mountain gave back to passes. */
import { Type } from '@sinclair/typebox';
import { ClosedDate } from '../../domain/passes/closures.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

export const passClosedDates = readModel('pass_closed_dates', {
  version: 1,
  row: Type.Object({ ...ClosedDate.properties, reason: Type.String() }),
  key: 'date',
  on: {
    PassDaysGivenBack: {
      keys: ({ data }) => data.dates.map((date) => ({ date })),
      fold: (_, { data }, { date }) => ({ date, at: data.declaredAt, reason: data.reason }),
    },
  },
});
export type PassClosedDateRow = RowOf<typeof passClosedDates>;

/** All of them: they are few. */
export const closedDates = (db: ReadDb): Promise<PassClosedDateRow[]> =>
  tables(db, passClosedDates).selectFrom('pass_closed_dates').selectAll().execute();

/** The newest date first. */
export const listClosedDates = (db: ReadDb, paging: Paging): Promise<Page<PassClosedDateRow>> =>
  pageOf(db, tables(db, passClosedDates).selectFrom('pass_closed_dates').selectAll().orderBy('date', 'desc'), paging);
