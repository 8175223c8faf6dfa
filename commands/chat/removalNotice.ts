/** What senders are told whose message a moderator has removed. */
import { Type } from '@sinclair/typebox';
import { message } from '../../domain/chat/message.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { notification } from '../core/notification.ts';

/** To its sender. The history of the message says why. */
export const messageRemoved = notification('message_removed', {
  kind: 'system',
  urgency: 'normal',
  worthMs: 3 * DAY_MS,
  params: Type.Object({ thread_id: Uuid, message_id: Uuid }),
  on: {
    // Those of before have no reason.
    MessageRemoved: ({ streamId: messageId, revision, data: { reason } }) =>
      reason === undefined ? undefined : { about: { messageId, revision: String(revision) } },
  },
  takenBackBy: {
    MessageRestored: ({ streamId: key, revision, data: { senderId: to } }) => ({ to, key, version: Number(revision) }),
  },
  find: async ({ messageId = '', revision }, { deps }) => {
    const { removed } = (await deps.aggregates.load(message, messageId)).state;
    if (removed === null) return [];
    const { authorId: to, threadId: thread_id } = removed;
    return [{ to, key: messageId, version: Number(revision), params: { thread_id, message_id: messageId } }];
  },
  text: {
    ru: () => ({
      title: 'Ваше сообщение удалено',
      body: 'Модератор удалил ваше сообщение в чате. Причина указана в истории сообщения. Вы можете подать апелляцию.',
    }),
    en: () => ({
      title: 'Your message was removed',
      body: 'A moderator has removed your message in a chat. The history of the message says why. You can appeal.',
    }),
  },
  link: ({ thread_id }) => `/chats/${thread_id}`,
});
