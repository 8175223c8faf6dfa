/** The write-side manifest of this module. */
import type { CommandModule } from '../core/module.ts';
import type { FileUsers } from '../files/uses.ts';
import { catalogPolicy, ownedListingMigrations } from './ownedListings.ts';
import { listingUse, roomUse } from './pictures.ts';
import { stockJob } from './stock.ts';

export const catalog = {
  policies: [catalogPolicy],
  jobs: [stockJob],
  fileUses: { listing: listingUse, room: roomUse },
  migrations: [ownedListingMigrations],
} as const satisfies CommandModule & FileUsers;
