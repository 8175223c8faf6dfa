/**
 * The former texts of edited messages, for their senders and for admins. Those of a deleted message are gone, unless it was
 * reported before its sender deleted it: then admins have all that it said, and for a while what was attached.
 */

import { type Static, Type } from '@sinclair/typebox';
import { chatPurpose } from '../../domain/chat/purpose.ts';
import { hasCome } from '../../domain/core/instants.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { EVIDENCE_DAYS, evidenceUntil } from '../../domain/files/evidence.ts';
import { toSnake } from '../../infra/naming.ts';
import { FormerTexts, TextVersions, versionsFor, withFormer } from '../engine/formerTexts.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { Attachment, AttachmentRow, attachmentsOf } from '../files/links.ts';
import type { MessageRow } from './messages.ts';

const Row = Type.Object({
  /** Of the message. */
  id: Uuid,
  sender_id: Uuid,
  former: FormerTexts,
  /** What a message had that was deleted while a report of it was open. */
  attachments: Type.Array(AttachmentRow),
  /** Until when they are there; null: there are none. */
  attachments_until: Nullable(Instant),
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
  attachments: [],
  attachments_until: null,
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
      formerBody === undefined
        ? null
        : {
            ...edited(row, { id, senderId, formerBody, at }),
            attachments: toSnake(keptFiles),
            attachments_until: keptFiles.length > 0 ? evidenceUntil(at) : null,
          },
    MessageRemoved: () => null,
  },
  indexes: ['sender_id'],
});

export const MessageHistory = Type.Object(
  {
    message_id: Uuid,
    versions: TextVersions('message'),
    attachments: Type.Array(Attachment, {
      description: `Of a message that its sender deleted while a report of it was open, for admins, ${EVIDENCE_DAYS} days long. Otherwise empty.`,
    }),
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
    .select(['former', 'attachments', 'attachments_until'])
    .where('id', '=', id)
    .executeTakeFirst();
  const { former, attachments = [], attachments_until: until = null } = edits ?? {};
  const text = { body, writtenAt: sent_at, isDeleted: deletion !== null, former };
  const versions = versionsFor(reader, text);
  // Nothing of a message whose sender was erased, or that the reader is not shown.
  const isOver = versions.length === 0 || until === null || hasCome(until, at);
  return { message_id: id, versions, attachments: isOver ? [] : attachmentsOf(attachments, at, true) };
};
