/** What was booked, for messages that leave the system. */
import type { BookableItem, BookingType } from '../../domain/catalog/bookableItem.ts';
import { hotel } from '../../domain/catalog/hotel.ts';
import { instructor } from '../../domain/catalog/instructor.ts';
import { restaurant } from '../../domain/catalog/restaurant.ts';
import { tour } from '../../domain/catalog/tour.ts';
import { transfer } from '../../domain/catalog/transfer.ts';
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

const LESSON = { ru: 'Занятие с инструктором', en: 'Lesson' } as const;

/** What e-mails and calendars call it. The name of an instructor is personal data. */
export const titleOf = (type: BookingType, { name }: Pick<Offered, 'name'>, language: Mail['language']): string =>
  type === 'instructor' ? LESSON[language] : name;

const offerOf: Readonly<Record<BookingType, (deps: Deps, listingId: string) => Promise<Offered>>> = {
  hotel: (deps, id) => loadListing(deps, hotel, id),
  tour: (deps, id) => loadListing(deps, tour, id),
  restaurant: (deps, id) => loadListing(deps, restaurant, id),
  transfer: (deps, id) => loadListing(deps, transfer, id),
  instructor: async (deps, id) => ({ ...(await loadListing(deps, instructor, id)), name: 'lesson' }),
};

/** @throws Rejected `not_found` */
export const offeredItem = (
  deps: Deps,
  { type, listingId }: Pick<BookableItem, 'type' | 'listingId'>,
): Promise<Offered> => offerOf[type](deps, listingId);
