/** Quotes stays at current prices. */
import { hotel } from '../../domain/catalog/hotel.ts';
import { quoteStay, stayTimes } from '../../domain/catalog/pricing.ts';
import { room } from '../../domain/catalog/room.ts';
import { type UnavailableReason, unavailableReasons } from '../../domain/catalog/stayRules.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { loadListing } from '../catalog/listings.ts';
import type { CoreDeps } from '../core/deps.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import type { Faults } from '../core/notSold.ts';
import { type Found, notBookable } from './offer.ts';

/** Nights in a room, as asked for. */
export interface StayRequest {
  readonly type: 'hotel';
  /** The room. */
  readonly itemId: string;
  /** `YYYY-MM-DD`, in the hotel's time zone. */
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
}

/** Reasons that are the request's fault, with the wrong field. The others are the seller's and may pass. */
const faults: Faults<UnavailableReason> = {
  past: 'check_in',
  too_long: 'check_out',
  too_far: 'check_out',
  capacity: 'guests',
};

export const findStay = async (deps: Pick<CoreDeps, 'aggregates'>, at: string, stay: StayRequest): Promise<Found> => {
  const { type, itemId, checkIn, checkOut, guests } = stay;
  if (checkOut <= checkIn)
    throw new Rejected('invalid', 'check_out must be later than check_in.', { fields: ['check_out'] });
  const { state: ofRoom, revision } = await deps.aggregates.load(room, itemId, FOR_QUOTE);
  const hotelId = ofRoom.hotelId;
  if (hotelId === null) throw notFound('room');
  const ofHotel = await loadListing(deps, hotel, hotelId, FOR_QUOTE);

  const { price, reasons } = quoteStay(ofRoom, ofHotel, { checkIn, checkOut, guests, at });
  if (price === null) throw notBookable('stay', reasons, { words: unavailableReasons, faults });
  const { currency, lines, totalMinor } = price;
  return {
    ownerId: ofHotel.ownerId,
    cancellationPolicy: ofHotel.cancellationPolicy,
    confirmation: ofHotel.confirmation,
    offers: [
      {
        item: { type, listingId: hotelId, unitId: itemId, listingRevision: Number(revision), checkIn, checkOut },
        guests,
        startsOn: checkIn,
        ...stayTimes(ofHotel.timezone, stay),
        timezone: ofHotel.timezone,
        currency,
        lines: [...lines],
        totalMinor,
      },
    ],
  };
};
