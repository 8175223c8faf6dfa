/** What somebody has set for themselves in a thread. Only they are told of it. */

import { type Static, Type } from '@sinclair/typebox';
import { chatPurpose } from '../../domain/chat/index.ts';
import { ThreadPreferences } from '../../domain/chat/threadMember.ts';
import { Nullable, Uuid } from '../../domain/core/schema.ts';
import { userChannel } from '../accounts/channels.ts';
import { readModel } from '../engine/readModel.ts';

const Row = Type.Object({
  thread_id: Uuid,
  account_id: Uuid,
  ...ThreadPreferences.properties,
  /** It is listed again once there is a message after this number; null: it is listed. */
  hidden_up_to: Nullable(Type.Integer()),
});
export type PreferencesRow = Static<typeof Row>;
type Key = Pick<PreferencesRow, 'thread_id' | 'account_id'>;

const keys = ({ data }: { readonly data: { readonly threadId: string; readonly accountId: string } }): Key[] => [
  { thread_id: data.threadId, account_id: data.accountId },
];
const ofKey = (row: PreferencesRow | undefined, key: Key): PreferencesRow =>
  row ?? { ...key, pinned: false, muted: false, archived: false, hidden_up_to: null };

export const threadPreferences = readModel('thread_preferences', {
  version: 1,
  row: Row,
  key: ['thread_id', 'account_id'],
  entity: 'chat_preferences',
  personalData: { whose: 'account_id', why: chatPurpose, retention: 'account', erased: 'deleted', seenBy: ['self'] },
  on: {
    ThreadPreferencesChanged: {
      keys,
      fold: (row, { data: { threadId, accountId, ...changes } }, key) => ({ ...ofKey(row, key), ...changes }),
    },
    ThreadHidden: { keys, fold: (row, { data }, key) => ({ ...ofKey(row, key), hidden_up_to: data.upToSeq }) },
    ThreadShown: { keys, fold: (row, _, key) => ({ ...ofKey(row, key), hidden_up_to: null }) },
  },
  indexes: ['account_id'],
  publishTo: [{ channel: userChannel, idsOf: ({ account_id }) => [account_id], audience: 'guest' }],
});
