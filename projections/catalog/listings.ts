/** Listings of all kinds, including closed ones: one table for each kind, declared by its details. */

import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import { CompanyDetails } from '../../domain/catalog/company.ts';
import { defaultConfirmation } from '../../domain/catalog/confirmation.ts';
import { HotelDetails } from '../../domain/catalog/hotel.ts';
import { InstructorDetails } from '../../domain/catalog/instructor.ts';
import { listingStatuses } from '../../domain/catalog/listing.ts';
import { NO_OVERLAPPING } from '../../domain/catalog/onePlace.ts';
import { RestaurantDetails } from '../../domain/catalog/restaurant.ts';
import { sealed } from '../../domain/catalog/sealed.ts';
import { TourDetails } from '../../domain/catalog/tour.ts';
import { TransferDetails } from '../../domain/catalog/transfer.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { foldedList, foldedText } from '../../domain/core/folded.ts';
import { minorPerMajor } from '../../domain/core/money.ts';
import { Currency, Instant, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type SnakeSchema, snakeCase, snakeSchema, toSnake } from '../../infra/naming.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { existing, type Json, type ReadModel, type RowOf, readModel } from '../engine/readModel.ts';
import { personalOfOwner } from './forgotten.ts';
import { listingForm } from './listingForm.ts';
import { wordsOf } from './sql.ts';

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
  /** Of the listing's stream. */
  revision: Type.Integer(),
};
export type CommonRow = Static<TObject<typeof Common>>;
type Row<P extends TProperties> = TObject<typeof Common & SnakeSchema<TObject<P>>['properties']>;

export type ListingModel<P extends TProperties = TProperties, N extends string = string> = ReadModel<Row<P>, 'id', N>;

type Added = Recorded<{ type: string; data: { ownerId: string; timezone: string; currency: string } }>;
type Changed = Recorded<{ type: string; data: { ownerId: string } }>;

interface Declared<P extends TProperties> {
  readonly name: string;
  /** Raise it when the details change: the table is then rebuilt. 1 by default. */
  readonly version?: number;
  readonly details: TObject<P>;
  /** The values of details that did not exist before, for events stored before. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The fields that are searched for words. */
  readonly searched: readonly (keyof P & string)[];
  /** Further columns with texts that it is searched by. */
  readonly folded?: Texts;
  /** By default those that find the listings of a city. */
  readonly indexes?: readonly string[];
  /** As of a read model. */
  readonly storesWire?: boolean;
  /** As of the kind. */
  readonly isOfResort?: boolean;
  /** Whether other processes keep them in memory. */
  readonly isFollowed?: boolean;
}

/** The index of a list in the order of names. */
export const BY_NAME = 'status, folded_name, id';

type Texts = Readonly<Record<string, (row: Json) => string>>;

/** All texts in a value: of a place its name, of a list each. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
};

const foldedFields =
  (...fields: readonly string[]) =>
  (row: Json): string =>
    foldedText(fields.flatMap((field) => textsIn(row[snakeCase(field)])).join(' '));

const CITY: Texts = { folded_city: foldedFields('city') };

export const listingModel = <P extends TProperties, const N extends string>(
  table: N,
  {
    name,
    version = 1,
    details,
    defaults = {},
    searched,
    folded = CITY,
    indexes = ['folded_city, status', BY_NAME],
    storesWire = false,
    isOfResort = false,
    isFollowed = false,
  }: Declared<P>,
): ListingModel<P, N> => {
  const set = (row: CommonRow | undefined, { at, revision }: Recorded, more: object): CommonRow => ({
    ...existing(row),
    ...more,
    updated_at: at,
    revision: Number(revision),
  });
  const on = {
    [`${name}Added`]: (_: CommonRow | undefined, { data, streamId, at, revision }: Added): CommonRow => ({
      id: streamId,
      ...toSnake(defaults),
      ...toSnake(data),
      status: 'closed',
      minor_per_major: minorPerMajor(data.currency),
      created_at: at,
      updated_at: at,
      revision: Number(revision),
    }),
    [`${name}DetailsChanged`]: (row: CommonRow | undefined, event: Changed) => set(row, event, toSnake(event.data)),
    [`${name}Published`]: (row: CommonRow | undefined, event: Recorded) => set(row, event, { status: 'published' }),
    [`${name}Closed`]: (row: CommonRow | undefined, event: Recorded) => set(row, event, { status: 'closed' }),
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
    personalData: { ...personalOfOwner(columns), erased: keptBecause.sold },
    folded: { folded_words: foldedFields(...searched), folded_name: foldedFields('name'), ...folded },
    indexes: [...indexes, 'owner_id', `gin ${wordsOf('folded_words')}`],
    ...(isFollowed && { announce: (keys: readonly { id: string }[]) => keys.map(({ id }) => id) }),
  });
  return { ...model, row: row as Row<P> };
};

/** The lowest price of a hotel is computed from the nights of its rooms at query time: `hotelSearch.ts`. */
export const hotels = listingModel('hotels', {
  name: 'Hotel',
  version: 6,
  details: HotelDetails,
  storesWire: true,
  defaults: { confirmation: defaultConfirmation.hotel },
  searched: ['name', 'city', 'address', 'description'],
  isFollowed: true,
});
export const tours = listingModel('tours', {
  name: 'Tour',
  version: 7,
  details: TourDetails,
  storesWire: true,
  defaults: { confirmation: defaultConfirmation.tour, ...NO_OVERLAPPING },
  searched: ['name', 'city', 'meetingPoint', 'activity', 'description'],
  isFollowed: true,
});
export const restaurants = listingModel('restaurants', {
  name: 'Restaurant',
  version: 7,
  details: RestaurantDetails,
  storesWire: true,
  defaults: { confirmation: defaultConfirmation.restaurant, ...NO_OVERLAPPING },
  searched: ['name', 'city', 'address', 'cuisines', 'description'],
  folded: { ...CITY, folded_cuisines: ({ cuisines }) => foldedList(textsIn(cuisines)) },
  isFollowed: true,
});
export const transfers = listingModel('transfers', {
  name: 'Transfer',
  version: 6,
  details: TransferDetails,
  storesWire: true,
  defaults: { confirmation: defaultConfirmation.transfer },
  searched: ['name', 'city', 'origin', 'destination', 'description'],
  folded: {
    ...CITY,
    folded_origin: foldedFields('origin'),
    folded_destination: foldedFields('destination'),
  },
  isFollowed: true,
});
export const instructors = listingModel('instructors', {
  name: 'Instructor',
  version: 7,
  details: InstructorDetails,
  storesWire: true,
  defaults: { confirmation: defaultConfirmation.instructor, ...NO_OVERLAPPING },
  searched: ['name', 'city', 'disciplines', 'description'],
  isFollowed: true,
});
export const companies = listingModel('companies', {
  name: 'Company',
  version: 5,
  details: CompanyDetails,
  storesWire: true,
  searched: ['name', 'city', 'address', 'description'],
});

export type HotelRow = RowOf<typeof hotels>;
export type TourRow = RowOf<typeof tours>;
export type RestaurantRow = RowOf<typeof restaurants>;
export type TransferRow = RowOf<typeof transfers>;
export type InstructorRow = RowOf<typeof instructors>;
