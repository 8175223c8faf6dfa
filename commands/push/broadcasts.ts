/** Broadcasts, as admins send and stop them. */
import { type BroadcastMessage, broadcast } from '../../domain/push/broadcast.ts';
import { derivedId } from '../../infra/ids.ts';
import { policyInForce } from '../consents/audience.ts';
import type { CommandContext } from '../core/handle.ts';
import { followBroadcast } from './broadcastJob.ts';
import type { PushDeps } from './deps.ts';
import { countAudience } from './segment.ts';

/** @returns its id @throws Rejected `invalid` for times that cannot be */
export const scheduleBroadcast = async (
  deps: PushDeps,
  context: CommandContext,
  message: BroadcastMessage,
): Promise<string> => {
  const id = derivedId(context.commandId, 'broadcast');
  await deps.aggregates.handle(broadcast, id, { type: 'ScheduleBroadcast', at: context.at, ...message }, context);
  await followBroadcast(deps, context, id);
  return id;
};

/**
 * How many people and devices it would reach now. Nothing is sent.
 * @throws Rejected what `scheduleBroadcast` throws for the same message
 */
export const tryBroadcast = async (
  deps: PushDeps,
  { at }: Pick<CommandContext, 'at'>,
  message: BroadcastMessage,
): Promise<{ readonly people: number; readonly devices: number }> => {
  broadcast.decide({ type: 'ScheduleBroadcast', at, ...message }, broadcast.initial);
  const { kind, segment } = message;
  return countAudience(deps.pool, { kind, segment, marketingPolicy: await policyInForce(deps, 'marketing') });
};

const commanding =
  (type: 'PauseBroadcast' | 'ResumeBroadcast' | 'CancelBroadcast') =>
  async (deps: PushDeps, context: CommandContext, id: string): Promise<void> => {
    await deps.aggregates.handle(broadcast, id, { type }, context);
    // At once; the policy does the same if this process ends here.
    await followBroadcast(deps, context, id);
  };

/** What is in flight is still delivered. Safe to repeat, like those below. @throws Rejected `not_found`, `invalid_transition` */
export const pauseBroadcast = commanding('PauseBroadcast');
/** @throws Rejected `not_found`, `invalid_transition` */
export const resumeBroadcast = commanding('ResumeBroadcast');
/** @throws Rejected `not_found`, `invalid_transition` */
export const cancelBroadcast = commanding('CancelBroadcast');
