/**
 * The former texts of edited messages, for their senders and for admins. Those of a deleted message are gone, unless it was
 * reported before its sender deleted it: then admins have all that it said.
 */

import { type Static, Type } from '@sinclair/typebox';
import { chatPurpose } from '../../domain/chat/purpose.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { FormerTexts, TextVersions, versionsFor, withFormer } from '../engine/formerTexts.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import type { MessageRow } from './messages.ts';

const Row = Type.Object({
  /** Of the message. */
  id: Uuid,
  sender_id: Uuid,
  former: FormerTexts,
});
type Row = Static<typeof Row>;

interface Replaced {
  readonly id: string;
  readonly senderId: string;
  readonly formerBody: string;
  readonly at: string;
}
const edited = (row: Row | undefined, { id, senderId, ...replaced }: Replaced): Row => ({
  id,
  sender_id: senderId,
  former: withFormer(row?.former, replaced),
});

export const messageEdits = readModel('message_edits', {
  version: 1,
  row: Row,
  key: 'id',
  personal: {
    of: 'sender_id',
    texts: ['former.*.body'],
    why: chatPurpose,
    kept: 'account',
    seenBy: ['self', 'admins'],
  },
  on: {
    MessageEdited: (row: Row | undefined, { streamId, at, data: { senderId, formerBody } }) =>
      edited(row, { id: streamId, senderId, formerBody, at }),
    MessageDeleted: (row, { streamId, at, data: { senderId, formerBody } }) =>
      formerBody === undefined ? null : edited(row, { id: streamId, senderId, formerBody, at }),
    MessageRemoved: () => null,
  },
  indexes: ['sender_id'],
});

export const MessageHistory = Type.Object(
  {
    message_id: Uuid,
    versions: TextVersions('message'),
  },
  { $id: 'MessageHistory' },
);
export type MessageHistory = Static<typeof MessageHistory>;

/** What a message has said, as its sender or an admin reads it. */
export const historyOf = async (
  db: ReadDb,
  { id, body, sent_at, deletion }: Pick<MessageRow, 'id' | 'body' | 'sent_at' | 'deletion'>,
  reader: 'author' | 'admin',
): Promise<MessageHistory> => {
  const edits = await tables(db, messageEdits)
    .selectFrom('message_edits')
    .select('former')
    .where('id', '=', id)
    .executeTakeFirst();
  const text = { body, writtenAt: sent_at, isDeleted: deletion !== null, former: edits?.former };
  return { message_id: id, versions: versionsFor(reader, text) };
};
