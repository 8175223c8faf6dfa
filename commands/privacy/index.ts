/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { exportArchive, exportArchives, removeArchives } from './archives.ts';
import { endOfGrace, privacyPolicy } from './endOfGrace.ts';
import { privacyNotifications } from './notifications.ts';
import { archiveMigrations } from './tables.ts';

export const privacy = {
  notifications: privacyNotifications,
  policies: [privacyPolicy],
  jobs: [exportArchive, endOfGrace],
  migrations: [archiveMigrations],
  erasure: { after: removeArchives },
  externalPersonalData: [exportArchives],
} as const satisfies CommandModule;
