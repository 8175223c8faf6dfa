/**
 * Threads as one person sees them: with members, unread messages and the newest message. Unread messages are counted when
 * they are asked for, from what exists: a count that is kept goes wrong when messages are deleted.
 */
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { firstRole, type ThreadType, threadTypes } from '../../domain/chat/threadEvents.ts';
import { ThreadPreferences } from '../../domain/chat/threadMember.ts';
import { ERASED, Instant, Nullable, textOrNull } from '../../domain/core/schema.ts';
import { UNREAD_COUNTED } from '../../domain/core/unread.ts';
import { groupBy } from '../../infra/groupBy.ts';
import { type JsonText, objectText } from '../../infra/jsonText.ts';
import { accounts } from '../accounts/accounts.ts';
import { shownNamesOf } from '../accounts/shortNames.ts';
import type { Page, Paging } from '../engine/paging.ts';
import { isAnyOf, type ReadDb, tableOf, tables } from '../engine/readDb.ts';
import { listedChats } from './chatActivity.ts';
import { Message, messages, messagesByIds, showMessages } from './messages.ts';
import { ChatParticipant, memberName, participants } from './participants.ts';
import { threadPreferences } from './preferences.ts';
import { chatPeople, ThreadFields, threads } from './threads.ts';

/** Members who are listed with a chat in a list of chats. */
const LISTED_MEMBERS = 10;

/** What is unread in a chat: also told live (`badges.ts`). */
export const UnreadFields = {
  last_seq: Type.Integer({ description: 'The number of the newest message; 0: none.' }),
  unread_count: Type.Integer({
    maximum: UNREAD_COUNTED,
    description: `Messages of others that exist and were not read, counted up to ${UNREAD_COUNTED}.`,
  }),
};

export const Chat = Type.Object(
  {
    ...ThreadFields,
    participants: Type.Array(ChatParticipant, {
      description: `In the order in which they joined. Lists show at most ${LISTED_MEMBERS}.`,
    }),
    participants_count: Type.Integer(),
    last_seq: UnreadFields.last_seq,
    active_at: Instant,
    last_message: Nullable(Message),
    unread_count: UnreadFields.unread_count,
    mention_count: Type.Integer({
      description: 'Of the unread messages that are counted, those that mention the user.',
    }),
    ...ThreadPreferences.properties,
  },
  { $id: 'Chat' },
);
export type Chat = Static<typeof Chat>;

/** Threads, each with what belongs to one person. */
const seenBy = (db: ReadDb, accountId: string) => {
  return tables(db, threads, participants, threadPreferences, messages)
    .selectFrom('threads as t')
    .leftJoin('participants as p', (on) =>
      on.onRef('p.thread_id', '=', 't.id').on('p.account_id', '=', accountId).on('p.is_member', '=', true),
    )
    .leftJoin('thread_preferences as f', (on) =>
      on.onRef('f.thread_id', '=', 't.id').on('f.account_id', '=', accountId),
    )
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('messages as m')
          .select(['m.id', 'm.seq', 'm.sent_at'])
          .whereRef('m.thread_id', '=', 't.id')
          .orderBy('m.seq', 'desc')
          .limit(1)
          .as('newest'),
      (on) => on.onTrue(),
    )
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom((unread) =>
            unread
              .selectFrom('messages as m')
              .select('m.mentions')
              .whereRef('m.thread_id', '=', 't.id')
              .whereRef('m.seq', '>', 'p.last_read_seq')
              .whereRef('m.sender_id', '<>', 'p.account_id')
              .where('m.deletion', 'is', null)
              .where('m.body', '<>', ERASED)
              .orderBy('m.seq', 'desc')
              .limit(UNREAD_COUNTED)
              .as('one'),
          )
          .select([
            sql<number>`count(*)::int`.as('messages'),
            sql<number>`(count(*) filter (where ${accountId}::uuid = any(mentions)))::int`.as('mentions'),
          ])
          .as('unread'),
      (on) => on.onTrue(),
    )
    .select(['t.id', 't.type', 't.title', 't.created_by', 't.created_at', 'newest.id as newest_id'])
    .select([
      sql<number>`coalesce(newest.seq, 0)`.as('last_seq'),
      sql<string>`coalesce(newest.sent_at, t.created_at)`.as('active_at'),
      sql<boolean>`coalesce(f.pinned, false)`.as('pinned'),
      sql<boolean>`coalesce(f.muted, false)`.as('muted'),
      sql<boolean>`coalesce(f.archived, false)`.as('archived'),
      sql<number>`coalesce(unread.messages, 0)`.as('unread_count'),
      sql<number>`coalesce(unread.mentions, 0)`.as('mention_count'),
    ]);
};
type Seen = Awaited<ReturnType<ReturnType<typeof seenBy>['execute']>>[number];

interface MemberLine extends ChatParticipant {
  readonly all_members: number;
}
interface FoundLine extends Omit<MemberLine, 'name'> {
  readonly has_written: boolean;
  readonly is_friend: boolean;
}

/** The first members of each thread, as one of them sees them. */
const linesOf = async (
  db: ReadDb,
  ids: readonly string[],
  { accountId, most }: { readonly accountId: string; readonly most: number },
): Promise<Map<string, MemberLine[]>> => {
  const { rows } = await sql<FoundLine>`
    select n.thread_id, n.account_id, n.role, n.joined_at, n.joined_seq, n.all_members,
      case when n.blocks = 0 or n.account_id = ${accountId} then n.last_read_seq else 0 end as last_read_seq,
      n.thread_type, n.has_written, n.is_friend
    from (
      select p.*, row_number() over w as nth, count(*) over (partition by thread_id) as all_members
      from ${tableOf(participants)} p where thread_id = any(${ids}::uuid[]) and is_member
      window w as (partition by thread_id order by joined_at, account_id)
    ) n where n.nth <= ${most} order by n.thread_id, n.nth`.execute(db);
  const nameOf = await shownNamesOf(
    db,
    chatPeople,
    rows.map(({ account_id }) => account_id),
  );
  const named = rows.map(({ has_written, is_friend, ...line }) => ({
    ...line,
    name: memberName({ has_written, is_friend }, nameOf(line.account_id)),
  }));
  return groupBy(named, ({ thread_id }) => thread_id);
};

/** Id → message, as a reply. */
const newestOf = async (db: ReadDb, seen: readonly Seen[]): Promise<Map<string, JsonText<Message>>> => {
  const rows = await messagesByIds(
    db,
    seen.flatMap(({ newest_id }) => newest_id ?? []),
  );
  const forms = await showMessages(db, rows);
  return new Map(rows.map(({ id }, n) => [id, forms[n] as JsonText<Message>]));
};

const shown = async (
  db: ReadDb,
  seen: readonly Seen[],
  of: { readonly accountId: string; readonly most: number },
): Promise<JsonText<Chat>[]> => {
  if (seen.length === 0) return [];
  const [lines, newest] = await Promise.all([
    linesOf(
      db,
      seen.map(({ id }) => id),
      of,
    ),
    newestOf(db, seen),
  ]);
  return seen.map(({ title, newest_id, ...one }) => {
    const those = lines.get(one.id) ?? [];
    return objectText<Chat>({
      ...one,
      title: textOrNull(title),
      participants: those.map(({ all_members, ...member }) => member),
      participants_count: those[0]?.all_members ?? 0,
      last_message: (newest_id && newest.get(newest_id)) || null,
    });
  });
};

/** The chats of a member: pinned ones first, then by the newest message. Hidden ones are left out. */
export const listChats = async (
  db: ReadDb,
  accountId: string,
  { type, archived, ...paging }: Paging & { type?: ThreadType | undefined; archived?: boolean | undefined },
): Promise<Page<JsonText<Chat>>> => {
  const asked = { types: type ? [type] : threadTypes, archived: archived === undefined ? [false, true] : [archived] };
  const { rows, total } = await listedChats(db, accountId, asked, paging);
  const ids = rows.map(({ id }) => id);
  const seen = await seenBy(db, accountId).where(isAnyOf('t.id', ids)).where('p.is_member', '=', true).execute();
  const byId = new Map(seen.map((one) => [one.id, one]));
  return {
    rows: await shown(
      db,
      ids.flatMap((id) => byId.get(id) ?? []),
      { accountId, most: LISTED_MEMBERS },
    ),
    total,
  };
};

/** A chat with all its members; undefined when this person may not see it. */
export const chatFor = async (
  db: ReadDb,
  id: string,
  { accountId, role }: { readonly accountId: string; readonly role: string },
): Promise<JsonText<Chat> | undefined> => {
  const found = await seenBy(db, accountId)
    .where('t.id', '=', id)
    .where(({ or, eb }) =>
      or([eb('p.is_member', '=', true), ...(role === 'admin' ? [eb('t.type', '=', 'support' as const)] : [])]),
    )
    .execute();
  return (await shown(db, found, { accountId, most: Number.MAX_SAFE_INTEGER }))[0];
};

/** A chat that was just started and has no message, as its members see it. */
export const newChat = async (
  db: ReadDb,
  facts: Pick<Chat, 'id' | 'type' | 'title' | 'created_by' | 'created_at'>,
  memberIds: readonly string[],
  areFriends = false,
): Promise<Chat> => {
  const nameOf = await shownNamesOf(db, accounts, memberIds);
  const { id: thread_id, created_by, created_at: joined_at, type } = facts;
  return {
    ...facts,
    participants: memberIds.map((account_id) => ({
      thread_id,
      thread_type: type,
      account_id,
      name: memberName({ has_written: false, is_friend: areFriends }, nameOf(account_id)),
      role: firstRole(type, account_id, created_by),
      joined_at,
      joined_seq: 0,
      last_read_seq: 0,
    })),
    participants_count: memberIds.length,
    last_seq: 0,
    active_at: joined_at,
    last_message: null,
    unread_count: 0,
    mention_count: 0,
    pinned: false,
    muted: false,
    archived: false,
  };
};
