/** Tells what has changed at a lift or a slope, in the minute in which it changes. */
import { operatedOf } from '../../domain/resort/facility.ts';
import { lift } from '../../domain/resort/lift.ts';
import { stateAt } from '../../domain/resort/operation.ts';
import { liftQueue, nextQueueEnd } from '../../domain/resort/queue.ts';
import { slope } from '../../domain/resort/slope.ts';
import { liftStateAt, liftTold, mayTellAt, slopeTold } from '../../domain/resort/toldState.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { timezoneNow } from '../platform/timezone.ts';
import { firstOf } from './clock.ts';
import type { ResortDeps } from './deps.ts';

type Deps = Pick<ResortDeps, 'aggregates'>;

/** @returns when to look again; undefined: never, it is retired */
export const tellLift = async ({ aggregates }: Deps, context: CommandContext, id: string) => {
  const { state } = await aggregates.load(lift, id);
  if (state.status === 'none') return undefined;
  const { at } = context;
  const { state: reports } = await aggregates.load(liftQueue, id);
  const now = liftStateAt(operatedOf(state), reports, await timezoneNow({ aggregates }), at);
  const outcome = await aggregates.handle(liftTold, id, { type: 'TellState', state: now, at }, context);
  const later = mayTellAt(outcome.state, now, at);
  if (state.status === 'retired' && later === null) return undefined;
  return { againAt: firstOf(at, [later, now.until, nextQueueEnd(reports, at)]) };
};

/** @returns when to look again; undefined: never, it is retired */
export const tellSlope = async ({ aggregates }: Deps, context: CommandContext, id: string) => {
  const { state } = await aggregates.load(slope, id);
  if (state.status === 'none') return undefined;
  const { at } = context;
  const now = stateAt(operatedOf(state), await timezoneNow({ aggregates }), at);
  const outcome = await aggregates.handle(slopeTold, id, { type: 'TellState', state: now, at }, context);
  const later = mayTellAt(outcome.state, now, at);
  if (state.status === 'retired' && later === null) return undefined;
  return { againAt: firstOf(at, [later, now.until]) };
};

/** The id is that of the lift. */
export const liftStateJob = defineJob<object, ResortDeps>('lift_state', ({ id }, { deps, context }) =>
  tellLift(deps, context, id),
);
/** The id is that of the slope. */
export const slopeStateJob = defineJob<object, ResortDeps>('slope_state', ({ id }, { deps, context }) =>
  tellSlope(deps, context, id),
);
