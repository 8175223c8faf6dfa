/** The configuration of the planner. It is one stream, `planConfig-<ONLY_ONE>`; each change is a revision. */
import { isDeepStrictEqual } from 'node:util';
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { Nullable } from '../core/schema.ts';
import { ChangeReason } from '../flags/flagRules.ts';
import { Revision } from '../platform/platformConfig.ts';
import { checkPlanConfig, defaultPlanConfig, PlanConfig, patchedPlanConfig } from './config.ts';

const planConfigEvents = {
  PlanConfigChanged: {
    /** As a whole: any earlier state can be read. */
    data: Type.Object({ revision: Revision, config: PlanConfig, reason: Nullable(ChangeReason) }),
  },
} as const satisfies EventDeclarations;
export type PlanConfigEvent = EventsOf<typeof planConfigEvents>;

export interface PlanConfigCommand {
  readonly type: 'PatchPlanConfig';
  readonly patch: object;
  readonly reason: string | null;
  /** Only if this is still the revision; undefined: whatever it is. */
  readonly ifRevision?: readonly number[] | undefined;
}

export interface PlanConfigState {
  readonly revision: number;
  readonly config: PlanConfig;
}

const decide = (
  { patch, reason, ifRevision }: PlanConfigCommand,
  { revision, config: before }: PlanConfigState,
): PlanConfigEvent[] => {
  if (ifRevision && !ifRevision.includes(revision))
    throw new Rejected('outdated_revision', 'The configuration was changed meanwhile. Read it again, then repeat.', {
      revision,
    });
  const config = patchedPlanConfig(before, patch);
  if (isDeepStrictEqual(config, before)) return [];
  checkPlanConfig(config);
  return [{ type: 'PlanConfigChanged', data: { revision: revision + 1, config, reason } }];
};

const evolve = (_: PlanConfigState, { data: { revision, config } }: PlanConfigEvent): PlanConfigState => ({
  revision,
  // A release may have added members since.
  config: patchedPlanConfig(config, {}),
});

export const planConfig: Decider<PlanConfigState, PlanConfigCommand, PlanConfigEvent> = {
  category: 'planConfig',
  events: planConfigEvents,
  initial: { revision: 0, config: defaultPlanConfig },
  decide,
  evolve,
};
