/**
 * Ranks. Equal scores share one, and the next rank is as many further as share it: 1, 2, 2, 4. People of one rank are in the
 * order of their ids, which says nothing. No query visits more rows than it returns, but for one bucket.
 */
import { type RawBuilder, sql } from 'kysely';
import { bucketOf, lowestOf, type Metric } from '../../domain/leaderboards/score.ts';
import { exactly, type Page, type Paging, windowOf } from '../../infra/paging.ts';
import { isAnyOf, type ReadDb, tableOf } from '../engine/readDb.ts';
import { leaderboardBuckets } from './buckets.ts';
import { columnOf, leaderboardScores, type ScoreRow } from './scores.ts';

/** A board in one of its orders. */
export interface Order {
  readonly board: string;
  readonly metric: Metric;
}
export type Ranked = ScoreRow & { readonly rank: number };

const scoreOf = (row: ScoreRow, { metric }: Order): number => row[columnOf[metric]];

/** The ranks of scores: one more than the people who have more. */
const ranksOf = async (
  db: ReadDb,
  { board, metric }: Order,
  scores: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const column = sql.ref(columnOf[metric]);
  const buckets = scores.map(bucketOf);
  const ends = buckets.map((bucket) => lowestOf(bucket + 1));
  const { rows } = await sql<{ score: number; rank: number }>`
    select score, (
      1 + (select coalesce(sum(people), 0) from ${tableOf(leaderboardBuckets)}
           where board = ${board} and metric = ${metric} and bucket > of.bucket)
      + (select count(*) from ${tableOf(leaderboardScores)}
         where board = ${board} and ${column} > of.score and ${column} < of.ends)
    )::int as rank
    from unnest(${scores}::int[], ${buckets}::int[], ${ends}::int[]) as of (score, bucket, ends)`.execute(db);
  return new Map(rows.map(({ score, rank }) => [score, rank]));
};

/** Gives ranks to rows that follow each other from a position on. @param first the rank of the first of them */
const ranked = (rows: readonly ScoreRow[], order: Order, first: number, position: number): Ranked[] => {
  let rank = first;
  return rows.map((row, index) => {
    const previous = rows[index - 1];
    if (previous && scoreOf(previous, order) !== scoreOf(row, order)) rank = position + index;
    return { ...row, rank };
  });
};

/** One page of a board, and how many people it shows. */
export const rankedPage = async (db: ReadDb, order: Order, paging: Paging): Promise<Page<Ranked>> => {
  const { board, metric } = order;
  const { limit, offset } = windowOf(paging);
  const [people, found] = await Promise.all([
    sql<{ total: number }>`
      select coalesce(sum(people), 0)::int as total from ${tableOf(leaderboardBuckets)}
      where board = ${board} and metric = ${metric}`.execute(db),
    sql<ScoreRow>`
      select * from ${tableOf(leaderboardScores)} where board = ${board}
      order by ${sql.ref(columnOf[metric])} desc, account_id limit ${limit} offset ${offset}`.execute(db),
  ]);
  const [top] = found.rows;
  const ranks = await ranksOf(db, order, top ? [scoreOf(top, order)] : []);
  const first = top ? (ranks.get(scoreOf(top, order)) ?? 1) : 1;
  return { rows: ranked(found.rows, order, first, offset + 1), total: exactly(people.rows[0]?.total ?? 0) };
};

/** The people next to somebody on one side: first those who share the score, then those beyond it. */
const beside = async (db: ReadDb, order: Order, own: ScoreRow, side: 'above' | 'below', most: number) => {
  const column = sql.ref(columnOf[order.metric]);
  const score = scoreOf(own, order);
  const [byId, byScore] = side === 'above' ? [sql`<`, sql`>`] : [sql`>`, sql`<`];
  const [idsFirst, scoresFirst] = side === 'above' ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  const from = sql`select * from ${tableOf(leaderboardScores)} where board = ${order.board}`;
  const part = (condition: RawBuilder<unknown>, by: RawBuilder<unknown>) =>
    sql`(${from} and ${condition} order by ${by} limit ${most})`;
  const { rows } = await sql<ScoreRow>`
    ${part(sql`${column} = ${score} and account_id ${byId} ${own.account_id}::uuid`, sql`account_id ${idsFirst}`)}
    union all
    ${part(sql`${column} ${byScore} ${score}`, sql`${column} ${scoresFirst}, account_id ${idsFirst}`)}`.execute(db);
  const sharing = rows.filter((row) => scoreOf(row, order) === score);
  const nearest = [...sharing, ...rows.filter((row) => scoreOf(row, order) !== score)].slice(0, most);
  return side === 'above' ? nearest.toReversed() : nearest;
};

/** The rows of somebody and of those around them, with ranks; undefined: the board does not show the person. */
export const rankedAround = async (
  db: ReadDb,
  order: Order,
  accountId: string,
  neighbours: number,
): Promise<Ranked[] | undefined> => {
  const { rows } = await sql<ScoreRow>`
    select * from ${tableOf(leaderboardScores)}
    where board = ${order.board} and account_id = ${accountId}`.execute(db);
  const [own] = rows;
  if (!own) return undefined;
  const [above, below] = await Promise.all([
    beside(db, order, own, 'above', neighbours),
    beside(db, order, own, 'below', neighbours),
  ]);
  const all = [...above, own, ...below];
  const ranks = await ranksOf(db, order, [...new Set(all.map((row) => scoreOf(row, order)))]);
  return all.map((row) => ({ ...row, rank: ranks.get(scoreOf(row, order)) ?? 1 }));
};

/** The rows of these people, with ranks among them alone. They are friends: few enough to be sorted here. */
export const rankedAmong = async (db: ReadDb, order: Order, accountIds: readonly string[]): Promise<Ranked[]> => {
  const column = sql.ref(columnOf[order.metric]);
  const { rows } = await sql<ScoreRow>`
    select * from ${tableOf(leaderboardScores)}
    where board = ${order.board} and ${isAnyOf('account_id', accountIds)}
    order by ${column} desc, account_id`.execute(db);
  return ranked(rows, order, 1, 1);
};
