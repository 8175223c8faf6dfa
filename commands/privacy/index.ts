/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { exportArchive, removeArchives } from './archives.ts';
import { privacyElsewhere } from './held.ts';
import { archiveMigrations } from './tables.ts';

export const privacy = {
  jobs: [exportArchive],
  migrations: [archiveMigrations],
  erasure: { before: removeArchives },
  holdsElsewhere: privacyElsewhere,
} as const satisfies CommandModule;
