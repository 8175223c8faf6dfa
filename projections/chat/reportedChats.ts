/** Chats as admins see them once somebody has reported them: who is in them, and nothing of what was written. */
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { textOrNull, Uuid } from '../../domain/core/schema.ts';
import { groupBy } from '../../infra/groupBy.ts';
import { DELETED_USER, shownNamesOf } from '../accounts/shortNames.ts';
import { isAnyOf, type ReadDb, tableOf, tables } from '../engine/readDb.ts';
import { participants } from './participants.ts';
import { chatPeople, ThreadFields, threads } from './threads.ts';

/** People who are listed with a chat: a page of reports has up to 100 chats. */
const LISTED = 50;

export const ReportedChat = Type.Object(
  {
    ...ThreadFields,
    people: Type.Array(
      Type.Object({
        account_id: Uuid,
        name: Type.String({ description: `First and last name; \`${DELETED_USER}\` once the account is erased.` }),
        is_member: Type.Boolean({ description: 'false: they have left or were removed.' }),
      }),
      { description: `At most ${LISTED}: members in the order in which they joined, then who has left.` },
    ),
    people_count: Type.Integer({ description: 'How many people are or were in it.' }),
  },
  { $id: 'ReportedChat' },
);
export type ReportedChat = Static<typeof ReportedChat>;

interface Line {
  readonly thread_id: string;
  readonly account_id: string;
  readonly is_member: boolean;
  readonly people: number;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** Those of the chats that exist. */
export const reportedChats = async (db: ReadDb, ids: readonly string[]): Promise<ReportedChat[]> => {
  const found = await tables(db, threads)
    .selectFrom('threads')
    .select(['id', 'type', 'title', 'created_by', 'created_at'])
    .where(isAnyOf('id', ids))
    .execute();
  if (found.length === 0) return [];
  const { rows } = await sql<Line>`
    select n.thread_id, n.account_id, n.is_member, n.people
    from (
      select p.*, row_number() over w as nth, count(*) over (partition by thread_id) as people
      from ${tableOf(participants)} p where thread_id = any(${found.map(({ id }) => id)}::uuid[])
      window w as (partition by thread_id order by is_member desc, joined_at, account_id)
    ) n
    where n.nth <= ${LISTED} order by n.thread_id, n.nth`.execute(db);
  const nameOf = await shownNamesOf(
    db,
    chatPeople,
    rows.map(({ account_id }) => account_id),
  );
  const lines = groupBy(rows, ({ thread_id }) => thread_id);
  return found.map(({ title, ...chat }) => {
    const people = lines.get(chat.id) ?? [];
    return {
      ...chat,
      title: textOrNull(title),
      people: people.map(({ account_id, is_member }) => ({ account_id, name: nameOf(account_id).full, is_member })),
      people_count: people[0]?.people ?? 0,
    };
  });
};
