/** The search of posts. */
import { type Static, Type } from '@sinclair/typebox';
import { type RawBuilder, sql } from 'kysely';
import { wordsIn } from '../../domain/core/folded.ts';
import { type JsonText, withFields } from '../../infra/jsonText.ts';
import { exactly, type Total, windowOf } from '../../infra/paging.ts';
import { and, hasWords } from '../catalog/sql.ts';
import type { Page, Paging } from '../engine/paging.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { topicActivity } from './activity.ts';
import { everLonger, inPeriods } from './periods.ts';
import { ForumPost, forumPosts, postsByIds, readable, showPosts } from './posts.ts';
import { ForumTopic, forumTopics, topicsByIds } from './topics.ts';

/** A post that was found, with the title of its topic. */
export const FoundPost = Type.Object(
  { ...ForumPost.properties, topic_title: ForumTopic.properties.title },
  { $id: 'ForumPostFound' },
);

/** Of words that are in no more posts and titles than this, all are looked at. */
const FEW = 500;
/** Of others, no more are looked at than those of the last period with which this many have been. */
const ENOUGH = 5_000;

interface Asked {
  readonly q: string;
  readonly categoryId?: string | undefined;
}

/** Whether few posts and titles have the words. */
const areFew = async (db: ReadDb, { q }: Asked): Promise<boolean> => {
  const { rows } = await sql<{ hits: number }>`select count(*)::int as hits from (
    (select from ${tableOf(forumPosts)} where ${hasWords('folded_body', q)} limit ${FEW + 1})
    union all (select from ${tableOf(forumTopics)} where ${hasWords('folded_title', q)} limit ${FEW + 1})) as h`.execute(
    db,
  );
  return (rows[0]?.hits ?? 0) <= FEW;
};

interface Found {
  /** Of the page. */
  readonly ids: readonly string[];
  /** How many are shown on all pages. */
  readonly found: number;
  /** How many have the words, whether they are shown or not. */
  readonly looked: number;
}

/** Posts with the words, and posts that begin a topic whose title has them, of these periods. */
const findIn = async (
  db: ReadDb,
  { q, categoryId }: Asked,
  periods: readonly string[] | undefined,
  paging: Paging,
): Promise<Found> => {
  const within = (column: string): RawBuilder<unknown> | false =>
    periods !== undefined && sql`${sql.raw(inPeriods(column))} && ${periods}::text[]`;
  const { limit, offset } = windowOf(paging);
  // Each half uses its index, which a condition with `or` would not.
  const { rows } = await sql<Found>`
    with hits as materialized (
      select id, topic_id, created_at, ${sql.raw(readable('p'))} as is_readable from ${tableOf(forumPosts)} p
      where ${and([hasWords('folded_body', q), within('posted_in')])}
      union
      select p.id, p.topic_id, p.created_at, ${sql.raw(readable('p'))} from ${tableOf(forumTopics)} t
      join ${tableOf(forumPosts)} p on p.topic_id = t.id and p.seq = 1
      where ${and([hasWords('t.folded_title', q), within('t.started_in')])}
    ), shown as materialized (
      select h.id, h.created_at from hits h join ${tableOf(topicActivity)} a on a.id = h.topic_id
      where ${and([sql`h.is_readable`, sql`a.status = 'open'`, categoryId !== undefined && sql`a.category_id = ${categoryId}::uuid`])}
    )
    select array(select id from shown order by created_at desc, id limit ${limit} offset ${offset}) as ids,
      (select count(*)::int from shown) as found, (select count(*)::int from hits) as looked`.execute(db);
  return rows[0] as Found;
};

/** The ids of a page: what it costs depends on what it shows, however many posts have the words. */
const findPage = async (
  db: ReadDb,
  asked: Asked,
  at: string,
  paging: Paging,
): Promise<{ readonly ids: readonly string[]; readonly total: Total }> => {
  if (wordsIn(asked.q).length === 0) return { ids: [], total: exactly(0) };
  const needed = paging.page * paging.perPage;
  for (const periods of (await areFew(db, asked)) ? [undefined] : everLonger(at)) {
    const { ids, found, looked } = await findIn(db, asked, periods, paging);
    if (periods === undefined) return { ids, total: exactly(found) };
    // One more than the page needs: there is certainly more than the others.
    if (found > needed) return { ids, total: { count: found - 1, isAtLeast: true } };
    if (looked >= ENOUGH) return { ids, total: exactly(found) };
  }
  throw new Error('the last of the periods is all time');
};

/** Posts that have all of these words, or begin a topic whose title has them; the newest first. @param of.at now */
export const searchPosts = async (
  db: ReadDb,
  { q, categoryId, at, ...paging }: Paging & Asked & { readonly at: string },
): Promise<Page<JsonText<Static<typeof FoundPost>>>> => {
  const { ids, total } = await findPage(db, { q, categoryId }, at, paging);
  const posts = await postsByIds(db, ids);
  const [forms, topics] = await Promise.all([
    showPosts(db, posts, 'guest'),
    topicsByIds(
      db,
      posts.map(({ topic_id }) => topic_id),
    ),
  ]);
  const shown = forms.map((form, n) => {
    const row = topics.get(posts[n]?.topic_id ?? '');
    const { title } = row ? (forumTopics.wire.of(row, 'guest') as { title: string | null }) : { title: null };
    return withFields(form, { topic_title: title });
  });
  return { rows: shown, total };
};
