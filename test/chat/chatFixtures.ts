/** Parts of messages that several specs need. */
import type { KnownMessage } from '../../commands/chat/messages.ts';
import type { MessageSent } from '../../domain/chat/threadEvents.ts';
import type { FileFacts } from '../../domain/files/file.ts';

export const factsOfPicture = (fileId: string): FileFacts => ({
  fileId,
  folder: 'chat',
  mime: 'image/jpeg',
  size: 9,
  width: 4,
  height: 3,
  durationS: null,
  thumbnailSize: 2,
});

/** A message that was sent, as the read model would know it. @param sent null: it was sent before */
export const knownMessage = (threadId: string, sent: MessageSent | null, writtenAt: string): KnownMessage => {
  if (sent === null) throw new Error('the message was sent before');
  return {
    id: sent.messageId,
    of: { threadId, authorId: sent.senderId, seq: sent.seq },
    kind: sent.kind,
    writtenAt,
    body: sent.body,
    mentions: sent.mentions,
    files: sent.attachments,
  };
};
