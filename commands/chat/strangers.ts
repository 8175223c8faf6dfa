/** A limit on new chats with people who have not agreed to be friends, so that nobody writes to everybody. */
import { Rejected } from '../../domain/core/decider.ts';
import { DAY_S } from '../../domain/core/instants.ts';
import { scaled } from '../../infra/scaled.ts';
import { countOrRefuse } from '../accounts/counters.ts';
import type { CommandContext } from '../core/handle.ts';
import { strangersTo } from '../friends/friends.ts';
import type { GroupDeps } from './deps.ts';

/**
 * Counts those of `others` who are no friends. Admins are not counted, they answer for the platform.
 * @throws Rejected `too_many_attempts` with `retry_after_s`, `invalid` for more than a day allows: nobody was counted
 */
export const countStrangers = async (
  deps: GroupDeps,
  { at, actor }: Pick<CommandContext, 'at' | 'actor'>,
  by: string,
  others: readonly string[],
): Promise<void> => {
  const { chatStrangersPerDay, rateLimits } = deps.settings;
  const max = scaled(chatStrangersPerDay, rateLimits);
  if (max === 0 || actor.role === 'admin') return;
  const { length: times } = await strangersTo(deps, by, others);
  if (times === 0) return;
  if (times > max)
    throw new Rejected(
      'invalid',
      `You can start chats with ${max} people a day who are not your friends. This group has ${times} of them: invite some as friends first.`,
      { fields: ['member_ids'] },
    );
  const counter = { key: deps.vault.fingerprint('chat strangers', by), max, seconds: DAY_S, times };
  const tooMany = () =>
    `You can start chats with ${max} people a day who are not your friends. Invite them as friends, or try again later.`;
  await countOrRefuse(deps.pool, [counter], at, tooMany);
};
