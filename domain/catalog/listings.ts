/** The kinds of listing: which roles may own one, and which inventory belongs to it. */
import type { TObject } from '@sinclair/typebox';
import { isSeller, type Role, roles } from '../accounts/role.ts';
import type { AnyEvent, Decider } from '../core/decider.ts';
import { CompanyDetails, company } from './company.ts';
import { defaultConfirmation } from './confirmation.ts';
import { HotelDetails, hotel } from './hotel.ts';
import { InstructorDetails, instructor } from './instructor.ts';
import type { Listing, ListingCommand, OpenListing } from './listing.ts';
import { NO_OVERLAPPING } from './onePlace.ts';
import { RestaurantDetails, restaurant } from './restaurant.ts';
import { coversCells, isOpen } from './slots.ts';
import { departs, TourDetails, tour } from './tour.ts';
import { otherEnd, TransferDetails, transfer } from './transfer.ts';

/** How many of an inventory item can be sold at each of its keys. */
export interface Stock {
  readonly unitId: string;
  readonly capacity: number;
  /** The largest party that one takes, where the inventory does not count people. */
  readonly party?: number;
}

/** When a listing is offered. */
interface OfferedTimes<Details> {
  /** The details field that says it. */
  readonly field: keyof Details & string;
  /** Whether the listing offers what holds these keys, closed dates aside. */
  readonly include: (listing: OpenListing<Details>, keys: readonly string[]) => boolean;
}

export interface ListingKind<Details extends object, Event extends AnyEvent = AnyEvent> {
  readonly decider: Decider<Listing<Details>, ListingCommand<Details>, Event>;
  readonly details: TObject;
  /** Details of a new listing that does not say them. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Roles that may own such a listing. Admins may add one for them. */
  readonly owners: readonly Role[];
  /**
   * The details field that lists parts with a stock of their own, such as tables. Each part's id is the id of its
   * inventory.
   */
  readonly parts: (keyof Details & string) | null;
  /** Absent where the listing does not say when what it sells is offered. */
  readonly times?: OfferedTimes<Details>;
  /** The field whose change makes another product of what is booked; undefined: none does. Absent: no change does. */
  readonly becomesAnother?: (before: Details, after: Details) => (keyof Details & string) | undefined;
  /** The inventory behind a listing. */
  readonly stockOf: (id: string, details: Readonly<Details>) => readonly Stock[];
}

/** Admins may own a listing of any kind. */
export const mayOwn = (role: Role, { owners }: Pick<ListingKind<object>, 'owners'>): boolean =>
  role === 'admin' || owners.includes(role);

const kind = <Details extends object, Event extends AnyEvent>(
  declared: ListingKind<Details, Event>,
): ListingKind<Details, Event> => declared;

const unitsOf = (parts: readonly { readonly id: string; readonly units: number; readonly seats: number }[]): Stock[] =>
  parts.map(({ id, units, seats }) => ({ unitId: id, capacity: units, party: seats }));

export const listingKinds = {
  hotel: kind({
    decider: hotel,
    details: HotelDetails,
    defaults: { confirmation: defaultConfirmation.hotel },
    owners: ['hotelier'],
    parts: null,
    // Each room has a stock of its own.
    stockOf: () => [],
  }),
  tour: kind({
    decider: tour,
    details: TourDetails,
    defaults: { confirmation: defaultConfirmation.tour, ...NO_OVERLAPPING },
    owners: ['tour_operator'],
    parts: null,
    times: {
      field: 'schedule',
      include: (of, [departure = '']) => departs({ ...of, closedDates: [] }, departure),
    },
    stockOf: (unitId, { seats }) => [{ unitId, capacity: seats }],
  }),
  restaurant: kind({
    decider: restaurant,
    details: RestaurantDetails,
    defaults: { confirmation: defaultConfirmation.restaurant, ...NO_OVERLAPPING },
    owners: ['restaurant'],
    parts: 'tables',
    times: {
      field: 'openingHours',
      include: ({ openingHours, timezone }, cells) => coversCells(openingHours, timezone, cells),
    },
    stockOf: (_, { tables }) => unitsOf(tables),
  }),
  transfer: kind({
    decider: transfer,
    details: TransferDetails,
    defaults: { confirmation: defaultConfirmation.transfer },
    owners: ['transfer_provider'],
    parts: 'vehicles',
    times: {
      field: 'serviceHours',
      // A ride begins in them and may end later.
      include: ({ serviceHours: hours, timezone }, [start = '']) =>
        isOpen({ hours, closedDates: [], timezone }, start, start),
    },
    becomesAnother: otherEnd,
    stockOf: (_, { vehicles }) => unitsOf(vehicles),
  }),
  instructor: kind({
    decider: instructor,
    details: InstructorDetails,
    defaults: { confirmation: defaultConfirmation.instructor, ...NO_OVERLAPPING },
    owners: ['instructor'],
    parts: null,
    times: {
      field: 'workingHours',
      include: ({ workingHours, timezone }, cells) => coversCells(workingHours, timezone, cells),
    },
    stockOf: (unitId, { maxGroup }) => [{ unitId, capacity: 1, party: maxGroup }],
  }),
  company: kind({
    decider: company,
    details: CompanyDetails,
    owners: roles.filter(isSeller),
    parts: null,
    stockOf: () => [],
  }),
} as const;
