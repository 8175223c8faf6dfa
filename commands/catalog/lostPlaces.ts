/**
 * Bookings whose places their listing does not offer any more: the table or vehicle is missing from it, or the time. Edits
 * refuse that now; before, they let it happen, and the places could be sold a second time.
 */
import type { BookableItem } from '../../domain/catalog/bookableItem.ts';
import { type ListingKind, listingKinds } from '../../domain/catalog/listings.ts';
import { missingOf } from '../../domain/catalog/withdrawals.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import type { CoreDeps } from '../core/deps.ts';

/** A booking that is not over, and what it holds. */
export interface BookedPlaces {
  readonly bookingId: string;
  /** Rooms never leave their hotel. */
  readonly type: Exclude<BookableItem['type'], 'hotel'>;
  readonly listingId: string;
  readonly unitId: string;
  /** From the first that it begins with. */
  readonly keys: readonly string[];
}

export interface LostPlaces extends BookedPlaces {
  /** What the listing lacks. */
  readonly missing: 'unit' | 'time';
}

/** @returns those whose places are not offered any more, in the order given */
export const findLostPlaces = async (
  { aggregates }: Pick<CoreDeps, 'aggregates'>,
  booked: readonly BookedPlaces[],
): Promise<LostPlaces[]> => {
  const found: LostPlaces[] = [];
  for (const each of booked) {
    const kind = listingKinds[each.type] as unknown as ListingKind<Record<string, unknown>, AnyEvent>;
    const { state } = await aggregates.load(kind.decider, each.listingId);
    if (state.status === 'none') continue;
    const missing = missingOf(kind, each.listingId, state, each);
    if (missing) found.push({ ...each, missing });
  }
  return found;
};
