/**
 * What follows in chats: the attachments of a deleted message are deleted, or kept for admins, and who is in a group is
 * remembered until they leave.
 */
import { message } from '../../domain/chat/message.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import { removeFiles } from '../files/attachFiles.ts';
import { removeOrKeep } from '../files/keptFiles.ts';
import { keepRemoved } from '../reports/evidence.ts';
import { forgetMember, restoreMembers } from './groupMembers.ts';
import { usageOf } from './messages.ts';

const endAttachments: PolicyHandler<Recorded<EventOf<'MessageDeleted'>>> = (
  { streamId, at, data: { threadId, ...gone } },
  ctx,
) => removeOrKeep(ctx, { usage: usageOf(streamId, threadId), ...gone }, at);

/** The attachments of a removed message stay, because it can come back; those of before go. */
const keepForAppeal: PolicyHandler<Recorded<EventOf<'MessageRemoved'>>> = async (
  { streamId: id, at, data: { threadId, senderId: authorId, fileIds, formerBody } },
  { deps, context },
) => {
  await removeFiles(deps, context, { ids: fileIds, usage: usageOf(id, threadId) });
  const subject = { kind: 'message', id, within: threadId };
  if (formerBody !== undefined) await keepRemoved(deps, context, { subject, authorId }, at);
};

/** Nobody can bring it back any more. */
const endRemoved: PolicyHandler<Recorded<EventOf<'EvidenceEnded'>>> = async ({ data: { subject } }, ctx) => {
  if (subject.kind !== 'message') return;
  const { removed } = (await ctx.deps.aggregates.load(message, subject.id)).state;
  if (removed === null) return;
  const ids = removed.attachments.map(({ fileId }) => fileId);
  await removeFiles(ctx.deps, ctx.context, { ids, usage: usageOf(subject.id, removed.threadId) });
};

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
  MessageRemoved: keepForAppeal,
  EvidenceEnded: endRemoved,
});
