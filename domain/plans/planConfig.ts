/** The configuration of the planner. It is one stream, `planConfig-<ONLY_ONE>`; each change is a revision. */
import { isDeepStrictEqual } from 'node:util';
import { Type } from '@sinclair/typebox';
import type { Decider, EventDeclarations, EventsOf } from '../core/decider.ts';
import { Revision, refuseOutdated } from '../core/revision.ts';
import { Nullable } from '../core/schema.ts';
import { ChangeReason } from '../flags/flagRules.ts';
import type { ConfigChange } from '../platform/platformConfig.ts';
import { checkPlanConfig, defaultPlanConfig, PlanConfig, patchedPlanConfig } from './config.ts';

const planConfigEvents = {
  PlanConfigChanged: {
    /** As a whole: any earlier state can be read. */
    data: Type.Object({ revision: Revision, config: PlanConfig, reason: Nullable(ChangeReason) }),
  },
} as const satisfies EventDeclarations;
export type PlanConfigEvent = EventsOf<typeof planConfigEvents>;

export interface PlanConfigCommand extends ConfigChange {
  readonly type: 'PatchPlanConfig';
  readonly patch: object;
}

export interface PlanConfigState {
  readonly revision: number;
  readonly config: PlanConfig;
}

const decide = (command: PlanConfigCommand, { revision, config: before }: PlanConfigState): PlanConfigEvent[] => {
  refuseOutdated('The configuration', command, revision);
  const { patch, reason } = command;
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
  short: 'people of the resort write it',
  events: planConfigEvents,
  initial: { revision: 0, config: defaultPlanConfig },
  decide,
  evolve,
};
