/** Reports of chats and messages: members report, admins answer. */
import { removeMessage } from '../../commands/chat/messages.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { Message, messageById, messages, messagesByIds, showMessages } from '../../projections/chat/messages.ts';
import { byId, filingRoute, reportRoutes as routesFor } from '../reports/reportRoutes.ts';
import { MESSAGE, readableMessage, requireReader } from './access.ts';
import { factsOf } from './messages.ts';

const ofChat = filingRoute('POST /api/v1/chats/:thread_id/report', {
  id: 'reportChat',
  summary: 'Report a chat to the admins',
  param: 'thread_id',
  find: async (app, caller, id) => {
    await requireReader(app, caller, id);
    return { subject: { kind: 'chat', id, within: null }, authorId: null };
  },
});

const ofMessage = filingRoute('POST /api/v1/messages/:id/report', {
  id: 'reportMessage',
  summary: 'Report a message to the admins',
  description: 'They see the message.',
  param: 'id',
  find: async (app, caller, id) => {
    const { thread_id: within, sender_id: authorId } = await readableMessage(app, caller, id);
    return { subject: { kind: MESSAGE, id, within }, authorId };
  },
});

const answers = routesFor({
  path: 'chat-reports',
  kinds: ['chat', MESSAGE],
  what: 'chats and messages',
  name: 'ChatReport',
  content: Message,
  show: async (app, ids) => {
    // Those of chats are not among them.
    const found = await messagesByIds(app.db, ids);
    return byId(found, await showMessages(app.db, found));
  },
  removal: 'the message is removed. A chat cannot be.',
  remove: async (app, context, { subject_kind: kind, subject_id: id }, { caller }) => {
    if (kind !== MESSAGE)
      throw new Rejected('invalid', 'This report is about a chat, not about a message that can be removed.');
    const row = await messageById(app.db, id);
    if (row) await removeMessage(app, context, factsOf(row), caller.id);
  },
  projections: [messages],
});

export const reportRoutes = [ofChat, ofMessage, ...answers];
