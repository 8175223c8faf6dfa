/**
 * The former texts of edited messages, for their senders and for admins. Those of a deleted message are gone, unless it was
 * reported before its sender deleted it: then admins have all that it said, and for a while what was attached.
 */

import { type Static, Type } from '@sinclair/typebox';
import { chatPurpose } from '../../domain/chat/purpose.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { FormerTexts, TextVersions, versionsFor, withFormer } from '../engine/formerTexts.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { Evidence, evidenceAt, KeptFiles, keptAt, NO_FILES } from '../files/evidence.ts';
import type { MessageRow } from './messages.ts';

const Row = Type.Object({
  /** Of the message. */
  id: Uuid,
  sender_id: Uuid,
  former: FormerTexts,
  ...KeptFiles,
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
  ...NO_FILES,
});

export const messageEdits = readModel('message_edits', {
  version: 2,
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
    MessageDeleted: (row, { streamId: id, at, data: { senderId, formerBody, keptFiles = [] } }) =>
      formerBody === undefined ? null : { ...edited(row, { id, senderId, formerBody, at }), ...keptAt(at, keptFiles) },
    MessageRemoved: () => null,
  },
  indexes: ['sender_id'],
});

export const MessageHistory = Type.Object(
  {
    message_id: Uuid,
    versions: TextVersions('message'),
    attachments: Evidence('message'),
  },
  { $id: 'MessageHistory' },
);
export type MessageHistory = Static<typeof MessageHistory>;

/**
 * What a message has said, as its sender or an admin reads it.
 * @param at when it is read, RFC 3339
 */
export const historyOf = async (
  db: ReadDb,
  { id, body, sent_at, deletion }: Pick<MessageRow, 'id' | 'body' | 'sent_at' | 'deletion'>,
  reader: 'author' | 'admin',
  at: string,
): Promise<MessageHistory> => {
  const edits = await tables(db, messageEdits)
    .selectFrom('message_edits')
    .select(['former', 'kept_files', 'kept_until'])
    .where('id', '=', id)
    .executeTakeFirst();
  const text = { body, writtenAt: sent_at, isDeleted: deletion !== null, former: edits?.former };
  const versions = versionsFor(reader, text);
  return { message_id: id, versions, attachments: versions.length > 0 ? evidenceAt(at, edits) : [] };
};
