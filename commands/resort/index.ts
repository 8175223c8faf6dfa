/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { connectResort } from './connect.ts';
import { resortNotifications } from './notifications.ts';
import { passageMigrations, pruneStatuses } from './passages.ts';
import { resortPolicy } from './policy.ts';
import { queueAlertMigrations } from './queueAlerts.ts';
import { liftQueueJob } from './queueCounts.ts';
import { resortSettings } from './settings.ts';
import { liftStateJob, slopeStateJob } from './tellStates.ts';
import { weatherJob, weatherMigrations } from './weather.ts';
import { pictureMigrations } from './webcams.ts';

export const resort = {
  notifications: resortNotifications,
  policies: [resortPolicy],
  jobs: [liftStateJob, liftQueueJob, slopeStateJob, weatherJob],
  migrations: [weatherMigrations, pictureMigrations, queueAlertMigrations, passageMigrations],
  prunes: [pruneStatuses],
  settings: resortSettings,
  connect: connectResort,
} as const satisfies CommandModule;
