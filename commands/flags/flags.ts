/** Flags and segments, as admins change them. */

import { ONLY_ONE } from '../../domain/core/schema.ts';
import type { FlagDefinition, SegmentDefinition } from '../../domain/flags/flag.ts';
import { type FlagRulesCommand, type FlagRulesState, flagRules } from '../../domain/flags/flagRules.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

const run = async (deps: Deps, context: CommandContext, command: FlagRulesCommand): Promise<FlagRulesState> =>
  (await deps.aggregates.handle(flagRules, ONLY_ONE, command, context)).state;

/** Of the admin who asks for a change. */
export interface Reasoned {
  readonly reason: string | null;
}

/** @throws Rejected `conflict` for a key that is used, `invalid` for a definition that could never do what it says */
export const createFlag = async (
  deps: Deps,
  context: CommandContext,
  key: string,
  flag: { readonly enabled: boolean; readonly definition: FlagDefinition } & Reasoned,
): Promise<void> => {
  await run(deps, context, { type: 'CreateFlag', key, ...flag });
};

/** Without `enabled`, its switch stays. @returns whether it is on @throws Rejected `not_found`, `invalid` */
export const redefineFlag = async (
  deps: Deps,
  context: CommandContext,
  key: string,
  change: { readonly definition: FlagDefinition; readonly enabled?: boolean | undefined } & Reasoned,
): Promise<boolean> => {
  const { flags } = await run(deps, context, { type: 'RedefineFlag', key, ...change });
  return flags.get(key)?.enabled ?? false;
};

/** All of them or none. @throws Rejected `not_found` */
export const switchFlags = async (
  deps: Deps,
  context: CommandContext,
  switches: Readonly<Record<string, boolean>>,
  { reason }: Reasoned,
): Promise<void> => {
  await run(deps, context, { type: 'SwitchFlags', switches, reason });
};

/** Safe to repeat. @throws Rejected `conflict` while it is the parent of another */
export const deleteFlag = async (deps: Deps, context: CommandContext, key: string): Promise<void> => {
  await run(deps, context, { type: 'DeleteFlag', key });
};

/** @returns its id @throws Rejected `invalid`, `conflict` */
export const createSegment = async (
  deps: Deps,
  context: CommandContext,
  segment: SegmentDefinition,
): Promise<string> => {
  const segmentId = derivedId(context.commandId, 'segment');
  await run(deps, context, { type: 'DefineSegment', segmentId, segment });
  return segmentId;
};

/** @throws Rejected `not_found`, `invalid` */
export const redefineSegment = async (
  deps: Deps,
  context: CommandContext,
  segmentId: string,
  segment: SegmentDefinition,
): Promise<void> => {
  await run(deps, context, { type: 'RedefineSegment', segmentId, segment });
};

/** Safe to repeat. @throws Rejected `conflict` while a flag uses it */
export const deleteSegment = async (deps: Deps, context: CommandContext, segmentId: string): Promise<void> => {
  await run(deps, context, { type: 'DeleteSegment', segmentId });
};
