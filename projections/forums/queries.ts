/** Lists of topics, and how often somebody is reported. */
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { Nullable } from '../../domain/core/schema.ts';
import { UNREAD_COUNTED } from '../../domain/core/unread.ts';
import { type JsonText, withFields } from '../../infra/jsonText.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, rowColumns, tableOf, tables } from '../engine/readDb.ts';
import { formsOf } from '../engine/replies.ts';
import { reports } from '../reports/reports.ts';
import { topicActivity } from './activity.ts';
import { forumPosts } from './posts.ts';
import { readingsOf } from './readers.ts';
import { ForumTopic, forumTopics, type TopicRow } from './topics.ts';

/** A topic with what the caller has read of it. */
export const SeenTopic = Type.Object(
  {
    ...ForumTopic.properties,
    last_read_seq: Nullable(
      Type.Integer({ description: 'The caller has read everything up to this number; null: never opened it.' }),
    ),
    unread_count: Nullable(
      Type.Integer({
        maximum: UNREAD_COUNTED,
        description: `Posts of others after that, counted up to ${UNREAD_COUNTED}; null: the caller has never opened the topic.`,
      }),
    ),
  },
  { $id: 'ForumTopicSeen' },
);
export type SeenTopic = Static<typeof SeenTopic>;

/** Topics as replies. @param readerId undefined: nobody in particular */
export const showTopics = async (
  db: ReadDb,
  rows: readonly TopicRow[],
  readerId: string | undefined,
): Promise<JsonText<SeenTopic>[]> => {
  const ids = rows.map(({ id }) => id);
  const [formFor, readings] = await Promise.all([
    formsOf(db, forumTopics, rows, ['guest']),
    readerId === undefined ? undefined : readingsOf(db, readerId, ids),
  ]);
  return rows.map((row) => {
    const { last_read_seq = null, unread_count = null } = readings?.get(row.id) ?? {};
    return withFields(formFor(row, 'guest') as JsonText<ForumTopic>, { last_read_seq, unread_count });
  });
};

/** A topic that was just started, as its author sees it. */
export const newTopic = (row: TopicRow, author: string): SeenTopic =>
  ({
    ...forumTopics.wire.of(row, 'guest'),
    ...{ author, last_seq: 1, last_post_at: row.created_at, last_read_seq: 1, unread_count: 0 },
  }) as SeenTopic;

/** Pinned ones first, then by the newest post. */
export const listTopics = (
  db: ReadDb,
  { categoryId, ...paging }: Paging & { readonly categoryId: string },
): Promise<Page<TopicRow>> =>
  pageOf(
    db,
    tables(db, forumTopics, topicActivity)
      .selectFrom('forum_activity as a')
      .innerJoin('forum_topics as t', 't.id', 'a.id')
      .select(rowColumns(forumTopics).map((column) => `t.${column}` as const))
      .where('a.category_id', '=', categoryId)
      .where('a.status', '=', 'open')
      .orderBy('a.pinned', 'desc')
      .orderBy('a.last_post_at', 'desc')
      .orderBy('a.id'),
    paging,
  );

/** The kind of reports of posts. */
export const REPORTED = 'forum_post';
const REPORTED_MS = 30 * DAY_MS;

/** How many people have reported posts of somebody in the last 30 days. Reports that an admin has dismissed do not count. */
export const reportersOf = async (db: ReadDb, accountId: string, at: string): Promise<number> => {
  const since = addMs(at, -REPORTED_MS);
  const { rows } = await sql<{ people: number }>`
    select count(distinct r.reporter_id)::int as people from ${tableOf(reports)} r
    join ${tableOf(forumPosts)} p on p.id = r.subject_id
    where r.subject_kind = ${REPORTED} and r.created_at > ${since}::timestamptz
      and r.action is distinct from 'dismissed' and p.author_id = ${accountId}::uuid`.execute(db);
  return rows[0]?.people ?? 0;
};
