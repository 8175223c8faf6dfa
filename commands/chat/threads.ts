/** Starts threads and changes who is in them. Membership is decided on the thread's stream, never on a read model. */

import { asWriter, p2pThreadName, thread } from '../../domain/chat/thread.ts';
import type { MemberRole } from '../../domain/chat/threadEvents.ts';
import type { OpenThread } from '../../domain/chat/threadState.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { derivedId } from '../../infra/ids.ts';
import { loadAccount } from '../accounts/accounts.ts';
import { type CommandContext, followUp, madeBefore } from '../core/handle.ts';
import { strangersTo } from '../friends/friends.ts';
import { refuseBlocked, refuseToAdd } from './blocks.ts';
import type { ChatDeps, GroupDeps } from './deps.ts';
import { rememberGroup } from './groupMembers.ts';
import { showThread } from './ownThreads.ts';
import { countStrangers } from './strangers.ts';

/** Members that a group can be started with, beside who starts it. */
export const MAX_FIRST_MEMBERS = 49;
/** Accounts that are read at the same time. */
const ACCOUNTS_AT_ONCE = 8;

/** A person who does something in a thread. */
export interface ThreadActor {
  readonly accountId: string;
  /** Whether they answer for the support. */
  readonly isAgent: boolean;
}

/** The thread of two people: the same id, whoever starts it. */
export const p2pThreadId = (one: string, other: string): string => derivedId(...p2pThreadName(one, other));
/** The thread of a person with the support. */
export const supportThreadId = (accountId: string): string => derivedId('supportThread', accountId);

export interface Started {
  readonly threadId: string;
  /** False when it existed before. */
  readonly isNew: boolean;
}
interface StartedP2p extends Started {
  readonly areFriends: boolean;
}

/**
 * Starts the thread of two people, or finds it. Simultaneous starts are one append. A thread that the person has hidden is
 * listed again.
 * @param isKnown whether the two have to do with each other elsewhere, so that they are no strangers; asked of new threads
 * @throws Rejected `invalid` for oneself, `not_found` when the other account does not exist or was erased, `forbidden` after
 *   a block, `too_many_attempts` for too many strangers
 */
export const startP2p = async (
  deps: GroupDeps,
  context: CommandContext,
  by: string,
  other: string,
  isKnown: () => Promise<boolean> = async () => false,
): Promise<StartedP2p> => {
  if (by === other) throw new Rejected('invalid', 'A chat needs another person.', { fields: ['user_id'] });
  await refuseBlocked(deps, by, other);
  await loadAccount(deps, other);
  const threadId = p2pThreadId(by, other);
  const memberIds = [by, other].sort();
  const { state } = await deps.aggregates.load(thread, threadId);
  const areFriends = (await strangersTo(deps, by, [other])).length === 0;
  if (state.type === 'none' && !areFriends && !(await isKnown())) await countStrangers(deps, context, by, [other]);
  const command = { type: 'StartThread', threadType: 'p2p', by, memberIds, title: null, areFriends } as const;
  const { events } = await deps.aggregates.handle(thread, threadId, command, context);
  if (events.length === 0) await showThread(deps, followUp(context, 'show'), { threadId, accountId: by });
  return { threadId, isNew: events.length > 0, areFriends };
};

/**
 * Starts a group, with the actor as its admin. Repeated with the same `context.commandId` it is the same group.
 * @throws Rejected `not_found` when an account does not exist, `forbidden` after a block, `too_many_attempts` for too many strangers
 */
export const startGroup = async (
  deps: GroupDeps,
  context: CommandContext,
  by: string,
  { title, memberIds }: { readonly title: string; readonly memberIds: readonly string[] },
): Promise<Started> => {
  const others = [...new Set(memberIds)].filter((id) => id !== by);
  await concurrentEach(others, ACCOUNTS_AT_ONCE, async (id) => {
    await loadAccount(deps, id);
    await refuseToAdd(deps, by, id);
  });
  const threadId = derivedId(context.commandId, 'thread');
  const before = await madeBefore(deps, thread, threadId, context);
  if (before.type === 'none') await countStrangers(deps, context, by, others);
  await rememberGroup(deps, threadId, [by, ...others]);
  const command = { type: 'StartThread', threadType: 'group', by, memberIds: [by, ...others], title } as const;
  const { events } = await deps.aggregates.handle(thread, threadId, command, context);
  return { threadId, isNew: events.length > 0 };
};

/** Starts the thread of a person with the support, or finds it. */
export const startSupport = async (deps: ChatDeps, context: CommandContext, by: string): Promise<Started> => {
  const threadId = supportThreadId(by);
  const command = { type: 'StartThread', threadType: 'support', by, memberIds: [by], title: null } as const;
  const { events } = await deps.aggregates.handle(thread, threadId, command, context);
  if (events.length === 0) await showThread(deps, followUp(context, 'show'), { threadId, accountId: by });
  return { threadId, isNew: events.length > 0 };
};

/** The thread as the log has it, for somebody who may write in it. @throws Rejected `not_found` */
export const loadThread = async (
  { aggregates }: ChatDeps,
  threadId: string,
  { accountId, isAgent }: ThreadActor,
): Promise<OpenThread> => asWriter((await aggregates.load(thread, threadId)).state, accountId, isAgent);

/** @throws Rejected `not_found`, `invalid` when it is no group, `forbidden` for people who are not its admins */
export const renameThread = async (
  deps: ChatDeps,
  context: CommandContext,
  threadId: string,
  { by, title }: { readonly by: string; readonly title: string },
): Promise<void> => {
  const renameId = derivedId(context.commandId, 'rename');
  await deps.aggregates.handle(thread, threadId, { type: 'RenameThread', renameId, by, title }, context);
};

/** Who changes a member of a group, and which. */
export interface MemberChange {
  readonly by: string;
  readonly accountId: string;
}

/**
 * The new member sees the whole history.
 * @throws Rejected `not_found`, `invalid`, `forbidden`, `conflict` when it is full, `too_many_attempts` for too many strangers
 */
export const addMember = async (
  deps: GroupDeps,
  context: CommandContext,
  threadId: string,
  { by, accountId }: MemberChange,
): Promise<void> => {
  const command = { type: 'AddMember', by, accountId, at: context.at } as const;
  const open = await loadThread(deps, threadId, { accountId: by, isAgent: false });
  await loadAccount(deps, accountId);
  await refuseToAdd(deps, by, accountId);
  if (thread.decide(command, open).length > 0) await countStrangers(deps, context, by, [accountId]);
  await rememberGroup(deps, threadId, [accountId]);
  await deps.aggregates.handle(thread, threadId, command, context);
};

/** Ends their access at once. @throws Rejected `not_found`, `invalid`, `forbidden` */
export const removeMember = async (
  deps: ChatDeps,
  context: CommandContext,
  threadId: string,
  { by, accountId }: MemberChange,
): Promise<void> => {
  await deps.aggregates.handle(thread, threadId, { type: 'RemoveMember', by, accountId, at: context.at }, context);
};

/** @throws Rejected `not_found`, `invalid`, `forbidden`, `conflict` for the last admin */
export const changeMemberRole = async (
  deps: ChatDeps,
  context: CommandContext,
  threadId: string,
  { by, accountId, role }: MemberChange & { readonly role: MemberRole },
): Promise<void> => {
  await deps.aggregates.handle(thread, threadId, { type: 'ChangeMemberRole', by, accountId, role }, context);
};
