/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { connectResort, resortSettings } from './connect.ts';
import { resortNotifications } from './notifications.ts';
import { queueAlertMigrations } from './queueAlerts.ts';
import { liftStateJob, resortPolicy, slopeStateJob } from './tell.ts';
import { weatherJob, weatherMigrations } from './weather.ts';
import { pictureMigrations } from './webcams.ts';

export const resort = {
  notifications: resortNotifications,
  policies: [resortPolicy],
  jobs: [liftStateJob, slopeStateJob, weatherJob],
  migrations: [weatherMigrations, pictureMigrations, queueAlertMigrations],
  settings: resortSettings,
  connect: connectResort,
} as const satisfies CommandModule;
