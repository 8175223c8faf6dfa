/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { connectAnalytics } from './connect.ts';
import { forgetPerson } from './erasure.ts';
import { analyticsPolicy } from './policy.ts';
import { analyticsSettings } from './settings.ts';
import { waitingEvents } from './store.ts';
import { analyticsMigrations, pruneAnalytics } from './tables.ts';

export const analytics = {
  policies: [analyticsPolicy],
  migrations: [analyticsMigrations],
  prunes: [pruneAnalytics],
  erasure: { after: forgetPerson },
  settings: analyticsSettings,
  connect: connectAnalytics,
  externalPersonalData: [waitingEvents],
} as const satisfies CommandModule;
