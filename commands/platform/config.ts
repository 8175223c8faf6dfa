/** The configuration of the apps. */
import { ONLY_ONE } from '../../domain/core/schema.ts';
import type { PlatformConfig } from '../../domain/platform/config.ts';
import { type ConfigChange, type ConfigState, platformConfig } from '../../domain/platform/platformConfig.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** Applies a merge patch. @throws Rejected `outdated_revision`, `invalid` when the parts then contradict each other */
export const patchConfig = async (
  deps: Deps,
  context: CommandContext,
  patch: object,
  change: ConfigChange,
): Promise<ConfigState> =>
  (await deps.aggregates.handle(platformConfig, ONLY_ONE, { type: 'PatchConfig', patch, ...change }, context)).state;

/** Returns to an earlier revision, as a new one. @throws Rejected `outdated_revision`, `invalid` */
export const revertConfig = async (
  deps: Deps,
  context: CommandContext,
  to: { readonly revision: number; readonly config: PlatformConfig },
  change: ConfigChange,
): Promise<ConfigState> => {
  const command = { type: 'RevertConfig', revertsTo: to.revision, config: to.config, ...change } as const;
  return (await deps.aggregates.handle(platformConfig, ONLY_ONE, command, context)).state;
};
