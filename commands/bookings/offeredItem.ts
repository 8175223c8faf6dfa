/** What was booked, for messages that leave the system. */
import type { BookableItem, BookingType } from '../../domain/catalog/bookableItem.ts';
import { hotel } from '../../domain/catalog/hotel.ts';
import { instructor } from '../../domain/catalog/instructor.ts';
import { kindInWords } from '../../domain/catalog/neutralTitles.ts';
import { restaurant } from '../../domain/catalog/restaurant.ts';
import { tour } from '../../domain/catalog/tour.ts';
import { transfer } from '../../domain/catalog/transfer.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { textOrNull } from '../../domain/core/schema.ts';
import { loadListing } from '../catalog/listings.ts';
import type { CoreDeps } from '../core/deps.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;
type Item = Pick<BookableItem, 'type' | 'listingId'>;

export interface Offered {
  readonly type: BookingType;
  /** null: a lesson, because the name of an instructor stays here, and whatever an erased seller has offered. */
  readonly title: string | null;
  readonly ownerId: string;
  readonly timezone: string;
  /** Only of a hotel or a restaurant. */
  readonly address: string | null;
}

/** What messages and calendars call it. */
export const titleOf = ({ type, title }: Pick<Offered, 'type' | 'title'>, language: NotificationLanguage): string =>
  title ?? kindInWords(type, language);

interface Listed extends Pick<Offered, 'ownerId' | 'timezone'> {
  readonly name: string | null;
  readonly address?: string;
}
const listed: Readonly<Record<BookingType, (deps: Deps, listingId: string) => Promise<Listed>>> = {
  hotel: (deps, id) => loadListing(deps, hotel, id),
  tour: (deps, id) => loadListing(deps, tour, id),
  restaurant: (deps, id) => loadListing(deps, restaurant, id),
  transfer: (deps, id) => loadListing(deps, transfer, id),
  instructor: async (deps, id) => ({ ...(await loadListing(deps, instructor, id)), name: null }),
};

/** @throws Rejected `not_found` */
export const offeredItem = async (deps: Deps, { type, listingId }: Item): Promise<Offered> => {
  const { name, ownerId, timezone, address = null } = await listed[type](deps, listingId);
  return { type, title: textOrNull(name), ownerId, timezone, address: textOrNull(address) };
};
