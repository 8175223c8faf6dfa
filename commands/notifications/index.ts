/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { mailJob, pushJob } from './delivery.ts';
import { cueJob } from './policy.ts';
import { notificationMigrations, pruneNotifications } from './tables.ts';

export const notifications = {
  jobs: [cueJob, pushJob, mailJob],
  migrations: [notificationMigrations],
  prunes: [pruneNotifications],
} as const satisfies CommandModule;
