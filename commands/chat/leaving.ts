/** Leaving a thread. A group is left for good; the thread of two people, or with the support, is hidden. */
import { thread } from '../../domain/chat/thread.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { ChatDeps } from './deps.ts';
import { hideThread, type OwnThread, readThread } from './ownThreads.ts';
import { loadThread } from './threads.ts';

/** @throws Rejected `not_found` for people who are no members */
export const leaveThread = async (deps: ChatDeps, context: CommandContext, own: OwnThread): Promise<void> => {
  const { threadId, accountId } = own;
  const { type, lastSeq } = await loadThread(deps, threadId, { accountId, isAgent: false });
  if (type === 'group') {
    await deps.aggregates.handle(thread, threadId, { type: 'LeaveThread', accountId, at: context.at }, context);
    return;
  }
  await readThread(deps, followUp(context, 'read'), own, lastSeq);
  await hideThread(deps, followUp(context, 'hide'), own, lastSeq);
};
