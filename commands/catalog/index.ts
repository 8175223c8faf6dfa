/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import { catalogPolicy, ownedListingMigrations } from './ownedListings.ts';

export const catalog = {
  policies: [catalogPolicy],
  migrations: [ownedListingMigrations],
} as const satisfies CommandModule;
