/** The price of a stay, or the reasons why it is not bookable (`stayRules.ts`). */
import { addDays, datesBetween, instantIn } from '../core/dates.ts';
import { isAfter } from '../core/instants.ts';
import { percentage } from '../core/money.ts';
import type { Hotel } from './hotel.ts';
import { type PriceLine, sumOf } from './priceLine.ts';
import { type Room, termsAt } from './room.ts';
import {
  CHECK_IN_FROM,
  inOrder,
  nightsOnSale,
  reasonsAgainst,
  type StayDates,
  type UnavailableReason,
} from './stayRules.ts';

export interface StayRequest extends StayDates {
  readonly guests: number;
  /** Now, RFC 3339. */
  readonly at: string;
}

/** When guests leave, by the hotel's clocks. */
const CHECK_OUT_BY = '12:00';

/** The instants between which a stay lies. */
export const stayTimes = (
  timezone: string,
  { checkIn, checkOut }: StayDates,
): { readonly startsAt: string; readonly endsAt: string } => ({
  startsAt: instantIn(timezone, checkIn, CHECK_IN_FROM),
  endsAt: instantIn(timezone, checkOut, CHECK_OUT_BY),
});

/** The nights of a stay that are not over at an instant: a night is over at the time of check-out. */
export const nightsAhead = (timezone: string, nights: readonly string[], at: string): string[] =>
  nights.filter((night) => isAfter(instantIn(timezone, addDays(night, 1), CHECK_OUT_BY), at));

export interface StayPrice {
  readonly currency: string;
  readonly nights: number;
  readonly lines: readonly PriceLine[];
  /** The nights. `total = base + taxes + fees`. */
  readonly baseMinor: number;
  readonly taxesMinor: number;
  readonly feesMinor: number;
  readonly totalMinor: number;
}

/** The reasons in the order in which they are told. A stay has a price when nothing but `sold_out` is against it. */
export interface StayQuote {
  readonly price: StayPrice | null;
  readonly reasons: readonly UnavailableReason[];
}

/** The fields of a room and its hotel that a price depends on. Aggregates have them, and so do rows of read models. */
export type PricedRoom = Pick<Room, 'capacity' | 'nights' | 'nightPriceMinor'>;
export type PricingHotel = Pick<Hotel, 'status' | 'currency' | 'charges' | 'timezone' | 'confirmation'>;

/** @param left how many rooms are left on a night; without it, the inventory decides that */
export const quoteStay = (
  room: PricedRoom,
  hotel: PricingHotel,
  { checkIn, checkOut, guests, at }: StayRequest,
  left: (night: string) => number = () => Number.POSITIVE_INFINITY,
): StayQuote => {
  const dates = { checkIn, checkOut, ...nightsOnSale(hotel, at) };
  const ofAnyRoom = [...reasonsAgainst('hotel', hotel), ...reasonsAgainst('dates', dates)];
  const ofParty = reasonsAgainst('party', { guests, capacity: room.capacity });
  if (ofAnyRoom.includes('too_long') || ofAnyRoom.includes('too_far'))
    return { price: null, reasons: [...ofAnyRoom, ...ofParty] };

  const nights = datesBetween(checkIn, checkOut).map((date) => ({ date, left: left(date), ...termsAt(room, date) }));
  const reasons = inOrder([
    ...ofAnyRoom,
    ...ofParty,
    ...nights.flatMap((night) => reasonsAgainst('night', night)),
    ...reasonsAgainst('arrival', { ...termsAt(room, checkIn), nights: nights.length }),
    ...reasonsAgainst('departure', termsAt(room, checkOut)),
  ]);
  if (reasons.some((reason) => reason !== 'sold_out')) return { price: null, reasons };

  const base: PriceLine[] = nights.map(({ date, priceMinor }) => ({
    kind: 'night',
    date,
    amountMinor: priceMinor ?? 0,
  }));
  return { price: priceOf(base, hotel), reasons };
};

const priceOf = (base: readonly PriceLine[], { currency, charges }: PricingHotel): StayPrice => {
  const baseMinor = sumOf(base);
  const added = charges.map((charge) => ({
    kind: charge.kind,
    name: charge.name,
    amountMinor: 'bps' in charge ? percentage(baseMinor, charge.bps) : charge.perNightMinor * base.length,
  }));
  const taxesMinor = sumOf(added.filter(({ kind }) => kind === 'tax'));
  const feesMinor = sumOf(added.filter(({ kind }) => kind === 'fee'));
  const totalMinor = baseMinor + taxesMinor + feesMinor;
  return { currency, nights: base.length, lines: [...base, ...added], baseMinor, taxesMinor, feesMinor, totalMinor };
};
