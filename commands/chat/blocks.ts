/**
 * What a block between two people forbids: to start a chat, to write in it, to be added to a group. Nobody writes to an
 * erased person either.
 */

import { account, isErased } from '../../domain/accounts/account.ts';
import { thread } from '../../domain/chat/thread.ts';
import type { Thread } from '../../domain/chat/threadState.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { blockedBetween } from '../friends/friends.ts';
import type { ChatDeps } from './deps.ts';

/** The people of a p2p thread never change, so that what is cached of it is as good as the log. */
const PEOPLE_MS = HOUR_MS;
/** An erasure empties the caches of all processes. */
const ACCOUNT_MS = MINUTE_MS;

/** People who are blocked are not told who has blocked whom. @throws Rejected `forbidden` */
export const refuseBlocked = async (deps: ChatDeps, by: string, other: string): Promise<void> => {
  if (await blockedBetween(deps, by, other)) throw new Rejected('forbidden', 'You cannot write to this person.');
};

/** The other person of a p2p thread; undefined in other threads, and for people who are not in it. */
export const otherOf = (state: Thread, accountId: string): string | undefined => {
  if (state.type !== 'p2p' || !state.members.some(({ id }) => id === accountId)) return undefined;
  return state.members.find(({ id }) => id !== accountId)?.id;
};

/** The other person of the thread, as `otherOf` has it. */
const otherIn = async (deps: ChatDeps, threadId: string, accountId: string): Promise<string | undefined> => {
  const known = await deps.aggregates.load(thread, threadId, { maxAgeMs: PEOPLE_MS });
  const { state } = known.state.type === 'none' ? await deps.aggregates.load(thread, threadId) : known;
  return otherOf(state, accountId);
};

/** Refuses to write in a p2p thread when one of the two has blocked the other. @throws Rejected `forbidden` */
export const refuseWhereBlocked = async (deps: ChatDeps, threadId: string, accountId: string): Promise<void> => {
  const other = await otherIn(deps, threadId, accountId);
  if (other !== undefined) await refuseBlocked(deps, accountId, other);
};

/** Refuses a new message where `refuseWhereBlocked` does, and to an erased person. @throws Rejected `forbidden` */
export const refuseToWrite = async (deps: ChatDeps, threadId: string, accountId: string): Promise<void> => {
  const other = await otherIn(deps, threadId, accountId);
  if (other === undefined) return;
  await refuseBlocked(deps, accountId, other);
  const { state } = await deps.aggregates.load(account, other, { maxAgeMs: ACCOUNT_MS });
  if (isErased(state))
    throw new Rejected('forbidden', 'The account of this person was deleted. You can only read this chat.');
};

/** @throws Rejected `forbidden` */
export const refuseToAdd = async (deps: ChatDeps, by: string, other: string): Promise<void> => {
  if (await blockedBetween(deps, by, other)) throw new Rejected('forbidden', 'You cannot add this person.');
};
