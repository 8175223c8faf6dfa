/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { leaveAll, pairMigrations } from './friends.ts';
import { liveMigrations, liveSharingEnd, stopSharingOf } from './live.ts';
import { friendNotifications } from './notifications.ts';
import { friendPolicy } from './policy.ts';

export const friends = {
  notifications: friendNotifications,
  policies: [friendPolicy],
  jobs: [liveSharingEnd],
  migrations: [pairMigrations, liveMigrations],
  erasure: { before: stopSharingOf, after: leaveAll },
} as const satisfies CommandModule;
