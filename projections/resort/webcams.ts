/** Webcams. */
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { foldedText } from '../../domain/core/folded.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { WebcamDetails } from '../../domain/resort/webcam.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, rowColumns, tables } from '../engine/readDb.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';

export const webcams = readModel('webcams', {
  version: 2,
  row: Type.Object({ id: Uuid, ...snakeSchema(WebcamDetails).properties, updated_at: Instant }),
  key: 'id',
  folded: { folded_name: ({ name }) => foldedText(name) },
  on: {
    WebcamAdded: (_, { streamId, at, data }) => ({ id: streamId, ...toSnake(data), updated_at: at }),
    WebcamChanged: (row, { at, data }) => ({ ...existing(row), ...toSnake(data), updated_at: at }),
    WebcamRemoved: () => null,
  },
});
export type WebcamRow = RowOf<typeof webcams>;

const all = (db: ReadDb) => tables(db, webcams).selectFrom('webcams').select(rowColumns(webcams));

/** By name. */
export const listWebcams = (db: ReadDb, paging: Paging): Promise<Page<WebcamRow>> =>
  pageOf(db, all(db).orderBy(sql`folded_name`).orderBy('id'), paging);

export const webcamById = (db: ReadDb, id: string): Promise<WebcamRow | undefined> =>
  all(db).where('id', '=', id).executeTakeFirst();

const { snapshot_url: _, ...fields } = webcams.row.properties;
/** As guests see it: pictures come through us, so that their addresses stay with the operator. */
export const PublicWebcam = Type.Object(
  { ...fields, snapshot_path: Type.String({ examples: ['/api/v1/webcams/…/snapshot'] }) },
  { $id: 'Webcam' },
);
export const publicWebcam = ({ snapshot_url, ...row }: WebcamRow): Static<typeof PublicWebcam> => ({
  ...row,
  snapshot_path: `/api/v1/webcams/${row.id}/snapshot`,
});
