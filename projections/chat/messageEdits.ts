/** The former texts of edited messages, and what is kept of deleted and removed ones. */

import { type Static, Type } from '@sinclair/typebox';
import { chatPurpose } from '../../domain/chat/index.ts';
import { Nullable, textOrNull, Uuid } from '../../domain/core/schema.ts';
import { toSnake } from '../../infra/naming.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import {
  afterDeletion,
  Evidence,
  History,
  historyFor,
  NO_FILES,
  TextVersions,
  withFormer,
} from '../reports/textHistory.ts';
import type { MessageRow } from './messages.ts';

const Row = Type.Object({
  /** Of the message. */
  id: Uuid,
  sender_id: Uuid,
  ...History,
  /** Gone, and kept for those who judge. */
  is_kept: Type.Boolean(),
  /** Why a moderator has removed it. */
  removal_reason: Nullable(Type.String()),
});
type Row = Static<typeof Row>;

export const messageEdits = readModel('message_edits', {
  version: 3,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'sender_id',
    texts: ['former.*.body', 'removal_reason'],
    why: chatPurpose,
    retention: 'account',
    seenBy: ['self', 'admins'],
  },
  on: {
    MessageEdited: (row: Row | undefined, { streamId: id, at, data: { senderId: sender_id, formerBody } }) => ({
      ...{ id, sender_id, is_kept: false, removal_reason: null },
      ...withFormer(row, formerBody, at),
    }),
    MessageDeleted: (row, { streamId: id, at, data: { senderId: sender_id, ...left } }) => {
      const history = afterDeletion(row, left, at);
      return history && { id, sender_id, ...history, is_kept: true, removal_reason: null };
    },
    // Its files stay where they are, until the evidence ends.
    MessageRemoved: (row, { streamId: id, at, data: { senderId: sender_id, formerBody, keptFiles = [], reason } }) =>
      formerBody === undefined
        ? null
        : {
            ...{ id, sender_id, is_kept: true, removal_reason: reason ?? null },
            ...{ ...withFormer(row, formerBody, at), kept_files: toSnake(keptFiles) },
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
  const gone = deletion === 'author' ? 'deleted' : deletion && 'removed';
  const { versions, files } = historyFor(reader, { body, writtenAt: sent_at, gone }, edits, at);
  return { message_id: id, versions, attachments: files, removal_reason: textOrNull(edits?.removal_reason ?? null) };
};
