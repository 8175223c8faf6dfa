/** Tells what has changed at a lift or a slope, in the minute in which it changes; and when to ask for the weather. */
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { platformConfig } from '../../domain/platform/platformConfig.ts';
import { operatedOf } from '../../domain/resort/facility.ts';
import { lift } from '../../domain/resort/lift.ts';
import { stateAt } from '../../domain/resort/operation.ts';
import { liftQueue, nextQueueEnd } from '../../domain/resort/queue.ts';
import { slope } from '../../domain/resort/slope.ts';
import { liftStateAt, liftTold, mayTellAt, slopeTold } from '../../domain/resort/told.ts';
import type { CommandContext } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import type { ResortDeps } from './deps.ts';
import { weatherJob } from './weather.ts';

type Deps = Pick<ResortDeps, 'aggregates'>;

/** The clock is looked at this often even if nothing is to change: the time zone of the resort may be another one. */
const AT_LEAST_EVERY_MS = 15 * 60_000;

/** IANA name of the time zone of the resort. */
export const timezoneNow = async ({ aggregates }: Deps): Promise<string> =>
  (await aggregates.load(platformConfig, ONLY_ONE)).state.config.timezone;

/** The first of these instants; in a while if there is none. */
const next = (at: string, instants: readonly (string | null)[]): string => {
  const latest = new Date(Date.parse(at) + AT_LEAST_EVERY_MS).toISOString();
  return [latest, ...instants.flatMap((instant) => instant ?? [])].toSorted()[0] as string;
};

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
  return { againAt: next(at, [later, now.until, nextQueueEnd(reports, at)]) };
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
  return { againAt: next(at, [later, now.until]) };
};

/** The id is that of the lift. */
export const liftStateJob = defineJob<object, ResortDeps>('lift_state', ({ id }, { deps, context }) =>
  tellLift(deps, context, id),
);
/** The id is that of the slope. */
export const slopeStateJob = defineJob<object, ResortDeps>('slope_state', ({ id }, { deps, context }) =>
  tellSlope(deps, context, id),
);

type Changed = Parameters<
  PolicyHandler<{ streamId: string; at: string; meta: { correlationId: string } }, ResortDeps>
>[0];
const soon =
  (job: typeof liftStateJob) =>
  ({ streamId: id, at: dueAt, meta }: Changed, { deps }: { deps: ResortDeps }): Promise<void> =>
    job.schedule(deps.jobs, meta, { id, dueAt, data: {} });
const ofLift = soon(liftStateJob);
const ofSlope = soon(slopeStateJob);

export const resortPolicy = policy<ResortDeps>('resort', {
  LiftAdded: ofLift,
  LiftChanged: ofLift,
  LiftOverrideSet: ofLift,
  LiftRetired: ofLift,
  LiftQueueReported: ofLift,
  LiftQueueReportWithdrawn: ofLift,
  SlopeAdded: ofSlope,
  SlopeChanged: ofSlope,
  SlopeOverrideSet: ofSlope,
  SlopeRetired: ofSlope,
  ResortStationSet: ({ meta, at: dueAt }, { deps }) =>
    weatherJob.schedule(deps.jobs, meta, { id: ONLY_ONE, dueAt, data: {} }),
});
