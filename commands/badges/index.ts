/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { badgeLookBack } from './awards.ts';
import { factMigrations } from './badgeFacts.ts';
import { badgeNotifications } from './notifications.ts';
import { badgePolicy } from './policy.ts';

export const badges = {
  notifications: badgeNotifications,
  policies: [badgePolicy],
  jobs: [badgeLookBack],
  migrations: [factMigrations],
} as const satisfies CommandModule;
