/** Ranks on a real PostgreSQL: equal to a plain sort after any history, after a rebuild, and counted from few rows. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bucketOf, metricNames } from '../../domain/leaderboards/score.ts';
import { skier } from '../../domain/leaderboards/skier.ts';
import { exactly } from '../../infra/paging.ts';
import { groupOf } from '../../projections/engine/groups.ts';
import { readDb, readDbIn } from '../../projections/engine/readDb.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { lag } from '../../projections/engine/status.ts';
import { readModels } from '../../projections/leaderboards/index.ts';
import { type Order, rankedAmong, rankedAround, rankedPage } from '../../projections/leaderboards/ranking.ts';
import { columnOf } from '../../projections/leaderboards/scores.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { type Projector, startProjector } from '../kit/projector.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { anyHistory, boardsBySum, commandsOf, personOf, play, sorted } from './history.ts';

const groups = [groupOf('leaderboards', readModels)];
const PEOPLE = 12;

let stores: Stores;
let node: Node;
let projector: Projector;
beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores);
  projector = await startProjector({ ...node, groups });
});

const idScore = (order: Order) => (row: Awaited<ReturnType<typeof rankedAmong>>[number]) => ({
  account_id: row.account_id,
  score: row[columnOf[order.metric]],
  rank: row.rank,
});

const expectPlainSort = async (boards: ReturnType<typeof boardsBySum>): Promise<void> => {
  const db = readDb(stores.pool);
  for (const [board, people] of boards)
    for (const metric of metricNames) {
      const order = { board, metric };
      const expected = sorted(people, metric);
      const [first, second] = [
        await rankedPage(db, order, { page: 1, perPage: 5 }),
        await rankedPage(db, order, { page: 2, perPage: 5 }),
      ];
      expect(first.total).toEqual(exactly(expected.length));
      expect([...first.rows, ...second.rows].map(idScore(order))).toEqual(expected.slice(0, 10));
      expect((await rankedAmong(db, order, [...people.keys()])).map(idScore(order))).toEqual(expected);
      for (const [index, { account_id }] of expected.entries()) {
        const around = await rankedAround(db, order, account_id, 2);
        expect(around?.map(idScore(order))).toEqual(expected.slice(Math.max(0, index - 2), index + 3));
      }
    }
};

describe('ranks', () => {
  it('are those of a plain sort after any history, and after a rebuild', async () => {
    const histories = fc.sample(anyHistory(PEOPLE, 240), 50);
    const history = histories.find((one) => boardsBySum(play(one)).size > 8) ?? [];
    for (const { accountId, command } of commandsOf(history))
      await node.aggregates.handle(skier, accountId, command, contextOf(accountId));
    await until(async () => (await lag(node, groups)).events === 0);
    const boards = boardsBySum(play(history));
    expect(boards.size).toBeGreaterThan(8);
    await expectPlainSort(boards);
    expect(await rankedAround(readDb(stores.pool), { board: 'day:1999-01-01', metric: 'runs' }, personOf(0), 2)).toBe(
      undefined,
    );
    for (const model of readModels) {
      const { differences } = await rebuild(node, model, { mode: 'verify', signal: projector.signal });
      expect([model.name, differences]).toEqual([model.name, 0]);
    }
  });
});

const MANY = 20_000;

/** The rows that nodes of a plan have read from tables and indexes. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}
const rowsRead = (plan: Plan): number => {
  const own = plan['Node Type'].includes('Scan')
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0;
  return own + (plan.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0);
};

describe(`on a board of ${MANY} people`, () => {
  const board = 'season:2020-10-01';
  const many = (n: number): string => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  beforeAll(async () => {
    // As the projector would leave them; 0 to 15,000 m of descent, and three of four on their first day.
    const scores = Array.from({ length: MANY }, (_, n) => ({
      vertical: (n * 7_919) % 15_000,
      days: n % 4 === 0 ? 2 : 1,
    }));
    await stores.pool.query(
      `insert into read.leaderboard_scores (board, account_id, vertical_m, distance_m, runs, days, sessions)
       select $1, id, vertical, vertical * 4, vertical / 100, days, days
       from unnest($2::uuid[], $3::int[], $4::int[]) as of (id, vertical, days)`,
      [board, scores.map((_, n) => many(n)), scores.map(({ vertical }) => vertical), scores.map(({ days }) => days)],
    );
    for (const metric of ['vertical', 'days'] as const) {
      const buckets = new Map<number, number>();
      for (const score of scores) {
        const bucket = bucketOf(score[metric]);
        buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
      }
      await stores.pool.query(
        `insert into read.leaderboard_buckets (board, metric, bucket, people)
         select $1, $2, * from unnest($3::int[], $4::int[])`,
        [board, metric, [...buckets.keys()], [...buckets.values()]],
      );
    }
    await stores.pool.query('vacuum analyze read.leaderboard_scores');
    await stores.pool.query('vacuum analyze read.leaderboard_buckets');
  });

  it.each(['vertical', 'days'] as const)('the rank of somebody in the middle by %s reads few rows', async (metric) => {
    const client = await stores.pool.connect();
    let read = 0;
    const counting = {
      query: async (text: string, values: unknown[]) => {
        const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
        read += rowsRead(rows[0]['QUERY PLAN'][0].Plan);
        return client.query(text, values);
      },
    };
    try {
      // With its neighbours; 7,919 and 15,000 have no common divisor, so the middle is known.
      const around = await rankedAround(readDbIn(counting as never), { board, metric }, many(1), 2);
      expect(around).toHaveLength(5);
      expect(read).toBeLessThan(MANY / 10);
    } finally {
      client.release();
    }
  });
});
