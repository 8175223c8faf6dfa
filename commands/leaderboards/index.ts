/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { leaderboardPolicy } from './counting.ts';
import { leaderboardNotifications } from './notifications.ts';
import { leaveLeaderboard } from './participation.ts';

export const leaderboards = {
  notifications: leaderboardNotifications,
  policies: [leaderboardPolicy],
  erasure: { before: leaveLeaderboard },
} as const satisfies CommandModule;
