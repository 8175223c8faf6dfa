/** Messages. A deleted one stays as a tombstone, so that numbers and replies keep their meaning. */

import { type Static, Type } from '@sinclair/typebox';
import { chatPurpose } from '../../domain/chat/index.ts';
import { type MessageSent, messageKinds } from '../../domain/chat/threadEvents.ts';
import { Instant, isPlaceholder, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type JsonText, withFields } from '../../infra/jsonText.ts';
import { toSnake } from '../../infra/naming.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { userChannel } from '../accounts/channels.ts';
import { DELETED_USER, type ShownName, shownNamesOf } from '../accounts/shortNames.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { formsOf } from '../engine/replies.ts';
import { type Cursor, type SeqPage, seqPageOf } from '../engine/seqPages.ts';
import { rowsById } from '../engine/statements.ts';
import { wireFormWith } from '../engine/wire.ts';
import { Attachment, AttachmentRow, attachmentsOf } from '../files/links.ts';
import { chatChannel } from './channels.ts';
import { type Reader, readersOf } from './participants.ts';
import { chatPeople } from './threads.ts';

const Shown = {
  id: Uuid,
  thread_id: Uuid,
  seq: Type.Integer({ description: 'Its number within the chat: 1, 2, and so on.' }),
  sender_id: Uuid,
  kind: OneOf(messageKinds),
  body: Nullable(Type.String({ description: 'null once it is deleted.' })),
  reply_to_id: Nullable(Uuid),
  reply_to_seq: Nullable(Type.Integer()),
  mentions: Type.Array(Uuid, { column: 'uuid[]' }),
  client_message_id: Nullable(Type.String()),
  sent_at: Instant,
  edited_at: Nullable(Instant),
};
const Row = Type.Object({
  ...Shown,
  /** Who is told of it on their own channel, beside those whom it mentions. */
  parties: Type.Array(Uuid, { column: 'uuid[]' }),
  attachments: Type.Array(AttachmentRow),
  /** Who has deleted it; null: nobody. */
  deletion: Nullable(OneOf(['author', 'moderator'] as const)),
});
export type MessageRow = Static<typeof Row>;

/** Readers who are named; the others are counted. */
const MAX_READERS = 20;

export const Message = Type.Object(
  {
    ...Shown,
    sender_name: Type.String({
      description: `First and last name; \`Anna O.\` of an agent of the support; \`${DELETED_USER}\` once the account is erased.`,
    }),
    mentions: Type.Array(Uuid),
    attachments: Type.Array(Attachment),
    deletion: Nullable(
      OneOf(['author', 'moderator', 'erased'] as const, {
        description: 'Who has deleted it. `erased`: the account of its sender was erased.',
      }),
    ),
    read_by: Type.Array(Uuid, { description: `Up to ${MAX_READERS} members who have read it.` }),
    read_count: Type.Integer({ description: 'How many members have read it, beside its sender.' }),
  },
  { $id: 'Message' },
);
export type Message = Static<typeof Message>;

/** Whether the account of its sender was erased, with its files. */
const isErased = (body: string | null): boolean => body !== null && isPlaceholder(body);

/** Who writes is named in full. Agents answer for the support: they write in its chats without being one of the two. */
const senderName = (
  { sender_id, parties }: Pick<MessageRow, 'sender_id' | 'parties'>,
  { full, short }: ShownName,
): string => (parties.length > 0 && !parties.includes(sender_id) ? short : full);

const NEEDED = ['thread_id', 'seq', 'sender_id', 'body', 'attachments', 'parties'] as const;

/** What is added to a message when it is sent to somebody. */
const addedTo = (
  row: Pick<MessageRow, (typeof NEEDED)[number]>,
  name: ShownName,
  members: readonly Reader[],
  at: string,
) => {
  const { seq, sender_id, body, attachments } = row;
  const readers = members.filter(
    (member) => member.account_id !== sender_id && member.joined_seq < seq && seq <= member.last_read_seq,
  );
  return {
    sender_name: senderName(row, name),
    attachments: isErased(body) ? [] : attachmentsOf(attachments, at),
    read_by: readers.slice(0, MAX_READERS).map(({ account_id }) => account_id),
    read_count: readers.length,
  };
};

const senderNames = (db: ReadDb, rows: readonly Pick<MessageRow, 'sender_id'>[]) =>
  shownNamesOf(
    db,
    chatPeople,
    rows.map(({ sender_id }) => sender_id),
  );

const messageWire = wireFormWith({
  schema: Message,
  make: (row: MessageRow) => {
    return { ...row, ...(isErased(row.body) && { body: null, mentions: [], deletion: 'erased' as const }) };
  },
  overlay: {
    fields: ['sender_name', 'attachments', 'read_by', 'read_count'],
    needs: [...NEEDED],
    read: async (db, rows) => {
      const [members, nameOf] = await Promise.all([readersOf(db, rows), senderNames(db, rows)]);
      return (row, _, at) => addedTo(row, nameOf(row.sender_id), members.get(row.thread_id) ?? [], at);
    },
  },
});

/** The row of a message that was sent. */
export const sentRow = (thread_id: string, sent: MessageSent, sent_at: string): MessageRow => ({
  id: sent.messageId,
  thread_id,
  seq: sent.seq,
  sender_id: sent.senderId,
  kind: sent.kind,
  body: sent.body,
  reply_to_id: sent.replyTo?.id ?? null,
  reply_to_seq: sent.replyTo?.seq ?? null,
  mentions: sent.mentions,
  client_message_id: sent.clientMessageId,
  sent_at,
  edited_at: null,
  parties: sent.parties,
  attachments: toSnake(sent.attachments),
  deletion: null,
});

/** What deletes a message leaves of it. People who were mentioned are no longer told of it. */
export const tombstone = (row: MessageRow, deletion: MessageRow['deletion']): MessageRow => ({
  ...row,
  body: null,
  mentions: [],
  attachments: [],
  deletion,
});

/** What was edited or deleted is not read again. Who was mentioned, and no longer is, sees nothing of the message. */
const withdraws = (before: MessageRow, after: MessageRow): MessageRow | null =>
  before.body === after.body ? null : tombstone(before, after.deletion);

export const messages = readModel('messages', {
  version: 1,
  row: Row,
  wire: messageWire,
  key: 'id',
  personalData: {
    whose: 'sender_id',
    texts: ['body', 'client_message_id'],
    reportedAs: 'message',
    others: { 'parties.*': keptBecause.with, 'mentions.*': keptBecause.with },
    why: chatPurpose,
    retention: 'account',
    seenBy: ['self', 'members', 'admins'],
  },
  on: {
    MessageSent: {
      keys: ({ data }) => [{ id: data.messageId }],
      fold: (_, { streamId, at, data }) => sentRow(streamId, data, at),
      makesRow: true,
    },
    MessageEdited: (row, { at, data: { body, mentions } }) => ({ ...existing(row), body, mentions, edited_at: at }),
    MessageDeleted: (row) => tombstone(existing(row), 'author'),
    MessageRemoved: (row) => tombstone(existing(row), 'moderator'),
    MessageRestored: (row, { data: { body, mentions, attachments } }) => ({
      ...existing(row),
      ...{ body, mentions, attachments: toSnake(attachments), deletion: null },
    }),
  },
  indexes: ['thread_id, seq, sender_id, deletion', 'sender_id'],
  publishTo: [
    { channel: chatChannel, idsOf: ({ thread_id }) => [thread_id], audience: 'guest', withdraws },
    // The other members of a group subscribe to its channel: a message must not cost a change for each of them.
    { channel: userChannel, idsOf: ({ parties, mentions }) => [...parties, ...mentions], audience: 'guest', withdraws },
  ],
});

const byIds = rowsById((db, ids) => tables(db, messages).selectFrom('messages').selectAll().where(isAnyOf('id', ids)));

export const messageById = async (db: ReadDb, id: string): Promise<MessageRow | undefined> =>
  (await byIds(db, [id])).get(id);

export const messagesByIds = (db: ReadDb, ids: readonly string[]): Promise<MessageRow[]> =>
  tables(db, messages).selectFrom('messages').selectAll().where(isAnyOf('id', ids)).execute();

/** At most `limit` messages of a thread. */
export const pageOfMessages = (
  db: ReadDb,
  threadId: string,
  cursor: Cursor,
  limit: number,
): Promise<SeqPage<MessageRow>> =>
  seqPageOf(tables(db, messages).selectFrom('messages').selectAll().where('thread_id', '=', threadId), cursor, limit);

/** Messages as replies. */
export const showMessages = async (db: ReadDb, rows: readonly MessageRow[]): Promise<JsonText<Message>[]> => {
  const formFor = await formsOf(db, messages, rows, ['guest']);
  return rows.map((row) => formFor(row, 'guest') as JsonText<Message>);
};
export const showMessage = async (db: ReadDb, row: MessageRow): Promise<JsonText<Message>> =>
  (await showMessages(db, [row]))[0] as JsonText<Message>;

/** A message that was just sent, as a reply: nobody had read it when it was. */
export const showSent = (row: MessageRow, sender: ShownName): JsonText<Message> =>
  withFields(messages.wire.textOf(row, 'guest'), addedTo(row, sender, [], row.sent_at)) as JsonText<Message>;
