/**
 * A room type of a hotel: its capacity, the number of rooms, and the price and rules of each night. Availability is
 * decided by the inventory.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { addDays, datesBetween, daysBetween, WEEKDAYS, weekdayOf } from '../core/dates.ts';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected, snapshot } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { Currency, DateOnly, Nullable, OneOf, Uuid } from '../core/schema.ts';
import { Amenities } from './hotel.ts';
import { Images, Price } from './listing.ts';
import { sealed, sealing } from './sealed.ts';

/** How far ahead nights are sold: from today up to, not including, this many days on. */
export const MAX_DAYS_AHEAD = 500;

export const RoomDetails = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.String({ maxLength: 10_000 }),
  /** Guests. */
  capacity: Type.Integer({ minimum: 1, maximum: 50 }),
  /** How many rooms of this kind there are; 0 takes it out of sale. */
  units: Type.Integer({ minimum: 0, maximum: 10_000 }),
  /** `price_per_night`. See `sellsNights`. */
  basePriceMinor: Price,
  amenities: Amenities,
  images: Images,
});
export type RoomDetails = Static<typeof RoomDetails>;

const Stay = Nullable(Type.Integer({ minimum: 1, maximum: 365 }));
/** A night's price and rules. Stay lengths and `closedToArrival` bind guests who arrive on it. */
export const NightTerms = Type.Object({
  /** null: not for sale. */
  priceMinor: Nullable(Price),
  stopSell: Type.Boolean(),
  minStay: Stay,
  maxStay: Stay,
  closedToArrival: Type.Boolean(),
  /** For guests who would leave on this date. */
  closedToDeparture: Type.Boolean(),
});
export type NightTerms = Static<typeof NightTerms>;
const OwnTerms = Type.Composite([
  Type.Omit(NightTerms, ['priceMinor']),
  Type.Partial(Type.Pick(NightTerms, ['priceMinor'])),
]);
/** What was set for a night. Without a price of its own it has that of the room. */
export type OwnTerms = Static<typeof OwnTerms>;

/** Sets the given fields on every night from `from` up to, not including, `to`; with weekdays, only on those. */
export const NightRange = Type.Object({
  from: DateOnly,
  to: DateOnly,
  weekdays: Type.Optional(Type.Array(OneOf(WEEKDAYS), { minItems: 1, uniqueItems: true })),
  ...Type.Partial(NightTerms).properties,
});
export type NightRange = Static<typeof NightRange>;
export const MAX_RANGES = 200;

const stored = sealed(RoomDetails);
/** Of the hotel. The first version of these events named none. */
const ownerId = Type.Optional(Uuid);
/**
 * `basePriceMinor` is the price of nights without one of their own. Absent in events of before: it was shown where no dates
 * were given, and such nights were not for sale.
 */
const sellsNights = Type.Optional(Type.Literal(true));
const roomEvents = {
  RoomAdded: {
    data: Type.Object({ hotelId: Uuid, ownerId, currency: Currency, sellsNights, ...stored.properties }),
    ...sealing(),
  },
  RoomDetailsChanged: { data: Type.Object({ ownerId, sellsNights, ...Type.Partial(stored).properties }), ...sealing() },
  /** Ranges apply in order: a later one overrides. */
  RoomNightsPriced: {
    data: Type.Object({ hotelId: Uuid, ranges: Type.Array(NightRange, { minItems: 1, maxItems: MAX_RANGES }) }),
  },
} as const satisfies EventDeclarations;
export type RoomEvent = EventsOf<typeof roomEvents>;

export type RoomCommand =
  | ({
      readonly type: 'AddRoom';
      readonly hotelId: string;
      readonly ownerId: string;
      readonly currency: string;
    } & RoomDetails)
  /** `ownerId`: that of the hotel. */
  | ({ readonly type: 'ChangeRoomDetails'; readonly ownerId: string } & Partial<RoomDetails>)
  /** Says all that the room shows once more, now that its owner is known, so that it is sealed. */
  | { readonly type: 'SealRoom'; readonly ownerId: string }
  /** `today` in the hotel's time zone. */
  | { readonly type: 'PriceNights'; readonly ranges: readonly NightRange[]; readonly today: string };

export interface Room extends Readonly<RoomDetails> {
  /** null: never added. */
  readonly hotelId: string | null;
  /** null: the events of before name nobody, and are in plain. */
  readonly ownerId: string | null;
  readonly currency: string;
  /** The price of nights without one of their own; null: they are not for sale. */
  readonly nightPriceMinor: number | null;
  /** By date. A night that is absent has no price or rules of its own. */
  readonly nights: ReadonlyMap<string, OwnTerms>;
}

const initial: Room = {
  hotelId: null,
  ownerId: null,
  currency: 'XXX',
  name: '',
  description: '',
  capacity: 0,
  units: 0,
  basePriceMinor: 0,
  amenities: [],
  images: [],
  nightPriceMinor: null,
  nights: new Map(),
};

/** A night without rules. */
const NO_RULES: OwnTerms = {
  stopSell: false,
  minStay: null,
  maxStay: null,
  closedToArrival: false,
  closedToDeparture: false,
};

/** A night without a price or rules. */
export const UNPRICED: NightTerms = { priceMinor: null, ...NO_RULES };

/** The price and rules of a night: its own, or the price of the room. */
export const termsOf = (own: OwnTerms = NO_RULES, nightPriceMinor: number | null): NightTerms => {
  // Field by field: an index has millions of nights, and objects made by spreading took ten times as long.
  const { priceMinor = nightPriceMinor, stopSell, minStay, maxStay, closedToArrival, closedToDeparture } = own;
  return { priceMinor, stopSell, minStay, maxStay, closedToArrival, closedToDeparture };
};
export const termsAt = ({ nights, nightPriceMinor }: Pick<Room, 'nights' | 'nightPriceMinor'>, night: string) =>
  termsOf(nights.get(night), nightPriceMinor);

/** The price of nights from a price of the room. 0 is no price: it was entered where every night has its own. */
export const nightPriceOf = (basePriceMinor: number): number | null => (basePriceMinor > 0 ? basePriceMinor : null);

/** Whether a range includes a night. */
export const covers = ({ from, to, weekdays }: NightRange, night: string): boolean =>
  from <= night && night < to && (weekdays === undefined || weekdays.includes(weekdayOf(night)));

/** The nights that a range includes. */
export const nightsOf = (range: NightRange): string[] =>
  datesBetween(range.from, range.to).filter((night) => covers(range, night));

/** The fields that a range sets. */
export const termsSetBy = ({ from, to, weekdays, ...terms }: NightRange): Partial<NightTerms> => terms;

const withRanges = (nights: Room['nights'], ranges: readonly NightRange[]): Map<string, OwnTerms> => {
  const next = new Map(nights);
  for (const range of ranges) {
    // Equal nights share one object: a season needs a few objects, not hundreds.
    const made = new Map<OwnTerms, OwnTerms>();
    for (const night of nightsOf(range)) {
      const before = next.get(night) ?? NO_RULES;
      const after = made.get(before) ?? { ...before, ...termsSetBy(range) };
      made.set(before, after);
      next.set(night, after);
    }
  }
  return next;
};

/**
 * Without the nights that were past when these ranges were set: no range ends further ahead than `MAX_DAYS_AHEAD`. Two
 * days more for the differences of time zones.
 */
const withoutPast = (nights: Room['nights'], ranges: readonly NightRange[]) => {
  const furthest = ranges.reduce((latest, { to }) => (to > latest ? to : latest), '');
  const past = addDays(furthest, -MAX_DAYS_AHEAD - 2);
  return new Map([...nights].filter(([night]) => night >= past));
};

const decide = (command: RoomCommand, state: Room): RoomEvent[] => {
  if (command.type === 'AddRoom') return add(command, state);
  if (state.hotelId === null) throw notFound('room');
  switch (command.type) {
    case 'ChangeRoomDetails': {
      const { type, ownerId, ...changes } = command;
      const data = { ...differences(state, changes), ...priceSent(state, changes) };
      return Object.keys(data).length > 0 ? changed(state, ownerId, data) : [];
    }
    case 'SealRoom':
      return state.ownerId === null ? changed(state, command.ownerId, {}) : [];
    case 'PriceNights':
      return price(command, state, state.hotelId);
  }
};

const add = ({ type, ...data }: Extract<RoomCommand, { type: 'AddRoom' }>, state: Room): RoomEvent[] => {
  if (state.hotelId === null) return [{ type: 'RoomAdded', data: { ...data, sellsNights: true } }];
  const { ownerId, ...same } = data;
  if (Object.keys(differences(state, same)).length > 0)
    throw new Rejected('conflict', 'This room already exists with other details.');
  return [];
};

/** A price that was sent sells the nights that have none of their own, also where it is the same as before. */
const priceSent = ({ nightPriceMinor }: Room, { basePriceMinor }: Partial<RoomDetails>) =>
  basePriceMinor === undefined || nightPriceOf(basePriceMinor) === nightPriceMinor
    ? {}
    : { basePriceMinor, sellsNights: true as const };

/** The first change with an owner says all that the room shows: what was in plain is then sealed. */
const changed = (
  { ownerId: known, ...state }: Room,
  ownerId: string,
  data: Partial<RoomDetails> & { readonly sellsNights?: true },
): RoomEvent[] => {
  const { hotelId, currency, nights, nightPriceMinor, ...details } = state;
  return [{ type: 'RoomDetailsChanged', data: { ownerId, ...(known === null && details), ...data } }];
};

const price = (
  { ranges, today }: Extract<RoomCommand, { type: 'PriceNights' }>,
  state: Room,
  hotelId: string,
): RoomEvent[] => {
  for (const [index, { from, to }] of ranges.entries()) {
    const fields = [`ranges/${index}/to`] as const;
    if (from >= to)
      throw new Rejected(
        'invalid',
        `There is no night between ${from} and ${to}. The end must be later than the start.`,
        { fields },
      );
    if (to <= today)
      throw new Rejected('invalid', `The nights before ${to} are in the past and cannot be changed.`, { fields });
    if (daysBetween(today, to) > MAX_DAYS_AHEAD || daysBetween(from, to) > MAX_DAYS_AHEAD)
      throw new Rejected(
        'invalid',
        `Prices can be set for at most ${MAX_DAYS_AHEAD} days ahead and at most ${MAX_DAYS_AHEAD} nights at once.`,
        { fields },
      );
  }
  const priced = withRanges(state.nights, ranges);
  for (const [night, { minStay, maxStay }] of priced)
    if (minStay !== null && maxStay !== null && minStay > maxStay)
      throw new Rejected(
        'invalid',
        `On ${night} the minimum stay (${minStay}) would be longer than the maximum stay (${maxStay}).`,
        { fields: ['ranges'] },
      );
  const changed = [...priced].some(([night, terms]) => !isDeepStrictEqual(terms, state.nights.get(night)));
  return changed ? [{ type: 'RoomNightsPriced', data: { hotelId, ranges: [...ranges] } }] : [];
};

const evolve = (state: Room, event: RoomEvent): Room => {
  switch (event.type) {
    case 'RoomAdded': {
      const { sellsNights: sells, ...added } = event.data;
      const nightPriceMinor = sells ? nightPriceOf(added.basePriceMinor) : null;
      return { ownerId: null, ...added, nightPriceMinor, nights: new Map() };
    }
    case 'RoomDetailsChanged': {
      const { sellsNights: sells, ...changes } = event.data;
      const after = { ...state, ...changes };
      return sells ? { ...after, nightPriceMinor: nightPriceOf(after.basePriceMinor) } : after;
    }
    case 'RoomNightsPriced':
      return { ...state, nights: withRanges(withoutPast(state.nights, event.data.ranges), event.data.ranges) };
  }
};

export const room: Decider<Room, RoomCommand, RoomEvent> = {
  category: 'room',
  events: roomEvents,
  initial,
  decide,
  evolve,
  snapshot: snapshot({
    version: 3,
    packed: Type.Object({
      hotelId: Nullable(Uuid),
      ownerId: Nullable(Uuid),
      currency: Type.String(),
      ...sealed(Type.Object({ ...RoomDetails.properties, name: Type.String(), capacity: Type.Integer() })).properties,
      nightPriceMinor: Nullable(Price),
      nights: Type.Record(Type.String(), OwnTerms),
    }),
    pack: ({ nights, ...state }: Room) => ({ ...state, nights: Object.fromEntries(nights) }),
    unpack: ({ nights, ...state }) => ({ ...state, nights: new Map(Object.entries(nights)) }),
    sealedFor: ({ ownerId }) => (ownerId === null ? null : { seller: ownerId }),
  }),
};
