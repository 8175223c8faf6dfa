/** What was booked, for messages that leave the system. */
import type { BookableItem, BookingType } from '../../domain/catalog/bookableItem.ts';
import { hotel } from '../../domain/catalog/hotel.ts';
import { instructor } from '../../domain/catalog/instructor.ts';
import { kindInWords, titleOrKind } from '../../domain/catalog/neutralTitles.ts';
import { restaurant } from '../../domain/catalog/restaurant.ts';
import { tour } from '../../domain/catalog/tour.ts';
import { transfer } from '../../domain/catalog/transfer.ts';
import { textOrNull } from '../../domain/core/schema.ts';
import { loadListing } from '../catalog/listings.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { Mail } from '../mail/mailTo.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

export interface Offered {
  readonly name: string;
  readonly timezone: string;
  /** Only of a hotel or a restaurant. */
  readonly address?: string;
}

/** What e-mails and calendars call it. The name of an instructor stays here. */
export const titleOf = (type: BookingType, { name }: Pick<Offered, 'name'>, language: Mail['language']): string =>
  type === 'instructor' ? kindInWords(type, language) : titleOrKind(type, name, language);

const offerOf: Readonly<Record<BookingType, (deps: Deps, listingId: string) => Promise<Offered>>> = {
  hotel: (deps, id) => loadListing(deps, hotel, id),
  tour: (deps, id) => loadListing(deps, tour, id),
  restaurant: (deps, id) => loadListing(deps, restaurant, id),
  transfer: (deps, id) => loadListing(deps, transfer, id),
  instructor: async (deps, id) => ({ ...(await loadListing(deps, instructor, id)), name: 'lesson' }),
};

/** @throws Rejected `not_found` */
export const offeredItem = async (
  deps: Deps,
  { type, listingId }: Pick<BookableItem, 'type' | 'listingId'>,
): Promise<Offered> => {
  const { name, timezone, address } = await offerOf[type](deps, listingId);
  const place = textOrNull(address ?? null); // null: it has none, or its seller was erased
  return { name, timezone, ...(place !== null && { address: place }) };
};
