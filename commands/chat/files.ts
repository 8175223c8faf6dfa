/** The attachments of messages: whether a message was sent with them. */

import { thread, wasSent } from '../../domain/chat/thread.ts';
import type { Usage } from '../../domain/files/file.ts';
import type { EventOf } from '../../domain/modules.ts';
import { wasRecorded } from '../files/recorded.ts';
import type { FileUse } from '../files/uses.ts';

export const usageOf = (messageId: string, threadId: string): Usage => ({
  kind: 'message',
  id: messageId,
  within: threadId,
});

/** Looks for the message among the newest ones, then in the thread, back to when the file was attached. */
export const messageUse: FileUse = async (deps, { id, within, attachedAt }) => {
  // The message of a usage that does not name its thread cannot be found.
  if (within === undefined) return true;
  const { state, revision: from } = await deps.aggregates.load(thread, within);
  if (wasSent(state, id)) return true;
  const is = ({ data }: EventOf<'MessageSent'>): boolean => data.messageId === id;
  return wasRecorded(deps, { category: thread.category, id: within, from, type: 'MessageSent', is, attachedAt });
};
