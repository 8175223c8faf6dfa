/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { leaderboardPolicy } from './counting.ts';
import { leaderboardNotifications } from './notifications.ts';
import { leaveLeaderboard } from './participation.ts';

export const leaderboards = {
  notifications: leaderboardNotifications,
  policies: [leaderboardPolicy],
  erasure: { after: leaveLeaderboard },
} as const satisfies CommandModule;
