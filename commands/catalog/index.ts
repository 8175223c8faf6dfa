/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { catalogPolicy, ownedListingMigrations } from './ownedListings.ts';
import { stockJob } from './stock.ts';

export const catalog = {
  policies: [catalogPolicy],
  jobs: [stockJob],
  migrations: [ownedListingMigrations],
} as const satisfies CommandModule;
