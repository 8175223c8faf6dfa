/** The states that were told of lifts and slopes, as their channels carry them. */
import { type Static, Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { LiftTold, SlopeTold } from '../../domain/resort/told.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { ONE_CHANNEL } from '../engine/channels.ts';
import { readModel } from '../engine/readModel.ts';
import { liftQueuesChannel, resortChannel } from './channels.ts';

const Head = { id: Uuid, told_at: { ...Instant, description: 'When it was found to be so.' } };
const LiftStateRow = Type.Object({ ...Head, ...snakeSchema(LiftTold).properties });
const SlopeStateRow = Type.Object({ ...Head, ...snakeSchema(SlopeTold).properties });

const told = <T extends object>({
  streamId,
  at,
  data,
}: Recorded<{ type: string; data: T & { quietUntil: string } }>) => {
  const { quietUntil: _, ...state } = data;
  return { id: streamId, told_at: at, ...toSnake(state as unknown as T) };
};

export const liftStates = readModel('lift_states', {
  version: 1,
  row: LiftStateRow,
  key: 'id',
  entity: 'lift',
  on: { LiftStateTold: (_, event) => told(event) as Static<typeof LiftStateRow> },
  publishTo: [{ channel: liftQueuesChannel, idsOf: () => ONE_CHANNEL, audience: 'guest' }],
});

export const slopeStates = readModel('slope_states', {
  version: 1,
  row: SlopeStateRow,
  key: 'id',
  entity: 'slope',
  on: { SlopeStateTold: (_, event) => told(event) as Static<typeof SlopeStateRow> },
  publishTo: [{ channel: resortChannel, idsOf: () => ONE_CHANNEL, audience: 'guest' }],
});
