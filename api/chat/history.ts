/** What an edited message said before, and what is kept of a deleted one. */
import { Rejected } from '../../domain/core/decider.ts';
import { historyOf, MessageHistory, messageEdits } from '../../projections/chat/messageEdits.ts';
import { type MessageRow, messageById, messages } from '../../projections/chat/messages.ts';
import { isAppealed } from '../../projections/reports/appeals.ts';
import { isReported } from '../../projections/reports/reports.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { ById, route } from '../http/route.ts';
import { MESSAGE, readableMessage } from './access.ts';

/** @throws Rejected `not_found` for people who may not read it, `forbidden` for people who may read the message only */
const messageWithHistory = async (app: App, caller: User, id: string): Promise<MessageRow> => {
  const row = await messageById(app.db, id);
  if (row?.sender_id === caller.id) return row;
  if (row && caller.role === 'admin' && ((await isReported(app.db, id)) || (await isAppealed(app.db, MESSAGE, id))))
    return row;
  await readableMessage(app, caller, id);
  throw new Rejected(
    'forbidden',
    'Former texts are shown to the sender, and to admins once the message is reported, or its removal appealed.',
  );
};

export const historyRoute = route('GET /api/v1/messages/:id/history', {
  id: 'getMessageHistory',
  access: 'user',
  harm: { of: 'content', by: 'admin' },
  summary: 'Get the former texts of a message',
  description:
    'For its sender, and for admins once somebody has reported the message. Others see only that it was edited. A deleted message has none; if its sender deleted it while a report was open, admins see what it said, and what was attached. One that a moderator has removed shows both to its sender too, with the reason; admins see it once the sender has appealed.',
  params: ById,
  reply: MessageHistory,
  errors: ['not_found', 'forbidden'],
  reads: [messages, messageEdits],
  handle: async ({ params, caller, context }, app) => {
    const row = await messageWithHistory(app, caller, params.id);
    return historyOf(app.db, row, row.sender_id === caller.id ? 'author' : 'admin', context.at);
  },
});
