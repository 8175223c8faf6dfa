/** The states that were told of lifts and slopes, as their channels carry them. */
import { Type } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { LiftTold, SlopeTold } from '../../domain/resort/toldState.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { ONE_CHANNEL } from '../engine/channels.ts';
import { readModel } from '../engine/readModel.ts';
import { liftQueuesChannel, resortChannel } from './channels.ts';

const Head = { id: Uuid, told_at: { ...Instant, description: 'When it was found to be so.' } };
/** The state of a lift as it is shown. */
export const liftStateFields = {
  ...snakeSchema(LiftTold).properties,
  queue_is_at_least: Type.Boolean({ description: LiftTold.properties.queueIsAtLeast.description }),
};
export const shownLiftState = (told: LiftTold) => ({ queue_is_at_least: false, ...toSnake(told) });

const LiftStateRow = Type.Object({ ...Head, ...liftStateFields });
const SlopeStateRow = Type.Object({ ...Head, ...snakeSchema(SlopeTold).properties });

type Told<T> = Recorded<{ type: string; data: T & { quietUntil: string } }>;
const headOf = ({ streamId, at }: Told<object>) => ({ id: streamId, told_at: at });
const stateOf = <T>({ data: { quietUntil: _, ...state } }: Told<T>) => state as unknown as T;

export const liftStates = readModel('lift_states', {
  version: 2,
  row: LiftStateRow,
  key: 'id',
  entity: 'lift',
  on: {
    LiftStateTold: (_, event) => ({ ...headOf(event), ...shownLiftState(stateOf<LiftTold>(event)) }),
  },
  publishTo: [{ channel: liftQueuesChannel, idsOf: () => ONE_CHANNEL, audience: 'guest' }],
});

export const slopeStates = readModel('slope_states', {
  version: 1,
  row: SlopeStateRow,
  key: 'id',
  entity: 'slope',
  on: { SlopeStateTold: (_, event) => ({ ...headOf(event), ...toSnake(stateOf<SlopeTold>(event)) }) },
  publishTo: [{ channel: resortChannel, idsOf: () => ONE_CHANNEL, audience: 'guest' }],
});
