/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { analyticsSettings, connectAnalytics } from './connect.ts';
import { forgetPerson } from './erasure.ts';
import { analyticsElsewhere } from './heldElsewhere.ts';
import { analyticsPolicy } from './policy.ts';
import { analyticsMigrations, pruneAnalytics } from './tables.ts';

export const analytics = {
  policies: [analyticsPolicy],
  migrations: [analyticsMigrations],
  prunes: [pruneAnalytics],
  erasure: { after: forgetPerson },
  settings: analyticsSettings,
  connect: connectAnalytics,
  holdsElsewhere: analyticsElsewhere,
} as const satisfies CommandModule;
