/** Segments: constraints that several strategies share. */

import { Type } from '@sinclair/typebox';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { SegmentDefinition } from '../../domain/flags/flag.ts';
import { actsOfAdmins } from '../../infra/holding.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';

const keys = ({ data }: { readonly data: { readonly segmentId: string } }) => [{ id: data.segmentId }];

export const flagSegments = readModel('flag_segments', {
  version: 1,
  row: Type.Object({ id: Uuid, ...SegmentDefinition.properties, updated_at: Instant, updated_by: Type.String() }),
  key: 'id',
  names: actsOfAdmins,
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

const all = (db: ReadDb) => tables(db, flagSegments).selectFrom('flag_segments').selectAll();

export const allSegments = (db: ReadDb): Promise<FlagSegmentRow[]> => all(db).execute();

/** By name. */
export const listSegments = (db: ReadDb, paging: Paging): Promise<Page<FlagSegmentRow>> =>
  pageOf(db, all(db).orderBy('name').orderBy('id'), paging);
