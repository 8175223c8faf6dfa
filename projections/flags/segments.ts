/** Segments: constraints that several strategies share. */

import { Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { foldedText } from '../../domain/core/folded.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { SegmentDefinition } from '../../domain/flags/flag.ts';
import { actsOfAdmins } from '../../infra/personalData.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, rowColumns, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

const keys = ({ data }: { readonly data: { readonly segmentId: string } }) => [{ id: data.segmentId }];

export const flagSegments = readModel('flag_segments', {
  version: 2,
  row: Type.Object({ id: Uuid, ...SegmentDefinition.properties, updated_at: Instant, updated_by: Type.String() }),
  key: 'id',
  personalData: actsOfAdmins,
  folded: { folded_name: ({ name }) => foldedText(name) },
  on: {
    FlagSegmentDefined: {
      keys,
      fold: (_, { at, meta, data: { segmentId: id, segment } }) => ({
        id,
        ...segment,
        updated_at: at,
        updated_by: meta.actor.id,
      }),
    },
    FlagSegmentDeleted: { keys, fold: () => null },
  },
  announce: () => ['segment'],
});
export type FlagSegmentRow = RowOf<typeof flagSegments>;

const all = (db: ReadDb) => tables(db, flagSegments).selectFrom('flag_segments').select(rowColumns(flagSegments));

export const allSegments = (db: ReadDb): Promise<FlagSegmentRow[]> => all(db).execute();

/** By name. */
export const listSegments = (db: ReadDb, paging: Paging): Promise<Page<FlagSegmentRow>> =>
  pageOf(db, all(db).orderBy(sql`folded_name`).orderBy('id'), paging);
