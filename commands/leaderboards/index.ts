/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { leaderboardPolicy } from './counting.ts';
import { leaveLeaderboard } from './participation.ts';

export const leaderboards = {
  policies: [leaderboardPolicy],
  erasure: { before: leaveLeaderboard },
} as const satisfies CommandModule;
