/** Seeds the lifts and slopes of the demo. */
import type { CommandContext } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { addFacility, type FacilityKind, lifts, slopes } from '../../commands/resort/facilities.ts';
import { report } from '../../commands/resort/mountainReport.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import {
  liftDetails,
  type SampleLift,
  type SampleSlope,
  sampleLifts,
  sampleSlopes,
  sampleStations,
  slopeDetails,
} from './mountain.ts';

const AT_ONCE = 16;

/** @param at the time, RFC 3339: the winters around it are those of the schedules. Safe to repeat. */
export const seedMountain = async (
  deps: CommandDeps,
  contextFor: (...name: string[]) => CommandContext,
  at: string,
): Promise<void> => {
  const year = Number(at.slice(0, 4));
  const contextOfLift = ({ name }: SampleLift) => contextFor('lift', name);
  const contextOfSlope = ({ name }: SampleSlope) => contextFor('slope', name);
  const ids = {
    lift: (sample: SampleLift) => derivedId(contextOfLift(sample).commandId, lifts.noun),
    slope: (sample: SampleSlope) => derivedId(contextOfSlope(sample).commandId, slopes.noun),
  };
  const addOnce = async <D>(kind: FacilityKind<D>, context: CommandContext, details: D) => {
    const { state } = await deps.aggregates.load(kind.decider, derivedId(context.commandId, kind.noun));
    // Unchecked: slopes lead to slopes that are added after them.
    const { decider, noun } = kind;
    if (state.status === 'none') await addFacility(deps, context, { decider, noun }, details);
  };
  await concurrentEach(sampleLifts, AT_ONCE, (sample) =>
    addOnce(lifts, contextOfLift(sample), liftDetails(sample, year)),
  );
  await concurrentEach(sampleSlopes, AT_ONCE, (sample) =>
    addOnce(slopes, contextOfSlope(sample), slopeDetails(sample, year, ids)),
  );
  for (const { key, ...station } of sampleStations)
    await report(deps, contextFor('station', key), { type: 'SetStation', key, station });
};
