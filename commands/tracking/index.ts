/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { connectTracking } from './connect.ts';
import { discardTracks } from './erasure.ts';
import { trackNotifications } from './notifications.ts';
import { openSessionMigrations } from './openSessions.ts';
import { pointMigrations, prunePoints } from './points.ts';
import { trackAbandoned, trackDiscarded, trackingPolicy, trackShareExpiry } from './policy.ts';
import { trackingSettings } from './settings.ts';
import { trackSummary } from './summaryJob.ts';
import { printMigrations } from './trackFingerprints.ts';

export const tracking = {
  notifications: trackNotifications,
  policies: [trackingPolicy],
  jobs: [trackAbandoned, trackDiscarded, trackSummary, trackShareExpiry],
  migrations: [pointMigrations, openSessionMigrations, printMigrations],
  prunes: [prunePoints],
  erasure: { after: discardTracks },
  settings: trackingSettings,
  connect: connectTracking,
} as const satisfies CommandModule;
