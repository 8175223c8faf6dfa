/** A restaurant: tables of several sizes, booked for a sitting. A booking costs a deposit or nothing. */
import { type Static, Type } from '@sinclair/typebox';
import { Rejected } from '../core/decider.ts';
import { addMinutes } from '../core/instants.ts';
import { Uuid } from '../core/schema.ts';
import { Confirmation, defaultConfirmation } from './confirmation.ts';
import { CancellationTerms, Images, Location, listing, type OpenListing, Price, Text } from './listing.ts';
import { AllowOverlapping, NO_OVERLAPPING } from './onePlace.ts';
import { itemLine } from './priceLine.ts';
import { ClosedDates, Hours, Minutes, openingDateOf, quoted, type SlotQuote, timeAgainst } from './slots.ts';

/** Tables of one type. The id is the inventory's. */
export const Table = Type.Object({
  id: Uuid,
  name: Text(100),
  seats: Type.Integer({ minimum: 1, maximum: 100 }),
  /** The number of them; 0 takes them out of sale. */
  units: Type.Integer({ minimum: 0, maximum: 1_000 }),
});
export type Table = Static<typeof Table>;

export const RestaurantDetails = Type.Object({
  name: Text(200),
  city: Text(100),
  address: Text(300),
  description: Type.String({ maxLength: 10_000 }),
  cuisines: Type.Array(Text(60), { maxItems: 30, uniqueItems: true }),
  images: Images,
  location: Location,
  /** The average bill of a guest. */
  averageBillMinor: Price,
  openingHours: Hours,
  closedDates: ClosedDates,
  /** How long a table is taken. */
  sittingMinutes: Minutes(12 * 60),
  depositPerGuestMinor: Price,
  tables: Type.Array(Table, { maxItems: 100 }),
  cancellationPolicy: CancellationTerms,
  confirmation: Confirmation,
  allowOverlapping: AllowOverlapping,
});
export type RestaurantDetails = Static<typeof RestaurantDetails>;
export type OpenRestaurant = OpenListing<RestaurantDetails>;

/** @throws Rejected `invalid` where two have one id */
export const refuseTwins = (items: readonly { readonly id: string }[], what: 'tables' | 'vehicles'): void => {
  if (new Set(items.map(({ id }) => id)).size < items.length)
    throw new Rejected('invalid', `Two ${what} have the same id. Give each its own.`, { fields: [what] });
};

export const { events: restaurantEvents, decider: restaurant } = listing({
  name: 'Restaurant',
  noun: 'restaurant',
  details: RestaurantDetails,
  defaults: { confirmation: defaultConfirmation.restaurant, ...NO_OVERLAPPING },
  check: ({ tables }: RestaurantDetails) => refuseTwins(tables, 'tables'),
});

/** Tables that seat this many, the smallest first. */
export const tablesFor = (tables: readonly Table[], guests: number): Table[] =>
  tables.filter(({ seats, units }) => seats >= guests && units > 0).sort((a, b) => a.seats - b.seats);

export const quoteTable = (
  of: Pick<
    OpenRestaurant,
    'status' | 'confirmation' | 'openingHours' | 'closedDates' | 'timezone' | 'sittingMinutes' | 'depositPerGuestMinor'
  >,
  table: Pick<Table, 'seats'>,
  { slotStart, guests, at }: { slotStart: string; guests: number; at: string },
): SlotQuote => {
  const slotEnd = addMinutes(slotStart, of.sittingMinutes);
  const startsOn = openingDateOf({ ...of, hours: of.openingHours }, slotStart, slotEnd);
  return quoted(
    [...timeAgainst(of, slotStart, at), guests > table.seats && 'capacity', startsOn === null && 'not_offered'],
    () => ({
      ...(startsOn !== null && { startsOn }),
      slotStart: addMinutes(slotStart, 0),
      slotEnd,
      lines: of.depositPerGuestMinor > 0 ? [itemLine('deposit', guests, of.depositPerGuestMinor)] : [],
    }),
  );
};
