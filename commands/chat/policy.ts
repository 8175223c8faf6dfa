/** What follows in chats: the attachments of a deleted message are deleted, and who is in a group is remembered. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import { removeFiles } from '../files/attachFiles.ts';
import { usageOf } from './files.ts';
import { restoreMembers } from './groupMembers.ts';

const removeAttachments: PolicyHandler<Recorded<EventOf<'MessageDeleted' | 'MessageRemoved'>>> = (
  { streamId: id, data: { fileIds: ids, threadId } },
  { deps, context },
) => removeFiles(deps, context, { ids, usage: usageOf(id, threadId) });

export const chatPolicy = policy('chat', {
  ThreadStarted: async ({ streamId, data: { type, memberIds } }, { deps, context }) => {
    if (type === 'group') await restoreMembers(deps, context, streamId, memberIds);
  },
  MemberAdded: ({ streamId, data: { accountId } }, { deps, context }) =>
    restoreMembers(deps, context, streamId, [accountId]),
  MessageDeleted: removeAttachments,
  MessageRemoved: removeAttachments,
});
