/** Mutes and bans. They are read from the log before a post is decided; a post and a ban at the same instant may pass each other. */
import { Rejected } from '../../domain/core/decider.ts';
import { forumSanction, sanctionAt } from '../../domain/forums/sanction.ts';
import { forumTopic, openTopic } from '../../domain/forums/topic.ts';
import { derivedId } from '../../infra/ids.ts';
import { loadAccount } from '../accounts/accounts.ts';
import type { CommandContext } from '../core/handle.ts';
import type { ForumDeps } from './deps.ts';

export interface Sanctioned {
  readonly accountId: string;
  /** null: all forums. */
  readonly topicId: string | null;
}

export const sanctionId = ({ accountId, topicId }: Sanctioned): string =>
  derivedId('forumSanction', accountId, topicId ?? 'all');

/** Refuses who is banned, or muted in this topic. @throws Rejected `forbidden` with `until` and `sanction_id` */
export const refuseSanctioned = async (
  { aggregates }: ForumDeps,
  { at }: Pick<CommandContext, 'at'>,
  accountId: string,
  topicId: string | null,
): Promise<void> => {
  for (const where of topicId === null ? [null] : [null, topicId]) {
    const id = sanctionId({ accountId, topicId: where });
    const found = sanctionAt((await aggregates.load(forumSanction, id)).state, at);
    if (!found) continue;
    const { until } = found;
    const what = where === null ? 'banned from the forums and their voice rooms' : 'muted in this topic';
    throw new Rejected('forbidden', `You are ${what} until ${until}. You can appeal.`, { until, sanction_id: id });
  }
};

/**
 * Mutes or bans somebody, or changes the end.
 * @throws Rejected `not_found` for an unknown account or topic, `invalid` for an end in the past, `conflict` for an admin
 */
export const imposeSanction = async (
  deps: ForumDeps,
  context: CommandContext,
  { accountId, topicId, until, reason }: Sanctioned & { readonly until: string; readonly reason: string },
): Promise<string> => {
  const { role } = await loadAccount(deps, accountId);
  if (role === 'admin') throw new Rejected('conflict', 'Admins cannot be muted or banned.');
  if (topicId !== null) openTopic((await deps.aggregates.load(forumTopic, topicId)).state);
  const id = sanctionId({ accountId, topicId });
  const command = { type: 'ImposeSanction', accountId, topicId, until, reason, at: context.at } as const;
  await deps.aggregates.handle(forumSanction, id, command, context);
  return id;
};

/** @throws Rejected `not_found` */
export const liftSanction = async ({ aggregates }: ForumDeps, context: CommandContext, id: string): Promise<void> => {
  await aggregates.handle(forumSanction, id, { type: 'LiftSanction' }, context);
};
