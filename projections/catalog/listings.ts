/** Listings of all kinds, including closed ones: one table for each kind, declared by its details. */

import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import { CompanyDetails } from '../../domain/catalog/company.ts';
import { defaultConfirmation } from '../../domain/catalog/confirmation.ts';
import { HotelDetails } from '../../domain/catalog/hotel.ts';
import { InstructorDetails } from '../../domain/catalog/instructor.ts';
import { listingStatuses } from '../../domain/catalog/listing.ts';
import { RestaurantDetails } from '../../domain/catalog/restaurant.ts';
import { sealed } from '../../domain/catalog/sealed.ts';
import { TourDetails } from '../../domain/catalog/tour.ts';
import { TransferDetails } from '../../domain/catalog/transfer.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { minorPerMajor } from '../../domain/core/money.ts';
import { Currency, Instant, OneOf, Uuid } from '../../domain/core/schema.ts';
import { staysBecause } from '../../infra/holding.ts';
import { type SnakeSchema, snakeSchema, toSnake } from '../../infra/naming.ts';
import { existing, type ReadModel, type RowOf, readModel } from '../engine/readModel.ts';
import { personalOfOwner } from './forgotten.ts';
import { listingForm } from './listingForm.ts';

/** The columns that all kinds have. */
const Common = {
  id: Uuid,
  owner_id: Uuid,
  status: OneOf(listingStatuses),
  timezone: Type.String(),
  currency: Currency,
  /** Prices are stored in minor units and filtered in major ones. */
  minor_per_major: Type.Integer(),
  created_at: Instant,
  updated_at: Instant,
};
export type CommonRow = Static<TObject<typeof Common>>;
type Row<P extends TProperties> = TObject<typeof Common & SnakeSchema<TObject<P>>['properties']>;

/** Full-text search over these columns. The index and the query must use the same expression. */
const searching = (columns: string): string => `to_tsvector('simple', ${columns.split(', ').join(" || ' ' || ")})`;

export interface ListingModel<P extends TProperties = TProperties, N extends string = string>
  extends ReadModel<Row<P>, 'id', N> {
  /** The text vector that is searched for words, as SQL. */
  readonly searchedText: string;
}

type Added = Recorded<{ type: string; data: { ownerId: string; timezone: string; currency: string } }>;
type Changed = Recorded<{ type: string; data: { ownerId: string } }>;

interface Declared<P extends TProperties> {
  readonly name: string;
  /** Raise it when the details change: the table is then rebuilt. 1 by default. */
  readonly version?: number;
  readonly details: TObject<P>;
  /** The values of details that did not exist before, for events stored before. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The columns, as SQL, that are searched for words. */
  readonly searched: string;
  /** By default those that find the listings of a city. */
  readonly indexes?: readonly string[];
  /** As of a read model. */
  readonly storesWire?: boolean;
  /** As of the kind. */
  readonly isOfResort?: boolean;
  /** Whether other processes keep them in memory. */
  readonly isFollowed?: boolean;
}

export const listingModel = <P extends TProperties, const N extends string>(
  table: N,
  {
    name,
    version = 1,
    details,
    defaults = {},
    searched,
    indexes = ['lower(city), status', 'status, name, id'],
    storesWire = false,
    isOfResort = false,
    isFollowed = false,
  }: Declared<P>,
): ListingModel<P, N> => {
  const searchedText = searching(searched);
  const set = (row: CommonRow | undefined, at: string, more: object): CommonRow => ({
    ...existing(row),
    ...more,
    updated_at: at,
  });
  const on = {
    [`${name}Added`]: (_: CommonRow | undefined, { data, streamId, at }: Added): CommonRow => ({
      id: streamId,
      ...toSnake(defaults),
      ...toSnake(data),
      status: 'closed',
      minor_per_major: minorPerMajor(data.currency),
      created_at: at,
      updated_at: at,
    }),
    [`${name}DetailsChanged`]: (row: CommonRow | undefined, { data, at }: Changed) => set(row, at, toSnake(data)),
    [`${name}Published`]: (row: CommonRow | undefined, { at }: Recorded) => set(row, at, { status: 'published' }),
    [`${name}Closed`]: (row: CommonRow | undefined, { at }: Recorded) => set(row, at, { status: 'closed' }),
  };
  const columns = snakeSchema(isOfResort ? (details as TObject) : sealed(details as TObject));
  const row: TObject = Type.Object({ ...Common, ...columns.properties });
  // The handlers see the columns that all kinds have; queries see those of the kind.
  const model = readModel(table, {
    version,
    row: row as TObject<typeof Common>,
    key: 'id',
    on,
    wire: listingForm(details as TObject),
    storesWire,
    personal: { ...personalOfOwner(columns), erased: staysBecause.sold },
    indexes: [...indexes, 'owner_id', `gin ${searchedText}`],
    ...(isFollowed && { announce: (keys: readonly { id: string }[]) => keys.map(({ id }) => id) }),
  });
  return { ...model, row: row as Row<P>, searchedText };
};

/** The lowest price of a hotel is computed from the nights of its rooms at query time: `hotelSearch.ts`. */
export const hotels = listingModel('hotels', {
  name: 'Hotel',
  version: 4,
  details: HotelDetails,
  storesWire: true,
  defaults: { confirmation: defaultConfirmation.hotel },
  searched: 'name, city, address, description',
  isFollowed: true,
});
export const tours = listingModel('tours', {
  name: 'Tour',
  version: 4,
  details: TourDetails,
  storesWire: true,
  defaults: { confirmation: defaultConfirmation.tour },
  searched: 'name, city, meeting_point, activity, description',
  isFollowed: true,
});
export const restaurants = listingModel('restaurants', {
  name: 'Restaurant',
  version: 4,
  details: RestaurantDetails,
  storesWire: true,
  defaults: { confirmation: defaultConfirmation.restaurant },
  searched: 'name, city, address, (cuisines::text), description',
  isFollowed: true,
});
export const transfers = listingModel('transfers', {
  name: 'Transfer',
  version: 4,
  details: TransferDetails,
  storesWire: true,
  defaults: { confirmation: defaultConfirmation.transfer },
  searched: "name, city, (origin->>'name'), (destination->>'name'), description",
  isFollowed: true,
});
export const instructors = listingModel('instructors', {
  name: 'Instructor',
  version: 4,
  details: InstructorDetails,
  storesWire: true,
  defaults: { confirmation: defaultConfirmation.instructor },
  searched: 'name, city, (disciplines::text), description',
  isFollowed: true,
});
export const companies = listingModel('companies', {
  name: 'Company',
  version: 3,
  details: CompanyDetails,
  storesWire: true,
  searched: 'name, city, address, description',
});

export type HotelRow = RowOf<typeof hotels>;
export type TourRow = RowOf<typeof tours>;
export type RestaurantRow = RowOf<typeof restaurants>;
export type TransferRow = RowOf<typeof transfers>;
export type InstructorRow = RowOf<typeof instructors>;
