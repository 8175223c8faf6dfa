/** The attachments of messages: whether a message was sent with them. */

import { thread } from '../../domain/chat/thread.ts';
import type { Usage } from '../../domain/files/file.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { AttachedFile } from '../files/fileUses.ts';
import { wasRecorded } from '../files/wasRecorded.ts';
import type { SendDeps } from './deps.ts';

export const usageOf = (messageId: string, threadId: string): Usage => ({
  kind: 'message',
  id: messageId,
  within: threadId,
});

/** Looks in the thread for the message with this file, back to when the file was attached. */
export const messageUse = async (
  deps: SendDeps,
  { id, within, fileId, attachedAt }: AttachedFile,
): Promise<boolean> => {
  // The message of a usage that does not name its thread cannot be found.
  if (within === undefined) return true;
  const { revision: from } = await deps.aggregates.load(thread, within);
  const is = ({ data: { messageId, attachments } }: EventOf<'MessageSent'>): boolean =>
    messageId === id && attachments.some((file) => file.fileId === fileId);
  return wasRecorded(deps, { category: thread.category, id: within, from, type: 'MessageSent', is, attachedAt });
};
