/** What a stay costs today, and on which terms. Bookings keep what is agreed on here. */
import type { Deal } from '../../domain/bookings/bookingEvents.ts';
import { type Hotel, hotel } from '../../domain/catalog/hotel.ts';
import { quoteStay, type UnavailableReason } from '../../domain/catalog/pricing.ts';
import { room } from '../../domain/catalog/room.ts';
import { instantIn, todayIn } from '../../domain/dates.ts';
import { Rejected } from '../../domain/decider.ts';
import { commissionFor } from '../commissions.ts';
import type { CommandDeps } from '../deps.ts';

/** Nights in a room, as asked for. */
export interface WantedStay {
  readonly itemId: string;
  /** `YYYY-MM-DD`, in the hotel's time zone. */
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
}

/** When guests may come and when they leave, by the hotel's clocks. */
const CHECK_IN_FROM = '14:00';
const CHECK_OUT_BY = '12:00';
/** What is wrong with the request itself; the other reasons are the hotel's and may pass. */
const FAULTS: readonly UnavailableReason[] = ['past', 'too_long', 'too_far', 'capacity'];

/** What a stay is agreed on at today's prices, but for its hold. @throws Rejected `not_found`, `invalid`, `not_bookable` */
export const agree = async (
  deps: Pick<CommandDeps, 'aggregates'>,
  at: string,
  stay: WantedStay,
): Promise<{ deal: Omit<Deal, 'holdId'>; hotel: Hotel }> => {
  const { itemId, checkIn, checkOut, guests } = stay;
  if (checkOut <= checkIn) throw new Rejected('invalid', 'check_out must be later than check_in.');
  const { state: ofRoom } = await deps.aggregates.load(room, itemId);
  const hotelId = ofRoom.hotelId;
  if (hotelId === null) throw new Rejected('not_found', 'There is no such room.');
  const { state: ofHotel } = await deps.aggregates.load(hotel, hotelId);

  const { price, reasons } = quoteStay(ofRoom, ofHotel, {
    checkIn,
    checkOut,
    guests,
    today: todayIn(ofHotel.timezone, at),
  });
  if (price === null) {
    const code = reasons.some((reason) => FAULTS.includes(reason)) ? 'invalid' : 'not_bookable';
    throw new Rejected(code, `This stay is not possible: ${reasons.join(', ')}.`, { reasons });
  }
  const { currency, lines, totalMinor } = price;
  return {
    hotel: ofHotel,
    deal: {
      subject: { type: 'hotel', hotelId, itemId, checkIn, checkOut },
      guests,
      startsAt: instantIn(ofHotel.timezone, checkIn, CHECK_IN_FROM),
      endsAt: instantIn(ofHotel.timezone, checkOut, CHECK_OUT_BY),
      currency,
      lines: [...lines],
      totalMinor,
      commission: await commissionFor(deps, { ownerId: ofHotel.ownerId, type: 'hotel', totalMinor }),
    },
  };
};
