/**
 * What follows in chats: the attachments of a deleted message are deleted, or kept for admins, and who is in a group is
 * remembered until they leave.
 */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import { removeOrKeep } from '../files/keptFiles.ts';
import { usageOf } from './files.ts';
import { forgetMember, restoreMembers } from './groupMembers.ts';

const endAttachments: PolicyHandler<Recorded<EventOf<'MessageDeleted' | 'MessageRemoved'>>> = (
  { streamId, at, data: { threadId, ...gone } },
  ctx,
) => removeOrKeep(ctx, { usage: usageOf(streamId, threadId), ...gone }, at);

const forget: PolicyHandler<Recorded<EventOf<'MemberLeft' | 'MemberRemoved'>>> = (
  { streamId, data: { accountId } },
  { deps, context },
) => forgetMember(deps, context, streamId, accountId);

export const chatPolicy = policy('chat', {
  ThreadStarted: async ({ streamId, data: { type, memberIds } }, { deps, context }) => {
    if (type === 'group') await restoreMembers(deps, context, streamId, memberIds);
  },
  MemberAdded: ({ streamId, data: { accountId } }, { deps, context }) =>
    restoreMembers(deps, context, streamId, [accountId]),
  MemberLeft: forget,
  MemberRemoved: forget,
  MessageDeleted: endAttachments,
  MessageRemoved: endAttachments,
});
