/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import type { AppealableKinds } from '../reports/appealables.ts';
import { nameAppealables } from './appealables.ts';
import { leaderboardPolicy } from './counting.ts';
import { leaderboardNotifications } from './notifications.ts';
import { leaveLeaderboard } from './participation.ts';

export const leaderboards = {
  notifications: leaderboardNotifications,
  policies: [leaderboardPolicy],
  appealables: nameAppealables,
  erasure: { after: leaveLeaderboard },
} as const satisfies CommandModule & AppealableKinds;
