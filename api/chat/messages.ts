/** Messages: read in pages, sent, edited, deleted, marked as read. */
import { Type } from '@sinclair/typebox';
import {
  deleteMessage,
  editMessage,
  isShort,
  type KnownMessage,
  messageIdOf,
  sendMessage,
} from '../../commands/chat/messages.ts';
import { readThread } from '../../commands/chat/ownThreads.ts';
import { loadThread, type ThreadActor } from '../../commands/chat/threads.ts';
import { onFreshFacts } from '../../commands/core/freshFacts.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { EDIT_HOURS } from '../../domain/chat/message.ts';
import { MAX_ATTACHMENTS, MAX_BODY, Mentions, messageKinds } from '../../domain/chat/threadEvents.ts';
import type { Numbered } from '../../domain/chat/threadState.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { OneOf, ReasonText, Uuid } from '../../domain/core/schema.ts';
import { toCamel } from '../../infra/naming.ts';
import { chatChannel } from '../../projections/chat/channels.ts';
import { messageEdits } from '../../projections/chat/messageEdits.ts';
import {
  Message,
  type MessageRow,
  messageById,
  messages,
  pageOfMessages,
  sentRow,
  showMessage,
  showMessages,
  showSent,
  tombstone,
} from '../../projections/chat/messages.ts';
import { participants } from '../../projections/chat/participants.ts';
import { hasOpenReport, reports } from '../../projections/reports/reports.ts';
import type { App } from '../http/app.ts';
import { ById, route, withStatus } from '../http/route.ts';
import { SeqListOf, seqListOf, seqPagingOf, seqQuery } from '../http/seqPaging.ts';
import { madeBefore, shownAfter, shownAgain } from '../http/shownAfter.ts';
import { editedRow } from '../reports/editedRow.ts';
import { closeReportsOf } from '../reports/reportRoutes.ts';
import { actorOf, MESSAGE, nameNow, readableMessage, requireReader } from './access.ts';

const Body = Type.String({ maxLength: MAX_BODY });

const list = route('GET /api/v1/messages/:id', {
  id: 'listMessages',
  access: 'user',
  summary: 'List the messages of a chat',
  description:
    'By ascending number: the newest, or those before, after or around the number of a message. New messages do not move the pages.',
  params: Type.Object({ id: Type.String({ format: 'uuid', description: 'Of the chat.' }) }),
  query: seqQuery('Message'),
  reply: SeqListOf(Message, 'message'),
  errors: ['not_found'],
  reads: [messages],
  channel: { of: chatChannel, id: ({ params }) => params.id },
  handle: async ({ params: { id }, query, caller }, app) => {
    const { cursor, limit } = seqPagingOf(query);
    await requireReader(app, caller, id);
    const page = await pageOfMessages(app.db, id, cursor, limit);
    return seqListOf(page, await showMessages(app.db, page.rows));
  },
});

/** The message that is replied to. @throws Rejected `invalid` when it is not in the thread */
const repliedTo = async (
  app: App,
  actor: ThreadActor,
  threadId: string,
  id: string | undefined,
): Promise<Numbered | null> => {
  if (id === undefined) return null;
  const row = await messageById(app.db, id);
  if (row?.thread_id === threadId) return { id, seq: row.seq };
  // It may have been sent just now.
  const recent = (await loadThread(app, threadId, actor)).recent.find((one) => one.id === id);
  if (recent) return recent;
  throw new Rejected('invalid', 'reply_to_id must be a message of the same chat.', { fields: ['reply_to_id'] });
};

const send = route('POST /api/v1/messages', {
  id: 'sendMessage',
  access: 'user',
  summary: 'Send a message',
  description:
    'With a `client_message_id`, unique for the sender in the chat, a repeated request returns the first message. `mentions` are ids of members: they are told of the message on their own channel. `image` has pictures and `voice` one recording as `attachments`; `text` may have files of any kind.',
  body: Type.Object(
    {
      thread_id: Uuid,
      kind: Type.Optional(OneOf(messageKinds, { default: 'text' })),
      body: Type.Optional(Body),
      attachments: Type.Optional(
        Type.Array(Uuid, {
          maxItems: MAX_ATTACHMENTS,
          uniqueItems: true,
          description: 'Ids of own files, uploaded to the folder `chat`.',
        }),
      ),
      reply_to_id: Type.Optional(Uuid),
      mentions: Type.Optional(Mentions),
      client_message_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    },
    { $id: 'NewMessage' },
  ),
  reply: Message,
  status: 201,
  alternatives: { 200: { description: 'The message was sent before.' } },
  errors: ['not_found', 'invalid', 'forbidden', 'conflict'],
  projections: [messages],
  handle: async ({ body, caller, context }, app) => {
    const { thread_id: threadId, client_message_id: clientMessageId = null, mentions = [], kind = 'text' } = body;
    const actor = actorOf(caller);
    const id = messageIdOf(context, actor, { threadId, clientMessageId });
    const shown = async () => {
      const row = await messageById(app.db, id);
      return row && showMessage(app.db, row);
    };
    return onFreshFacts(async (attempt) => {
      const wasSought = attempt > 0 || clientMessageId === null || !(await isShort(app, threadId));
      const before = wasSought && clientMessageId !== null ? await shown() : undefined;
      if (before) return withStatus(200, before);
      const replyTo = await repliedTo(app, actor, threadId, body.reply_to_id);
      const { body: text = '', attachments = [] } = body;
      const details = { threadId, kind, body: text, mentions, attachments, replyTo, clientMessageId };
      const send = (own: CommandContext) => sendMessage(app, own, actor, details, wasSought);
      const sent = await shownAfter(app, context, [messages], send, madeBefore);
      if (sent) return showSent(sentRow(threadId, sent, context.at), await nameNow(app, caller.id));
      return shownAgain(await shown(), 'This message was sent');
    });
  },
});

/** What the commands need of a message. */
export const factsOf = (row: MessageRow): KnownMessage => ({
  id: row.id,
  of: { threadId: row.thread_id, authorId: row.sender_id, seq: row.seq },
  kind: row.kind,
  writtenAt: row.sent_at,
  body: row.body ?? '',
  mentions: row.mentions,
  files: toCamel(row.attachments),
});

const edit = route('PATCH /api/v1/messages/:id', {
  id: 'editMessage',
  access: 'user',
  summary: 'Edit a message',
  description: `Its sender can do this for ${EDIT_HOURS} hours. \`/history\` shows the former texts. Without \`mentions\` the same people are mentioned.`,
  params: ById,
  body: Type.Object({ body: Body, mentions: Type.Optional(Mentions) }),
  reply: Message,
  errors: ['not_found', 'invalid', 'forbidden', 'conflict'],
  projections: [messages, messageEdits],
  handle: async ({ params, body, caller, context }, app) => {
    const row = await readableMessage(app, caller, params.id);
    const { mentions } = body;
    const changes = { body: body.body, ...(mentions && { mentions }) };
    const edited = await editMessage(app, context, actorOf(caller), factsOf(row), changes);
    return showMessage(app.db, editedRow(row, edited, context.at));
  },
});

const remove = route('DELETE /api/v1/messages/:id', {
  id: 'deleteMessage',
  access: 'user',
  harm: { of: 'content', by: 'admin' },
  summary: 'Delete a message',
  description:
    'Its sender, an admin of the group or an admin of the platform can do this. The message stays as a tombstone that says who has deleted it. Who deletes that of somebody else gives a `reason` for the sender, who is told and can appeal.',
  params: ById,
  body: Type.Optional(Type.Object({ reason: Type.Optional(ReasonText) })),
  reply: Message,
  errors: ['not_found', 'forbidden', 'invalid', 'conflict'],
  projections: [messages, messageEdits, reports],
  handle: async ({ params, body, caller, context }, app) => {
    const own = await messageById(app.db, params.id);
    const isOpen = own !== undefined && (own.sender_id === caller.id || caller.role === 'admin');
    const row = isOpen ? own : await readableMessage(app, caller, params.id);
    const isReported = await hasOpenReport(app.db, { kind: MESSAGE, id: row.id });
    const how = { isReported, reason: body?.reason };
    const deletion = await deleteMessage(app, context, actorOf(caller), factsOf(row), how);
    if (deletion === 'moderator' && caller.role === 'admin')
      await closeReportsOf(app, context, { kind: MESSAGE, id: row.id });
    return showMessage(app.db, tombstone(row, row.deletion ?? deletion));
  },
});

const Read = Type.Object({
  thread_id: Uuid,
  last_read_seq: Type.Integer({ description: 'Everything up to this number is read.' }),
});

const read = route('POST /api/v1/messages/:id/read', {
  id: 'readMessage',
  access: 'user',
  summary: 'Mark a message and all before it as read',
  description:
    'It never goes back. Admins who answer for the support are no members, so that nothing is recorded for them.',
  params: ById,
  reply: Read,
  errors: ['not_found'],
  projections: [participants],
  handle: async ({ params, caller, context }, app) => {
    const row = await readableMessage(app, caller, params.id);
    const actor = actorOf(caller);
    const { members } = await loadThread(app, row.thread_id, actor);
    const member = members.find(({ id }) => id === actor.accountId);
    if (!member) return { thread_id: row.thread_id, last_read_seq: 0 };
    const own = { threadId: row.thread_id, accountId: caller.id };
    const readUpTo = await readThread(app, context, own, row.seq);
    // What was sent before they joined, or before they have written, counts as read.
    return { thread_id: row.thread_id, last_read_seq: Math.max(readUpTo, member.joinedSeq, member.wroteSeq) };
  },
});

export const messageRoutes = [list, send, edit, remove, read];
