/** The write-side manifest of this module. */
import { hotel } from '../../domain/catalog/hotel.ts';
import { instructor } from '../../domain/catalog/instructor.ts';
import { restaurant } from '../../domain/catalog/restaurant.ts';
import { room } from '../../domain/catalog/room.ts';
import { tour } from '../../domain/catalog/tour.ts';
import { transfer } from '../../domain/catalog/transfer.ts';
import type { CommandModule } from '../core/module.ts';
import type { FileUsers } from '../files/fileUses.ts';
import { catalogPolicy, closeAllOf, ownedListingMigrations } from './ownedListings.ts';
import { listingOwner, listingUse, roomOwner, roomUse } from './pictures.ts';
import { stockJob } from './stock.ts';

export const catalog = {
  policies: [catalogPolicy],
  jobs: [stockJob],
  fileUses: {
    listing: { isUsed: listingUse, whose: listingOwner },
    room: { isUsed: roomUse, whose: roomOwner },
  },
  followedByApi: [hotel, instructor, restaurant, room, tour, transfer],
  migrations: [ownedListingMigrations],
  erasure: { before: closeAllOf },
} as const satisfies CommandModule & FileUsers;
