/** What a watched thing costs now, and whether it can be booked, as the log has it. */
import { freeAt, inventory } from '../../domain/catalog/inventory.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { quoteStay } from '../../domain/catalog/pricing.ts';
import { MAX_DAYS_AHEAD, type Room, room, termsAt } from '../../domain/catalog/room.ts';
import { addDays, datesBetween, todayIn } from '../../domain/core/dates.ts';
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
      return { of, isFree: (night: string) => freeAt(places, night, at) > 0 };
    }),
  );
  const today = todayIn(hotel.timezone, at);
  /** The prices at which this can be booked. */
  const pricesOf = ({ of, isFree }: { of: Room; isFree: (night: string) => boolean }, stay: Stay): number[] => {
    if (stay === null)
      return datesBetween(today, addDays(today, MAX_DAYS_AHEAD)).flatMap((night) => {
        const { priceMinor, stopSell } = termsAt(of, night);
        return priceMinor !== null && !stopSell && isFree(night) ? [priceMinor] : [];
      });
    const { price } = quoteStay(of, hotel, { ...stay, today, at });
    return price && datesBetween(stay.checkIn, stay.checkOut).every(isFree) ? [price.totalMinor] : [];
  };
  return (stay) => {
    const prices = rooms.flatMap((each) => pricesOf(each, stay));
    const priceMinor = prices.length === 0 ? null : prices.reduce((least, price) => Math.min(least, price));
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
