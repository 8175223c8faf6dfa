/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { mailJob, pushJob } from './delivery.ts';
import { cueJob } from './policy.ts';
import { notificationMigrations } from './tables.ts';

export const notifications = {
  jobs: [cueJob, pushJob, mailJob],
  migrations: [notificationMigrations],
} as const satisfies CommandModule;
