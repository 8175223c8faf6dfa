/**
 * What somebody's list of chats is filtered and ordered by. It is apart from who is in a chat, so that a message tells nobody
 * more than before. A message between two people is written for both of them. One in a group is not, since it would be a
 * row for each member: lists look up the newest message of somebody's groups, and show the others in the order of an index.
 */
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { chatPurpose } from '../../domain/chat/index.ts';
import { type ThreadType, threadTypes } from '../../domain/chat/threadEvents.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type Page, type Paging, pageOfMerged } from '../engine/paging.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { messages } from './messages.ts';
import { threads } from './threads.ts';

const Row = Type.Object({
  thread_id: Uuid,
  account_id: Uuid,
  thread_type: OneOf(threadTypes),
  is_member: Type.Boolean(),
  pinned: Type.Boolean(),
  archived: Type.Boolean(),
  /** It is listed again once there is a message after this number; null: it is listed. */
  hidden_up_to: Nullable(Type.Integer()),
  /** Of the newest message; 0 without one, and in groups. */
  last_seq: Type.Integer(),
  /** When the newest message was sent; without one, and in groups, since when they are in it. */
  active_at: Instant,
  /** Whether it is in their list; in groups as far as the newest message does not matter. */
  is_listed: Type.Boolean(),
});
type Row = Static<typeof Row>;
type Key = Pick<Row, 'thread_id' | 'account_id'>;

const isHidden = ({ thread_type, hidden_up_to, last_seq }: Omit<Row, 'is_listed'>): boolean =>
  thread_type !== 'group' && hidden_up_to !== null && last_seq <= hidden_up_to;
const listed = (row: Omit<Row, 'is_listed'>): Row => ({ ...row, is_listed: row.is_member && !isHidden(row) });

const startedRow = (key: Key, thread_type: ThreadType, active_at: string): Row =>
  listed({
    ...{ ...key, thread_type, active_at, last_seq: 0 },
    ...{ is_member: true, pinned: false, archived: false, hidden_up_to: null },
  });

interface OfMember {
  readonly streamId: string;
  readonly data: { readonly accountId: string };
}
/** Their rows are gone once they are erased, while their chats go on. */
const changed =
  <E>(change: (row: Row, event: E) => Partial<Row>) =>
  (row: Row | undefined, event: E): Row | null =>
    row ? listed({ ...row, ...change(row, event) }) : null;
const memberOf = ({ streamId, data }: OfMember): Key[] => [{ thread_id: streamId, account_id: data.accountId }];
const ended = { keys: memberOf, fold: changed(() => ({ is_member: false })) };

interface OfOwn {
  readonly data: { readonly threadId: string; readonly accountId: string };
}
const ownOf = ({ data }: OfOwn): Key[] => [{ thread_id: data.threadId, account_id: data.accountId }];

export const chatActivity = readModel('chat_activity', {
  version: 1,
  row: Row,
  key: ['account_id', 'thread_id'],
  personalData: {
    whose: 'account_id',
    why: chatPurpose,
    retention: 'account',
    erased: 'deleted',
    seenBy: ['self'],
  },
  on: {
    ThreadStarted: {
      keys: ({ streamId, data }) => data.memberIds.map((id) => ({ thread_id: streamId, account_id: id })),
      fold: (_, { at, data }, key) => startedRow(key, data.type, at),
    },
    MemberAdded: {
      keys: memberOf,
      fold: (row, { at }, key) => (row ? listed({ ...row, is_member: true }) : startedRow(key, 'group', at)),
    },
    MemberLeft: ended,
    MemberRemoved: ended,
    MessageSent: {
      keys: ({ streamId, data }) => data.parties.map((id) => ({ thread_id: streamId, account_id: id })),
      fold: changed((_, { at, data }) => ({ last_seq: data.seq, active_at: at })),
    },
    ThreadPreferencesChanged: {
      keys: ownOf,
      fold: changed((row, { data: { pinned = row.pinned, archived = row.archived } }) => ({ pinned, archived })),
    },
    ThreadHidden: { keys: ownOf, fold: changed((_, { data }) => ({ hidden_up_to: data.upToSeq })) },
    ThreadShown: { keys: ownOf, fold: changed(() => ({ hidden_up_to: null })) },
  },
  indexes: ['account_id, is_listed, thread_type, archived, pinned desc, active_at desc, thread_id'],
});

export interface ListedChat {
  readonly id: string;
  readonly pinned: boolean;
  readonly active_at: string;
}
interface Asked {
  readonly types: readonly ThreadType[];
  /** `[false]`: those that are not archived. */
  readonly archived: readonly boolean[];
}

/** The chats of a member, without those that are hidden: pinned ones first, then by the newest message. */
export const listedChats = (
  db: ReadDb,
  accountId: string,
  { types, archived }: Asked,
  paging: Paging,
): Promise<Page<ListedChat>> => {
  const ofTwo = types.filter((type) => type !== 'group');
  /** @param limit how many of those between two people */
  const first = (limit: number) =>
    db
      .selectFrom(
        sql<ListedChat>`(
          select r.* from unnest(${ofTwo}::text[]) as t (thread_type)
          cross join unnest(${archived}::boolean[]) as a (archived)
          cross join lateral (
            select thread_id as id, pinned, active_at from ${tableOf(chatActivity)}
            where account_id = ${accountId}::uuid and is_listed and thread_type = t.thread_type and archived = a.archived
            order by pinned desc, active_at desc, thread_id limit ${limit}) as r
          union all
          select g.thread_id, g.pinned, coalesce(
            (select m.sent_at from ${tableOf(messages)} m where m.thread_id = g.thread_id order by m.seq desc limit 1),
            (select t.created_at from ${tableOf(threads)} t where t.id = g.thread_id))
          from ${tableOf(chatActivity)} g
          where g.account_id = ${accountId}::uuid and g.is_listed and g.thread_type = 'group'
            and 'group' = any(${types}::text[]) and g.archived = any(${archived}::boolean[])
            and (g.hidden_up_to is null or exists (
              select from ${tableOf(messages)} m where m.thread_id = g.thread_id and m.seq > g.hidden_up_to)))`.as(
          'own',
        ),
      )
      .selectAll()
      .orderBy(sql`pinned`, 'desc')
      .orderBy(sql`active_at`, 'desc')
      .orderBy(sql`id`);
  return pageOfMerged(db, first, paging);
};
