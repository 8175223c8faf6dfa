/** The configuration of the planner. */
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { type PlanConfigCommand, type PlanConfigState, planConfig } from '../../domain/plans/planConfig.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;
export type PlanConfigChange = Omit<PlanConfigCommand, 'type'>;

/** Applies a merge patch. @throws Rejected `outdated_revision`, `invalid` when the parts then contradict each other */
export const patchPlanConfig = async (
  { aggregates }: Deps,
  context: CommandContext,
  change: PlanConfigChange,
): Promise<PlanConfigState> =>
  (await aggregates.handle(planConfig, ONLY_ONE, { type: 'PatchPlanConfig', ...change }, context)).state;

/**
 * What a patch would lead to. Nothing is changed.
 * @throws Rejected as `patchPlanConfig` would
 */
export const tryPlanConfig = async (
  { aggregates }: Deps,
  change: PlanConfigChange,
): Promise<{ readonly before: PlanConfigState; readonly after: PlanConfigState }> => {
  const { state: before } = await aggregates.load(planConfig, ONLY_ONE);
  const [changed] = planConfig.decide({ type: 'PatchPlanConfig', ...change }, before);
  return { before, after: changed ? planConfig.evolve(before, changed) : before };
};
