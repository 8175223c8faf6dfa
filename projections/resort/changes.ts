/** The history of lifts and slopes, for admins: who changed what, and when. */

import { type Static, Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, OneOf, Uuid } from '../../domain/core/schema.ts';
import type { QueueEvent } from '../../domain/resort/queue.ts';
import { toSnake } from '../../infra/naming.ts';
import { actsOfAdmins } from '../../infra/personalData.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';

const kinds = ['added', 'changed', 'status_set', 'queue_reported', 'queue_withdrawn', 'retired'] as const;

const Row = Type.Object({
  id: Uuid,
  /** The lift or the slope. */
  subject_id: Uuid,
  change: OneOf(kinds),
  at: Instant,
  by: Type.String({ description: 'Id of the account or the key that changed it.' }),
  data: Type.Unsafe<object>({ type: 'object', description: 'What it was changed to.' }),
  /** The position in the log: the order of changes that have the same time. */
  commit: Type.Integer(),
  prepare: Type.Integer(),
});

const kept = (change: (typeof kinds)[number]) => ({
  keys: ({ id }: Recorded) => [{ id }],
  fold: (_: unknown, { id, streamId, at, meta, data, position }: Recorded) => ({
    id,
    subject_id: streamId,
    change,
    at,
    by: meta.actor.id,
    data: toSnake(data),
    commit: Number(position.commit),
    prepare: Number(position.prepare),
  }),
});

/** What gates and phones count comes all the time, and nobody has decided it. */
const byPeople = <T extends ReturnType<typeof kept>>(change: T) => ({
  ...change,
  keys: (event: Recorded<QueueEvent>) => (event.data.source === 'manual' ? change.keys(event) : []),
});

export const resortChanges = readModel('resort_changes', {
  version: 2,
  row: Row,
  key: 'id',
  personalData: actsOfAdmins,
  insertOnly: true,
  indexes: ['subject_id, commit desc, prepare desc'],
  on: {
    LiftAdded: kept('added'),
    LiftChanged: kept('changed'),
    LiftOverrideSet: kept('status_set'),
    LiftQueueReported: byPeople(kept('queue_reported')),
    LiftQueueReportWithdrawn: byPeople(kept('queue_withdrawn')),
    LiftRetired: kept('retired'),
    SlopeAdded: kept('added'),
    SlopeChanged: kept('changed'),
    SlopeOverrideSet: kept('status_set'),
    SlopeRetired: kept('retired'),
  },
});

const { commit, prepare, ...shown } = Row.properties;
/** A change as admins see it. */
export const ResortChange = Type.Object(shown, { $id: 'ResortChange' });

/** Newest first. */
export const changesOf = (db: ReadDb, subjectId: string, paging: Paging): Promise<Page<Static<typeof ResortChange>>> =>
  pageOf(
    db,
    tables(db, resortChanges)
      .selectFrom('resort_changes')
      .select(Object.keys(shown) as (keyof typeof shown)[])
      .where('subject_id', '=', subjectId)
      .orderBy('commit', 'desc')
      .orderBy('prepare', 'desc'),
    paging,
  );
