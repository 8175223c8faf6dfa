/** What people are compared by. Never by speed: nobody should be rewarded for risking a life. */

import { type Static, Type } from '@sinclair/typebox';
import { Count } from '../core/schema.ts';

/** What one track counts for. */
export const TrackScore = Type.Object({
  /** Metres of descent. */
  verticalM: Count,
  /** Metres on the snow. */
  distanceM: Count,
  runs: Count,
});
export type TrackScore = Static<typeof TrackScore>;

/** What some days of a person count for. `days`: those with tracks that count. `sessions`: these tracks. */
export const Score = Type.Object({ ...TrackScore.properties, days: Count, sessions: Count });
export type Score = Static<typeof Score>;

export const NOTHING: Score = { verticalM: 0, distanceM: 0, runs: 0, days: 0, sessions: 0 };
const names = Object.keys(NOTHING) as (keyof Score)[];

const combined = (a: Score, b: Score, sign: 1 | -1): Score =>
  Object.fromEntries(names.map((name) => [name, a[name] + sign * b[name]])) as Score;
export const plus = (a: Score, b: Score): Score => combined(a, b, 1);
export const minus = (a: Score, b: Score): Score => combined(a, b, -1);

/** The score of one day, from its tracks. */
export const dayScore = (tracks: readonly TrackScore[]): Score =>
  tracks.reduce<Score>((sum, track) => plus(sum, { ...track, days: 0, sessions: 1 }), {
    ...NOTHING,
    days: Math.min(1, tracks.length),
  });

/** What a board can be ordered by → the field of a score. */
export const metrics = { vertical: 'verticalM', distance: 'distanceM', runs: 'runs', days: 'days' } as const;
export type Metric = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as [Metric, ...Metric[]];

/** Scores of one bucket have these leading binary digits in common, so that a bucket is at most 0.8 % wide. */
const DIGITS = 7;
const WIDTH = 2 ** DIGITS;

/**
 * The bucket of a score, by which a rank is counted without visiting everybody above. Small scores have a bucket each; a
 * higher score never has a lower bucket. The numbers are stored: raise the version of `leaderboard_buckets` with a change.
 */
export const bucketOf = (score: number): number => {
  if (score < WIDTH) return score;
  const dropped = 31 - Math.clz32(score) - DIGITS;
  return dropped * WIDTH + (score >>> dropped);
};

/** The lowest score of a bucket. */
export const lowestOf = (bucket: number): number => {
  if (bucket < 2 * WIDTH) return bucket;
  const dropped = Math.floor(bucket / WIDTH) - 1;
  return (bucket - dropped * WIDTH) * 2 ** dropped;
};
