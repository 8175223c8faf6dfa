/** What a watched thing costs now, and whether it can be booked, as the log has it. */
import { freeAt, inventory } from '../../domain/catalog/inventory.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { quoteStay } from '../../domain/catalog/pricing.ts';
import { type Room, room } from '../../domain/catalog/room.ts';
import { lowestPrice, nightsOnSale } from '../../domain/catalog/stayRules.ts';
import { datesBetween } from '../../domain/core/dates.ts';
import { textOrNull } from '../../domain/core/schema.ts';
import type { WatchedStay } from '../../domain/favorites/favorites.ts';
import type { CoreDeps } from '../core/deps.ts';
import { roomsOfHotel } from './watches.ts';

type Deps = Pick<CoreDeps, 'aggregates' | 'pool'>;

export interface Offer {
  /** The lowest price: of the stay with taxes and fees, of a night, or of what the kind is sold by. null: not for sale. */
  readonly priceMinor: number | null;
  readonly currency: string;
  readonly isFree: boolean;
  /** What it is called; null: it is a person, or its seller was erased. */
  readonly title: string | null;
  /** Whose title it is; null: it is not offered. */
  readonly ownerId: string | null;
}
type Stay = (typeof WatchedStay)['static'] | null;
/** The offer for a stay; it may be asked for several. null: it does not exist, or is closed. */
export type OfferFor = ((stay: Stay) => Offer) | null;

/** @param ids the rooms */
const stays = async ({ aggregates }: Deps, hotelId: string, ids: readonly string[], at: string): Promise<OfferFor> => {
  const { state: hotel } = await aggregates.load(listingKinds.hotel.decider, hotelId);
  if (hotel.status !== 'published') return null;
  const rooms = await Promise.all(
    ids.map(async (id) => {
      const [{ state: of }, { state: places }] = await Promise.all([
        aggregates.load(room, id),
        aggregates.load(inventory, id),
      ]);
      return { of, left: (night: string) => freeAt(places, night, at) };
    }),
  );
  const { firstNight, end } = nightsOnSale(hotel, at);
  const anyNight = datesBetween(firstNight, end);
  /** The lowest price at which this room can be booked; null: it cannot. */
  const priceOf = ({ of, left }: { of: Room; left: (night: string) => number }, stay: Stay): number | null => {
    if (stay === null) return lowestPrice(of, anyNight, left);
    const { price, reasons } = quoteStay(of, hotel, { ...stay, at }, left);
    return price && reasons.length === 0 ? price.totalMinor : null;
  };
  return (stay) => {
    const prices = rooms.map((each) => priceOf(each, stay)).filter((price) => price !== null);
    const priceMinor = prices.length === 0 ? null : Math.min(...prices);
    return {
      priceMinor,
      currency: hotel.currency,
      isFree: priceMinor !== null,
      title: textOrNull(hotel.name),
      ownerId: hotel.ownerId,
    };
  };
};

const fixed = (
  { currency, ownerId }: { readonly currency: string; readonly ownerId: string },
  title: string | null,
  priceMinor: number | null,
): OfferFor => {
  const offer = { title: textOrNull(title), ownerId, priceMinor, currency, isFree: false };
  return () => offer;
};

/** By the kinds that can be watched. */
const offersOf: Readonly<Record<string, (deps: Deps, id: string, at: string) => Promise<OfferFor>>> = {
  hotel: async (deps, id, at) => stays(deps, id, await roomsOfHotel(deps.pool, id), at),
  room: async (deps, id, at) => {
    const { hotelId, name } = (await deps.aggregates.load(room, id)).state;
    const offer = hotelId === null ? null : await stays(deps, hotelId, [id], at);
    return offer && ((stay) => ({ ...offer(stay), title: textOrNull(name) }));
  },
  tour: async ({ aggregates }, id) => {
    const { state } = await aggregates.load(listingKinds.tour.decider, id);
    return state.status === 'published' ? fixed(state, state.name, state.pricePerPersonMinor) : null;
  },
  transfer: async ({ aggregates }, id) => {
    const { state } = await aggregates.load(listingKinds.transfer.decider, id);
    if (state.status !== 'published') return null;
    const prices = state.vehicles.filter(({ units }) => units > 0).map(({ priceMinor }) => priceMinor);
    return fixed(state, state.name, prices.length === 0 ? null : Math.min(...prices));
  },
  instructor: async ({ aggregates }, id) => {
    const { state } = await aggregates.load(listingKinds.instructor.decider, id);
    return state.status === 'published' ? fixed(state, null, state.pricePerHourMinor) : null;
  },
};

/** What a thing of this kind offers at an instant; null: nothing. @param at RFC 3339 */
export const offerFor = (deps: Deps, kind: string, id: string, at: string): Promise<OfferFor> =>
  offersOf[kind]?.(deps, id, at) ?? Promise.resolve(null);
