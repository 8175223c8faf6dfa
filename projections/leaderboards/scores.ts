/** Who is shown on which board, with which score. */

import { type Static, Type } from '@sinclair/typebox';
import { Uuid } from '../../domain/core/schema.ts';
import { leaderboardsPurpose } from '../../domain/leaderboards/index.ts';
import { type metrics, Score } from '../../domain/leaderboards/score.ts';
import type { SkierEvent } from '../../domain/leaderboards/skier.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { readModel } from '../engine/readModel.ts';

/** The columns of a score. */
export const Scores = snakeSchema(Score);
export type Scores = Static<typeof Scores>;

/** Metric → the column that a board is ordered by. */
export const columnOf = {
  vertical: 'vertical_m',
  distance: 'distance_m',
  runs: 'runs',
  days: 'days',
} as const satisfies Record<keyof typeof metrics, keyof Scores>;

const Row = Type.Object({ board: Type.String(), account_id: Uuid, ...Scores.properties });
export type ScoreRow = Static<typeof Row>;

type BoardEvent = Extract<SkierEvent, { data: { boards: unknown } }>;
interface Key {
  readonly board: string;
  readonly account_id: string;
}

const onBoards = {
  keys: ({ data }: BoardEvent): Key[] => data.boards.map(({ board }) => ({ board, account_id: data.accountId })),
  fold: (_row: ScoreRow | undefined, { data }: BoardEvent, { board, account_id }: Key): ScoreRow | null => {
    const after = data.boards.find((one) => one.board === board)?.after;
    return after ? { board, account_id, ...toSnake(after) } : null;
  },
};

export const leaderboardScores = readModel('leaderboard_scores', {
  version: 1,
  row: Row,
  key: ['board', 'account_id'],
  personalData: {
    whose: 'account_id',
    erased: 'deleted',
    why: leaderboardsPurpose,
    retention: { until: 'the person leaves the leaderboards' },
  },
  on: { SkiDayCounted: onBoards, LeaderboardScoresShown: onBoards, LeaderboardLeft: onBoards },
  indexes: [...Object.values(columnOf).map((column) => `board, ${column} desc, account_id`), 'account_id'],
});
