/** What follows from what happens to messages: the attachments of a deleted message are deleted. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import { removeFiles } from '../files/usage.ts';
import { usageOf } from './files.ts';

const removeAttachments: PolicyHandler<Recorded<EventOf<'MessageDeleted' | 'MessageRemoved'>>> = (
  { streamId: id, data: { fileIds: ids, threadId } },
  { deps, context },
) => removeFiles(deps, context, { ids, usage: usageOf(id, threadId) });

export const chatPolicy = policy('chat', {
  MessageDeleted: removeAttachments,
  MessageRemoved: removeAttachments,
});
