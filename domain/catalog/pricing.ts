/** The price of a stay, or the reasons why it is not bookable. Availability is decided by the inventory. */
import { addDays, datesBetween, daysBetween, instantIn } from '../core/dates.ts';
import { isAfter } from '../core/instants.ts';
import { percentage } from '../core/money.ts';
import { isTooLateToAsk } from './confirmation.ts';
import type { Hotel } from './hotel.ts';
import { type PriceLine, sumOf } from './priceLine.ts';
import { MAX_DAYS_AHEAD, type NightTerms, type Room, termsAt, UNPRICED } from './room.ts';

export const MAX_NIGHTS = 30;

/** Why a stay is not bookable, in words for a person. */
export const unavailableReasons = {
  closed: 'the hotel takes no bookings',
  past: 'the dates have passed',
  too_late: 'the seller could not confirm it in time',
  too_long: `a stay has at most ${MAX_NIGHTS} nights`,
  too_far: `it ends more than ${MAX_DAYS_AHEAD} days ahead`,
  capacity: 'the room is for fewer guests',
  not_priced: 'not all nights have a price',
  stop_sell: 'some of the nights are not for sale',
  min_stay: 'a longer stay is required',
  max_stay: 'only shorter stays are taken',
  closed_to_arrival: 'nobody can arrive on the first day',
  closed_to_departure: 'nobody can leave on the last day',
};
export type UnavailableReason = keyof typeof unavailableReasons;
/** In the order in which they are told. */
export const unavailableReasonCodes = Object.keys(unavailableReasons) as UnavailableReason[];

export interface StayRequest {
  /** `YYYY-MM-DD`; the guests leave on `checkOut`, which is no night of theirs. */
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
  /** The date it is at the property (`todayIn`). */
  readonly today: string;
  /** Now, RFC 3339. */
  readonly at: string;
}

/** When guests may come and when they leave, by the hotel's clocks. */
export const CHECK_IN_FROM = '14:00';
const CHECK_OUT_BY = '12:00';

/** The instants between which a stay lies. */
export const stayTimes = (
  timezone: string,
  { checkIn, checkOut }: Pick<StayRequest, 'checkIn' | 'checkOut'>,
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

/** Either a price, or the reasons against it in the order of `unavailableReasonCodes`. */
export type StayQuote =
  | { readonly price: StayPrice; readonly reasons: readonly [] }
  | { readonly price: null; readonly reasons: readonly UnavailableReason[] };

/** The fields of a room and its hotel that a price depends on. Aggregates have them, and so do rows of read models. */
export type PricedRoom = Pick<Room, 'capacity' | 'nights' | 'nightPriceMinor'>;
export type PricingHotel = Pick<Hotel, 'status' | 'currency' | 'charges' | 'timezone' | 'confirmation'>;

export const quoteStay = (room: PricedRoom, hotel: PricingHotel, stay: StayRequest): StayQuote => {
  const wrong = new Set<UnavailableReason>(datesAgainst(stay));
  if (hotel.status !== 'published') wrong.add('closed');
  if (stay.guests > room.capacity) wrong.add('capacity');
  const { startsAt } = stayTimes(hotel.timezone, stay);
  if (!wrong.has('past') && isTooLateToAsk(hotel.confirmation, startsAt, stay.at)) wrong.add('too_late');
  if (wrong.has('too_long') || wrong.has('too_far')) return { price: null, reasons: inOrder(wrong) };

  const nights = datesBetween(stay.checkIn, stay.checkOut).map((date) => ({ date, terms: termsAt(room, date) }));
  for (const reason of rulesAgainst(
    nights.map(({ terms }) => terms),
    termsAt(room, stay.checkOut),
  ))
    wrong.add(reason);
  if (wrong.size > 0) return { price: null, reasons: inOrder(wrong) };

  const base: PriceLine[] = nights.map(({ date, terms }) => ({
    kind: 'night',
    date,
    amountMinor: terms.priceMinor ?? 0,
  }));
  return { price: priceOf(base, hotel), reasons: [] };
};

const inOrder = (wrong: ReadonlySet<UnavailableReason>): UnavailableReason[] =>
  unavailableReasonCodes.filter((reason) => wrong.has(reason));

/** Reasons that hold for every room. The caller refuses a stay of no nights. */
export const datesAgainst = ({ checkIn, checkOut, today }: Omit<StayRequest, 'guests' | 'at'>): UnavailableReason[] => [
  ...(checkIn < today ? (['past'] as const) : []),
  ...(daysBetween(checkIn, checkOut) > MAX_NIGHTS ? (['too_long'] as const) : []),
  ...(daysBetween(today, checkOut) > MAX_DAYS_AHEAD ? (['too_far'] as const) : []),
];

const rulesAgainst = function* (nights: readonly NightTerms[], departure: NightTerms): Generator<UnavailableReason> {
  const [arrival = UNPRICED] = nights;
  if (nights.some(({ priceMinor }) => priceMinor === null)) yield 'not_priced';
  if (nights.some(({ stopSell }) => stopSell)) yield 'stop_sell';
  if (arrival.minStay !== null && nights.length < arrival.minStay) yield 'min_stay';
  if (arrival.maxStay !== null && nights.length > arrival.maxStay) yield 'max_stay';
  if (arrival.closedToArrival) yield 'closed_to_arrival';
  if (departure.closedToDeparture) yield 'closed_to_departure';
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
