/** Lifts and slopes as they were set: what their states follow from. */
import { type Static, Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { LiftDetails } from '../../domain/resort/lift.ts';
import { Override } from '../../domain/resort/operation.ts';
import { NO_REPORTS, type QueueEvent, QueueReports, reportsAfter } from '../../domain/resort/queue.ts';
import { SlopeDetails } from '../../domain/resort/slope.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { existing, readModel } from '../engine/readModel.ts';

const Common = {
  id: Uuid,
  /** Rises with every change by an admin. */
  revision: Type.Integer(),
  override: Nullable(Override),
  retired_at: Nullable(Instant),
  updated_at: Instant,
};

const LiftRow = Type.Object({ ...Common, ...snakeSchema(LiftDetails).properties, queue_reports: QueueReports });
const SlopeRow = Type.Object({ ...Common, ...snakeSchema(SlopeDetails).properties });
export type LiftRow = Static<typeof LiftRow>;
export type SlopeRow = Static<typeof SlopeRow>;

type Facts = Pick<Recorded, 'streamId' | 'at'>;
const added = ({ streamId, at }: Facts) => ({
  id: streamId,
  revision: 1,
  override: null,
  retired_at: null,
  updated_at: at,
});
const changed = <Row extends { revision: number }>(row: Row | undefined, { at }: Facts, change: Partial<Row>): Row => {
  const before = existing(row);
  return { ...before, ...change, revision: before.revision + 1, updated_at: at };
};
const queueAfter = (row: LiftRow | undefined, event: QueueEvent): LiftRow => {
  const before = existing(row);
  return { ...before, queue_reports: reportsAfter(before.queue_reports, event) };
};

export const resortLifts = readModel('resort_lifts', {
  version: 1,
  row: LiftRow,
  key: 'id',
  on: {
    LiftAdded: (_, event) => ({ ...added(event), ...toSnake(event.data), queue_reports: NO_REPORTS }),
    LiftChanged: (row, event) => changed(row, event, toSnake(event.data)),
    LiftOverrideSet: (row, event) => changed(row, event, { override: event.data.override }),
    LiftRetired: (row, event) => changed(row, event, { retired_at: event.at }),
    LiftQueueReported: queueAfter,
    LiftQueueReportWithdrawn: queueAfter,
  },
  announce: (keys) => keys.map(({ id }) => id),
});

export const resortSlopes = readModel('resort_slopes', {
  version: 1,
  row: SlopeRow,
  key: 'id',
  on: {
    SlopeAdded: (_, event) => ({ ...added(event), ...toSnake(event.data) }),
    SlopeChanged: (row, event) => changed(row, event, toSnake(event.data)),
    SlopeOverrideSet: (row, event) => changed(row, event, { override: event.data.override }),
    SlopeRetired: (row, event) => changed(row, event, { retired_at: event.at }),
  },
  announce: (keys) => keys.map(({ id }) => id),
});
