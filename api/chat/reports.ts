/** Reports of chats and messages: members and former members report, admins answer. */
import { Type } from '@sinclair/typebox';
import { removeMessage } from '../../commands/chat/messages.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { objectText } from '../../infra/jsonText.ts';
import { messageEdits } from '../../projections/chat/messageEdits.ts';
import {
  Message,
  type MessageRow,
  messageById,
  messages,
  messagesByIds,
  showMessages,
} from '../../projections/chat/messages.ts';
import { formerMember } from '../../projections/chat/participants.ts';
import { ReportedChat, reportedChats } from '../../projections/chat/reportedChats.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { byId, filingRoute, reportRoutes as routesFor } from '../reports/reportRoutes.ts';
import { MESSAGE, readableMessage, requireReader } from './access.ts';
import { factsOf } from './messages.ts';

/** @throws Rejected `not_found` for people who may not read the thread and have never been in it */
const requireReporter = async (app: App, caller: User, threadId: string): Promise<void> => {
  if (!(await formerMember(app.db, threadId, caller.id))) await requireReader(app, caller, threadId);
};

/** A message that this person may read, or had read before they left. @throws Rejected `not_found` */
const reportableMessage = async (app: App, caller: User, id: string): Promise<MessageRow> => {
  const row = await messageById(app.db, id);
  const former = row && (await formerMember(app.db, row.thread_id, caller.id));
  if (former && former.joined_seq < row.seq && row.seq <= former.last_read_seq) return row;
  return readableMessage(app, caller, id);
};

const ofChat = filingRoute('POST /api/v1/chats/:thread_id/report', {
  id: 'reportChat',
  summary: 'Report a chat to the admins',
  description: 'They see who is in it, and no messages. Members can do this, and those who have left or were removed.',
  param: 'thread_id',
  find: async (app, caller, id) => {
    await requireReporter(app, caller, id);
    return { subject: { kind: 'chat', id, within: null }, authorId: null, text: null };
  },
});

const ofMessage = filingRoute('POST /api/v1/messages/:id/report', {
  id: 'reportMessage',
  summary: 'Report a message to the admins',
  description: 'They see the message. Who has left the chat, or was removed, can report what they had read.',
  param: 'id',
  find: async (app, caller, id) => {
    const { thread_id: within, sender_id: authorId, body: text } = await reportableMessage(app, caller, id);
    return { subject: { kind: MESSAGE, id, within }, authorId, text };
  },
});

const answers = routesFor({
  path: 'chat-reports',
  kinds: ['chat', MESSAGE],
  what: 'chats and messages',
  name: 'ChatReport',
  content: Type.Union([Message, ReportedChat]),
  // Ids of both kinds: what is not a message is a chat.
  show: async (app, ids) => {
    const [found, chats] = await Promise.all([messagesByIds(app.db, ids), reportedChats(app.db, ids)]);
    const forms = [...(await showMessages(app.db, found)), ...chats.map((chat) => objectText<ReportedChat>(chat))];
    return byId([...found, ...chats], forms);
  },
  history: 'GET /messages/{id}/history',
  removal: 'the message is removed. A chat cannot be.',
  reasonFor: 'the sender of the message',
  remove: async (app, context, { subject_kind: kind, subject_id: id }, { caller, reason }) => {
    if (kind !== MESSAGE)
      throw new Rejected('invalid', 'This report is about a chat, not about a message that can be removed.', {
        fields: ['action'],
      });
    const row = await messageById(app.db, id);
    if (row) await removeMessage(app, context, factsOf(row), { by: caller.id, reason });
  },
  projections: [messages, messageEdits],
});

export const reportRoutes = [ofChat, ofMessage, ...answers];
