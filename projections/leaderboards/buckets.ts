/**
 * How many people have about the same score on a board. Whoever is above a score is counted by these numbers, and by rows
 * only within one bucket.
 */
import { type Static, Type } from '@sinclair/typebox';
import { OneOf } from '../../domain/core/schema.ts';
import { bucketOf, metricNames, metrics, type Score } from '../../domain/leaderboards/score.ts';
import type { SkierEvent } from '../../domain/leaderboards/skier.ts';
import { readModel } from '../engine/readModel.ts';

const Row = Type.Object({
  board: Type.String(),
  metric: OneOf(metricNames),
  bucket: Type.Integer(),
  people: Type.Integer({ minimum: 1 }),
});

type Bucket = Static<typeof Row>;

type BoardEvent = Extract<SkierEvent, { data: { boards: unknown } }>;
type Key = Pick<Bucket, 'board' | 'metric' | 'bucket'>;

const bucketIn = (score: Score | null, metric: Key['metric']): number | null =>
  score && bucketOf(score[metrics[metric]]);

const moved = {
  keys: ({ data }: BoardEvent): Key[] =>
    data.boards.flatMap(({ board, before, after }) =>
      metricNames.flatMap((metric) => {
        const [from, to] = [bucketIn(before, metric), bucketIn(after, metric)];
        if (from === to) return [];
        return [from, to].flatMap((bucket) => (bucket === null ? [] : [{ board, metric, bucket }]));
      }),
    ),
  fold: (row: Bucket | undefined, { data }: BoardEvent, key: Key) => {
    const change = data.boards.find(({ board }) => board === key.board);
    const entered = bucketIn(change?.after ?? null, key.metric) === key.bucket;
    const people = (row?.people ?? 0) + (entered ? 1 : -1);
    return people > 0 ? { board: key.board, metric: key.metric, bucket: key.bucket, people } : null;
  },
};

export const leaderboardBuckets = readModel('leaderboard_buckets', {
  version: 1,
  row: Row,
  key: ['board', 'metric', 'bucket'],
  on: { SkiDayCounted: moved, LeaderboardScoresShown: moved, LeaderboardLeft: moved },
});
