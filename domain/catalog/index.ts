/** The domain manifest of this module. */
import { company } from './company.ts';
import { hotel } from './hotel.ts';
import { instructor } from './instructor.ts';
import { inventory } from './inventory.ts';
import { restaurant } from './restaurant.ts';
import { room } from './room.ts';
import { tour } from './tour.ts';
import { transfer } from './transfer.ts';

/** Why this module holds personal data. */
export const catalogPurpose = {
  purpose: 'show what sellers offer',
  basis: 'contract',
  seenBy: ['public'],
} as const;

export const catalog = {
  aggregates: [company, hotel, instructor, inventory, restaurant, room, tour, transfer],
  purpose: catalogPurpose,
} as const;
