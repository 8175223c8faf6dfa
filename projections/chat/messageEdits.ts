/** The former texts of edited messages, for their senders and for moderators. Those of a deleted message are gone. */

import { type Static, Type } from '@sinclair/typebox';
import { chatPurpose } from '../../domain/chat/purpose.ts';
import { isPlaceholder, Uuid } from '../../domain/core/schema.ts';
import { FormerTexts, TextVersions, versionsOf } from '../engine/formerTexts.ts';
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

export const messageEdits = readModel('message_edits', {
  version: 1,
  row: Row,
  key: 'id',
  personal: { of: 'sender_id', texts: ['former.*.body'], why: chatPurpose, kept: 'account' },
  on: {
    MessageEdited: (row: Row | undefined, { streamId: id, at, data: { senderId, formerBody } }) => ({
      id,
      sender_id: senderId,
      former: [...(row?.former ?? []), { body: formerBody, replaced_at: at }],
    }),
    MessageDeleted: () => null,
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

/** What a message has said, from when on each. Nothing of a message that is deleted, or whose sender was erased. */
export const historyOf = async (
  db: ReadDb,
  { id, body, sent_at, deletion }: Pick<MessageRow, 'id' | 'body' | 'sent_at' | 'deletion'>,
): Promise<MessageHistory> => {
  if (body === null || deletion !== null || isPlaceholder(body)) return { message_id: id, versions: [] };
  const edits = await tables(db, messageEdits)
    .selectFrom('message_edits')
    .select('former')
    .where('id', '=', id)
    .executeTakeFirst();
  const versions = versionsOf(edits?.former ?? [], { body, writtenAt: sent_at });
  return { message_id: id, versions };
};
