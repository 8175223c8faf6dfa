/** Threads: what stays the same while messages come. */

import { type Static, Type } from '@sinclair/typebox';
import { chatPurpose } from '../../domain/chat/index.ts';
import { threadTypes } from '../../domain/chat/threadEvents.ts';
import { Instant, Nullable, OneOf, textOrNull, Uuid } from '../../domain/core/schema.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { namesOfAccounts } from '../accounts/shortNames.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { wireForm } from '../engine/wire.ts';
import { chatChannel } from './channels.ts';

export const ThreadFields = {
  id: Uuid,
  type: OneOf(threadTypes),
  title: Nullable(Type.String({ description: 'Of a group.' })),
  created_by: Uuid,
  created_at: Instant,
};
const Row = Type.Object({
  ...ThreadFields,
  /** Who has given the title. */
  titled_by: Uuid,
});

export const threads = readModel('threads', {
  version: 1,
  row: Row,
  key: 'id',
  entity: 'chat',
  wire: wireForm(Type.Object(ThreadFields), (row: Static<typeof Row>) => ({
    ...row,
    title: textOrNull(row.title),
  })),
  personalData: {
    whose: 'titled_by',
    texts: ['title'],
    others: { created_by: keptBecause.with },
    why: chatPurpose,
    retention: 'account',
    seenBy: ['self', 'members', 'admins'],
  },
  on: {
    ThreadStarted: (_, { streamId: id, at, data: { type, title, startedBy } }) => ({
      id,
      type,
      title,
      titled_by: startedBy,
      created_by: startedBy,
      created_at: at,
    }),
    ThreadRenamed: (row, { data: { title, by } }) => ({ ...existing(row), title, titled_by: by }),
  },
  indexes: ['titled_by'],
  publishTo: [{ channel: chatChannel, idsOf: ({ id }) => [id], audience: 'guest' }],
});

/** Under which names those who write in chats are shown: as their accounts say now. */
export const chatPeople = namesOfAccounts('chat_people', chatPurpose);
