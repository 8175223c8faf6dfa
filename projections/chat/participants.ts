/** Who is in which thread, and up to where each has read it. The rows say who may subscribe to the thread's channel. */

import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { chatPurpose } from '../../domain/chat/index.ts';
import { p2pThreadName } from '../../domain/chat/thread.ts';
import { firstRole, memberRoles, type ThreadType, threadTypes } from '../../domain/chat/threadEvents.ts';
import { Instant, OneOf, Uuid } from '../../domain/core/schema.ts';
import { gatherBy } from '../../infra/gather.ts';
import { groupBy } from '../../infra/groupBy.ts';
import { derivedId } from '../../infra/ids.ts';
import { userChannel } from '../accounts/channels.ts';
import { DELETED_USER, type ShownName, shownNamesOf } from '../accounts/shortNames.ts';
import { isAnyOf, type ReadDb, tableOf, tables } from '../engine/readDb.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';
import { statement } from '../engine/statements.ts';
import { wireFormWith } from '../engine/wire.ts';
import { chatChannel } from './channels.ts';
import { chatPeople, threads } from './threads.ts';

const MemberFields = {
  account_id: Uuid,
  role: OneOf(memberRoles),
  joined_at: Instant,
  joined_seq: Type.Integer({ description: 'Messages up to this number were sent before they joined.' }),
  last_read_seq: Type.Integer({
    description:
      'They have read everything up to this number. Of the other person it is 0 while one of the two has blocked the other.',
  }),
};
const Columns = {
  thread_id: Uuid,
  ...MemberFields,
  thread_type: OneOf(threadTypes),
};
/** A member, as all members of the chat see them. */
export const ChatParticipant = Type.Object(
  {
    ...Columns,
    name: Type.String({
      description: `First and last name once they have written in the chat, and between friends; \`Anna O.\` before; \`${DELETED_USER}\` once the account is erased.`,
    }),
  },
  { $id: 'ChatParticipant' },
);
export type ChatParticipant = Static<typeof ChatParticipant>;

const Row = Type.Object({
  ...Columns,
  /** Whether the others see the full name: they have written here, or the two of a p2p thread are friends. */
  has_written: Type.Boolean(),
  is_friend: Type.Boolean(),
  /** False after they have left or were removed. */
  is_member: Type.Boolean(),
  /** How many blocks there are between the two people of a p2p thread. */
  blocks: Type.Integer(),
});
type Row = Static<typeof Row>;

interface OfMember {
  readonly streamId: string;
  readonly data: { readonly accountId: string };
}
interface OfPair {
  readonly data: { readonly by: string; readonly other: string };
}
/** What changes between two people. They may have no thread. */
const between = (change: (row: Row) => Partial<Row>) => ({
  keys: ({ data: { by, other } }: OfPair) =>
    [by, other].map((account_id) => ({ thread_id: derivedId(...p2pThreadName(by, other)), account_id })),
  fold: (row: Row | undefined) => (row ? { ...row, ...change(row) } : null),
});
const NO_FRIEND = { is_friend: false };

/** The name that the other members see. */
export const memberName = (
  { has_written, is_friend }: Pick<Row, 'has_written' | 'is_friend'>,
  { full, short }: ShownName,
): string => (has_written || is_friend ? full : short);

const wire = wireFormWith({
  schema: ChatParticipant,
  make: (row: Row) => row,
  overlay: {
    fields: ['name'],
    needs: ['account_id', 'has_written', 'is_friend'],
    read: async (db, rows) => {
      const ids = rows.map(({ account_id }) => account_id);
      const nameOf = await shownNamesOf(db, chatPeople, ids);
      return (row) => ({ name: memberName(row, nameOf(row.account_id)) });
    },
  },
});

/** An event of the thread about one of its members. */
const memberOf = ({ streamId, data }: OfMember) => [{ thread_id: streamId, account_id: data.accountId }];

export const participants = readModel('participants', {
  version: 3,
  row: Row,
  key: ['thread_id', 'account_id'],
  // A person may see in which threads they are.
  personalData: {
    whose: 'account_id',
    why: chatPurpose,
    retention: { always: 'with whom the others talked, by id' },
    seenBy: ['self', 'members', 'admins'],
  },
  wire,
  on: {
    ThreadStarted: {
      keys: ({ streamId, data }) => data.memberIds.map((id) => ({ thread_id: streamId, account_id: id })),
      fold: (_, { at, data: { type, startedBy, areFriends = false } }, { thread_id, account_id }) => ({
        thread_id,
        account_id,
        role: firstRole(type, account_id, startedBy),
        joined_at: at,
        joined_seq: 0,
        last_read_seq: 0,
        thread_type: type,
        has_written: false,
        is_friend: areFriends,
        is_member: true,
        blocks: 0,
      }),
    },
    MemberAdded: {
      keys: memberOf,
      fold: (row, { at, data: { afterSeq } }, { thread_id, account_id }) => ({
        thread_id,
        account_id,
        role: 'member' as const,
        joined_at: at,
        joined_seq: afterSeq,
        last_read_seq: afterSeq,
        thread_type: 'group' as const,
        has_written: row?.has_written ?? false,
        is_friend: false,
        is_member: true,
        blocks: 0,
      }),
    },
    MemberLeft: { keys: memberOf, fold: (row) => ({ ...existing(row), is_member: false }) },
    MemberRemoved: { keys: memberOf, fold: (row) => ({ ...existing(row), is_member: false }) },
    MemberRoleChanged: { keys: memberOf, fold: (row, { data: { role } }) => ({ ...existing(row), role }) },
    ThreadRead: {
      keys: ({ data }) => [{ thread_id: data.threadId, account_id: data.accountId }],
      fold: (row, { data: { upToSeq } }) => {
        const { last_read_seq, ...others } = existing(row);
        return { ...others, last_read_seq: Math.max(last_read_seq, upToSeq) };
      },
    },
    /** Who writes has read what was written before. Agents of the support write without being members. */
    MessageSent: {
      keys: ({ streamId, data }) => [{ thread_id: streamId, account_id: data.senderId }],
      fold: (row, { data: { seq } }) =>
        row ? { ...row, has_written: true, last_read_seq: Math.max(row.last_read_seq, seq) } : null,
    },
    FriendAccepted: between(() => ({ is_friend: true })),
    FriendRemoved: between(() => NO_FRIEND),
    PersonBlocked: between(({ blocks }) => ({ ...NO_FRIEND, blocks: blocks + 1 })),
    PersonUnblocked: between(({ blocks }) => ({ blocks: Math.max(0, blocks - 1) })),
  },
  indexes: ['account_id, thread_id'],
  publishTo: [
    {
      channel: chatChannel,
      idsOf: ({ is_member, thread_id }) => (is_member ? [thread_id] : []),
      audience: 'guest',
      memberOf: ({ is_member, blocks, account_id }) => (is_member && blocks === 0 ? account_id : null),
    },
    {
      channel: userChannel,
      idsOf: ({ is_member, account_id }) => (is_member ? [account_id] : []),
      audience: 'guest',
    },
  ],
});
type ParticipantRow = RowOf<typeof participants>;

/** A member of a thread, and which of its messages they have read. */
export type Reader = Pick<ParticipantRow, 'thread_id' | 'account_id' | 'joined_seq' | 'last_read_seq'>;

const readersFrom = statement((db, { ids, oldest }: { readonly ids: readonly string[]; readonly oldest: number }) =>
  tables(db, participants)
    .selectFrom('participants')
    .select(['thread_id', 'account_id', 'joined_seq', 'last_read_seq'])
    .where(isAnyOf('thread_id', ids))
    .where('is_member', '=', true)
    .where('blocks', '=', 0)
    .where('last_read_seq', '>=', oldest),
);

/**
 * Thread → its members who may have read one of these messages, nobody while one of two people has blocked the other. A new
 * message, which nobody has read, costs no row, however many members its thread has.
 */
export const readersOf = async (
  db: ReadDb,
  messages: readonly { readonly thread_id: string; readonly seq: number }[],
): Promise<ReadonlyMap<string, readonly Reader[]>> => {
  const ids = [...new Set(messages.map(({ thread_id }) => thread_id))];
  const rows = await readersFrom(db, { ids, oldest: Math.min(...messages.map(({ seq }) => seq)) });
  return groupBy(rows, ({ thread_id }) => thread_id);
};

/** What somebody had read of a thread that they have left or were removed from; undefined: they have not. */
export const formerMember = (
  db: ReadDb,
  threadId: string,
  accountId: string,
): Promise<Pick<ParticipantRow, 'joined_seq' | 'last_read_seq'> | undefined> =>
  tables(db, participants)
    .selectFrom('participants')
    .select(['joined_seq', 'last_read_seq'])
    .where('thread_id', '=', threadId)
    .where('account_id', '=', accountId)
    .where('is_member', '=', false)
    .executeTakeFirst();

interface Asking {
  readonly accountId: string;
  readonly role: string;
}

/**
 * What gives somebody access to a thread: their row, or the thread itself; undefined: nothing does. After a restart of a
 * hub everybody asks at once: they share a statement.
 */
const accessOf = gatherBy(async (db: ReadDb, asked: readonly (Asking & { readonly threadId: string })[]) => {
  const { rows } = await sql<{ type: ThreadType | null; blocks: number | null }>`
    select t.type, p.blocks
    from unnest(${asked.map(({ threadId }) => threadId)}::uuid[], ${asked.map(({ accountId }) => accountId)}::uuid[])
      with ordinality as a (thread_id, account_id, n)
    left join ${tableOf(threads)} t on t.id = a.thread_id
    left join ${tableOf(participants)} p on p.thread_id = t.id and p.account_id = a.account_id and p.is_member
    order by a.n`.execute(db);
  return rows.map(({ type, blocks }, n) => {
    if (blocks !== null) return { blocks };
    return type === 'support' && asked[n]?.role === 'admin' ? { blocks: 0 } : undefined;
  });
}, 200);

/** Whether somebody may read a thread: its members, and admins where it is a support thread. */
export const mayRead = async (db: ReadDb, threadId: string, who: Asking): Promise<boolean> =>
  (await accessOf(db, { ...who, threadId })) !== undefined;

/**
 * Whether somebody may follow a thread live, where people see who is there and who types: readers, but not while one of
 * two people has blocked the other.
 */
export const mayFollow = async (db: ReadDb, threadId: string, who: Asking): Promise<boolean> =>
  (await accessOf(db, { ...who, threadId }))?.blocks === 0;
