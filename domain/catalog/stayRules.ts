/**
 * The rules of a stay: each says of what part of a stay it speaks, when it forbids the stay, and how a person is told. They
 * are stated here once. Whoever wants to know why something is not sold asks `reasonsAgainst`; the index of hotels asks it
 * when a night changes, and keeps the answers.
 */
import { addDays, daysBetween, instantIn, todayIn } from '../core/dates.ts';
import { isTooLateToAsk } from './confirmation.ts';
import type { Hotel } from './hotel.ts';
import { MAX_DAYS_AHEAD, type NightTerms, type Room, termsAt } from './room.ts';

export const MAX_NIGHTS = 30;
/** From when on guests may come, by the hotel's clocks. */
export const CHECK_IN_FROM = '14:00';

/** The nights that a hotel sells at an instant: from `firstNight` up to, not including, `end`. */
export interface NightsOnSale {
  /** The date it is at the property. */
  readonly today: string;
  /** Tomorrow when it is too late to ask the seller for tonight. */
  readonly firstNight: string;
  readonly end: string;
}

/** Whatever the hotel. */
const onSaleFrom = (today: string, firstNight = today): NightsOnSale => ({
  today,
  firstNight,
  end: addDays(today, MAX_DAYS_AHEAD),
});

/** @param at now, RFC 3339 */
export const nightsOnSale = ({ timezone, confirmation }: Pick<Hotel, 'timezone' | 'confirmation'>, at: string) => {
  const today = todayIn(timezone, at);
  const isLate = isTooLateToAsk(confirmation, instantIn(timezone, today, CHECK_IN_FROM), at);
  return onSaleFrom(today, isLate ? addDays(today, 1) : today);
};

/** A night of a room: its price and rules, and how many rooms are left. */
export interface OfferedNight extends NightTerms {
  readonly left: number;
}

/** `YYYY-MM-DD`; the guests leave on `checkOut`, which is no night of theirs. */
export interface StayDates {
  readonly checkIn: string;
  readonly checkOut: string;
}

/** The parts of a stay that rules speak of. */
interface Parts {
  readonly hotel: Pick<Hotel, 'status'>;
  readonly dates: StayDates & NightsOnSale;
  readonly party: { readonly guests: number; readonly capacity: number };
  /** Each night of the stay. */
  readonly night: Pick<OfferedNight, 'priceMinor' | 'stopSell' | 'left'>;
  /** The first night, and the number of nights. */
  readonly arrival: Pick<NightTerms, 'minStay' | 'maxStay' | 'closedToArrival'> & { readonly nights: number };
  /** The night after the last one. */
  readonly departure: Pick<NightTerms, 'closedToDeparture'>;
}
type Part = keyof Parts;

interface Rule {
  readonly of: Part;
  readonly words: string;
  readonly forbids: (part: never) => boolean;
}
const rule = <P extends Part>(of: P, words: string, forbids: (part: Parts[P]) => boolean): Rule => ({
  of,
  words,
  forbids,
});

/** In the order in which they are told. */
const rules = {
  closed: rule('hotel', 'the hotel takes no bookings', ({ status }) => status !== 'published'),
  past: rule('dates', 'the dates have passed', ({ checkIn, today }) => checkIn < today),
  too_late: rule(
    'dates',
    'the seller could not confirm it in time',
    ({ checkIn, today, firstNight }) => today <= checkIn && checkIn < firstNight,
  ),
  too_long: rule(
    'dates',
    `a stay has at most ${MAX_NIGHTS} nights`,
    ({ checkIn, checkOut }) => daysBetween(checkIn, checkOut) > MAX_NIGHTS,
  ),
  too_far: rule('dates', `it ends more than ${MAX_DAYS_AHEAD} days ahead`, ({ checkOut, end }) => checkOut > end),
  capacity: rule('party', 'the room is for fewer guests', ({ guests, capacity }) => guests > capacity),
  not_priced: rule('night', 'not all nights have a price', ({ priceMinor }) => priceMinor === null),
  stop_sell: rule('night', 'some of the nights are not for sale', ({ stopSell }) => stopSell),
  min_stay: rule('arrival', 'a longer stay is required', ({ minStay, nights }) => minStay !== null && nights < minStay),
  max_stay: rule(
    'arrival',
    'only shorter stays are taken',
    ({ maxStay, nights }) => maxStay !== null && nights > maxStay,
  ),
  closed_to_arrival: rule('arrival', 'nobody can arrive on the first day', ({ closedToArrival }) => closedToArrival),
  closed_to_departure: rule(
    'departure',
    'nobody can leave on the last day',
    ({ closedToDeparture }) => closedToDeparture,
  ),
  sold_out: rule('night', 'no room is left on some of the nights', ({ left }) => left < 1),
};
export type UnavailableReason = keyof typeof rules;
/** In the order in which they are told. */
export const unavailableReasonCodes = Object.keys(rules) as UnavailableReason[];

const forbids = <P extends Part>(reason: UnavailableReason, of: P, part: Parts[P]): boolean =>
  rules[reason].of === of && rules[reason].forbids(part as never);

/** Why a stay is not bookable, in words for a person. */
export const unavailableReasons = Object.fromEntries(
  unavailableReasonCodes.map((reason) => [reason, rules[reason].words]),
) as Readonly<Record<UnavailableReason, string>>;

/** The reasons that a part of a stay has against it. */
export const reasonsAgainst = <P extends Part>(of: P, part: Parts[P]): UnavailableReason[] =>
  unavailableReasonCodes.filter((reason) => forbids(reason, of, part));

/** Whether a part of a stay has nothing against it. */
export const isAllowed = <P extends Part>(of: P, part: Parts[P]): boolean =>
  !unavailableReasonCodes.some((reason) => forbids(reason, of, part));

/** Once each, in the order in which they are told. */
export const inOrder = (reasons: Iterable<UnavailableReason>): UnavailableReason[] => {
  const given = new Set(reasons);
  return given.size === 0 ? [] : unavailableReasonCodes.filter((reason) => given.has(reason));
};

/** Reasons that hold for every hotel where it is this date. The caller refuses a stay of no nights. */
export const datesAgainst = ({ today, ...dates }: StayDates & { readonly today: string }): UnavailableReason[] =>
  reasonsAgainst('dates', { ...dates, ...onSaleFrom(today) });

/** The price of a night, in minor units; null: it cannot be booked. */
export const priceIfSold = (night: Parts['night']): number | null =>
  isAllowed('night', night) ? night.priceMinor : null;

/** The lowest price at which a room sells one of these nights; null: none can be booked. @param left how many rooms */
export const lowestPrice = (
  room: Pick<Room, 'nights' | 'nightPriceMinor'>,
  nights: readonly string[],
  left: (night: string) => number,
): number | null =>
  nights.reduce<number | null>((lowest, night) => {
    const price = priceIfSold({ ...termsAt(room, night), left: left(night) });
    return price !== null && (lowest === null || price < lowest) ? price : lowest;
  }, null);
