/** Lifts and slopes, as admins change them. */

import { type AnyEvent, type Decider, existing } from '../../domain/core/decider.ts';
import type { IfRevision } from '../../domain/core/revision.ts';
import type { Facility, FacilityCommand, OpenFacility } from '../../domain/resort/facility.ts';
import { type LiftDetails, lift } from '../../domain/resort/lift.ts';
import type { Override } from '../../domain/resort/operation.ts';
import { type SlopeDetails, slope } from '../../domain/resort/slope.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import { timezoneNow } from '../platform/timezone.ts';
import type { ResortDeps } from './deps.ts';
import { checkSlopeDetails } from './slopeDetails.ts';

type Deps = Pick<ResortDeps, 'aggregates'>;

export interface FacilityKind<Details> {
  readonly decider: Decider<Facility<Details>, FacilityCommand<Details>, AnyEvent>;
  readonly noun: 'lift' | 'slope';
  /** What its details are checked for beside its own rules. @throws Rejected `invalid` */
  readonly check?: (
    deps: Deps,
    of: { readonly id: string; readonly at: string; readonly details: Partial<Details> },
  ) => Promise<void>;
}
export const lifts: FacilityKind<LiftDetails> = { decider: lift as FacilityKind<LiftDetails>['decider'], noun: 'lift' };
export const slopes: FacilityKind<SlopeDetails> = {
  decider: slope as FacilityKind<SlopeDetails>['decider'],
  noun: 'slope',
  check: checkSlopeDetails,
};

const run = async <D>(
  { aggregates }: Deps,
  context: CommandContext,
  { decider, noun }: FacilityKind<D>,
  id: string,
  command: FacilityCommand<D>,
): Promise<OpenFacility<D>> => existing((await aggregates.handle(decider, id, command, context)).state, noun);

/** @throws Rejected `invalid` for a schedule or a geometry that cannot be */
export const addFacility = async <D>(
  deps: Deps,
  context: CommandContext,
  kind: FacilityKind<D>,
  details: D,
): Promise<{ readonly id: string; readonly state: OpenFacility<D> }> => {
  const id = derivedId(context.commandId, kind.noun);
  await kind.check?.(deps, { id, at: context.at, details });
  return { id, state: await run(deps, context, kind, id, { type: 'AddFacility', details }) };
};

export interface FacilityChange<D> extends IfRevision {
  readonly details: Partial<D>;
  /** undefined: it stays; null: back to the schedule. */
  readonly override?: Override | null | undefined;
}

/** @throws Rejected `not_found`, `outdated_revision`, `invalid`, `invalid_transition` when it is retired */
export const changeFacility = async <D>(
  deps: Deps,
  context: CommandContext,
  kind: FacilityKind<D>,
  id: string,
  change: FacilityChange<D>,
): Promise<OpenFacility<D>> => {
  await kind.check?.(deps, { id, at: context.at, details: change.details });
  const timezone = await timezoneNow(deps);
  return run(deps, context, kind, id, { type: 'ChangeFacility', at: context.at, timezone, ...change });
};

/** Safe to repeat. @throws Rejected `not_found`, `outdated_revision` */
export const retireFacility = <D>(
  deps: Deps,
  context: CommandContext,
  kind: FacilityKind<D>,
  id: string,
  retirement: { readonly reason: string | null } & IfRevision,
): Promise<OpenFacility<D>> => run(deps, context, kind, id, { type: 'RetireFacility', ...retirement });

const AT_ONCE = 16;

/**
 * Opens, stops or closes many at once, or gives them back to their schedules. Each is a decision of its own: when the
 * process dies in between, repeating completes it. One that was retired meanwhile is passed over.
 * @returns the ids of those that have changed
 */
export const overrideAll = async <D>(
  deps: Deps,
  context: CommandContext,
  kind: FacilityKind<D>,
  ids: readonly string[],
  override: Override | null,
): Promise<string[]> => {
  const timezone = await timezoneNow(deps);
  const changed: string[] = [];
  await concurrentEach(ids, AT_ONCE, async (id) => {
    const command = { type: 'ChangeFacility', details: {}, override, at: context.at, timezone } as const;
    const change = () => deps.aggregates.handle(kind.decider, id, command, followUp(context, id));
    const done = await unlessRejected(change, 'invalid_transition');
    if (done && done.events.length > 0) changed.push(id);
  });
  return changed.toSorted();
};
