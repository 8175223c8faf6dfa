/**
 * The former texts of edited messages, for their senders and for admins. Those of a deleted message are gone, unless it was
 * reported before its sender deleted it: then admins have all that it said, and for a while what was attached.
 */

import { type Static, Type } from '@sinclair/typebox';
import { chatPurpose } from '../../domain/chat/purpose.ts';
import { Nullable, textOrNull, Uuid } from '../../domain/core/schema.ts';
import { toSnake } from '../../infra/naming.ts';
import { FormerTexts, TextVersions, versionsFor, withFormer } from '../engine/formerTexts.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { Evidence, evidenceAt, KeptFiles, keptAt, NO_FILES } from '../files/evidence.ts';
import { attachmentsOf } from '../files/links.ts';
import type { MessageRow } from './messages.ts';

const Row = Type.Object({
  /** Of the message. */
  id: Uuid,
  sender_id: Uuid,
  former: FormerTexts,
  ...KeptFiles,
  /** Gone, and kept for those who judge. */
  is_kept: Type.Boolean(),
  /** Why a moderator has removed it. */
  removal_reason: Nullable(Type.String()),
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
  is_kept: false,
  removal_reason: null,
});

export const messageEdits = readModel('message_edits', {
  version: 3,
  row: Row,
  key: 'id',
  personal: {
    of: 'sender_id',
    texts: ['former.*.body', 'removal_reason'],
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
        : { ...edited(row, { id, senderId, formerBody, at }), ...keptAt(at, keptFiles), is_kept: true },
    // Its files stay where they are, until the evidence ends.
    MessageRemoved: (row, { streamId: id, at, data: { senderId, formerBody, keptFiles = [], reason = null } }) =>
      formerBody === undefined
        ? null
        : {
            ...edited(row, { id, senderId, formerBody, at }),
            ...{ kept_files: toSnake(keptFiles), is_kept: true, removal_reason: reason },
          },
    MessageRestored: (row) => {
      const { former, ...rest } = existing(row);
      return { ...rest, ...NO_FILES, former: former.slice(0, -1), is_kept: false, removal_reason: null };
    },
    EvidenceEnded: {
      keys: ({ data: { subject } }) => (subject.kind === 'message' ? [{ id: subject.id }] : []),
      fold: (row) => (row === undefined || row.is_kept ? null : row),
    },
  },
  indexes: ['sender_id'],
});

export const MessageHistory = Type.Object(
  {
    message_id: Uuid,
    versions: TextVersions('message'),
    attachments: Evidence('message'),
    removal_reason: Nullable(
      Type.String({ description: 'Why a moderator has removed it: for its sender and for admins.' }),
    ),
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
    .select(['former', 'kept_files', 'kept_until', 'removal_reason'])
    .where('id', '=', id)
    .executeTakeFirst();
  const text = { body, writtenAt: sent_at, isDeleted: deletion !== null, former: edits?.former };
  const isRemoved = deletion === 'moderator';
  // Its sender reads what a moderator has removed.
  const versions = versionsFor(isRemoved ? 'admin' : reader, text);
  const files = isRemoved ? attachmentsOf(edits?.kept_files ?? [], at) : evidenceAt(at, edits);
  const removal_reason = textOrNull(edits?.removal_reason ?? null);
  return { message_id: id, versions, attachments: versions.length > 0 ? files : [], removal_reason };
};
