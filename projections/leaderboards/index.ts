/** The read models of leaderboards. */
import type { ReadModel } from '../engine/readModel.ts';
import { leaderboardBuckets } from './buckets.ts';
import { leaderboardPeople } from './displayNames.ts';
import { leaderboardScores } from './scores.ts';

/** In one group, so that a rank never misses somebody who is shown. */
export const readModels: readonly ReadModel[] = [leaderboardPeople, leaderboardScores, leaderboardBuckets];
