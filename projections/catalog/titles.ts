/** The names of everything in the catalog, by id: for lists that mix kinds. */

import { type Static, Type } from '@sinclair/typebox';
import { catalogPurpose } from '../../domain/catalog/purpose.ts';
import { Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { isAnyOf, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { rowsById } from '../engine/statements.ts';

const kinds = ['hotel', 'room', 'tour', 'restaurant', 'table', 'transfer', 'vehicle', 'instructor', 'company'] as const;
type TitleKind = (typeof kinds)[number];

const Row = Type.Object({
  id: Uuid,
  kind: OneOf(kinds),
  title: Type.String(),
  /** Only for listings; rooms, tables and vehicles have none. */
  city: Nullable(Type.String()),
  /** Of an instructor, whose title is a person's name. */
  owner_id: Nullable(Uuid),
});
export type TitleRow = Static<typeof Row>;

interface Telling<Data = object> {
  readonly streamId: string;
  readonly data: { readonly name?: string; readonly city?: string; readonly ownerId?: string } & Data;
}

/** Sets the title. Fields that the event does not have keep their value. */
const titleOf =
  (kind: TitleKind) =>
  (row: TitleRow | undefined, { streamId: id, data: { name, city, ownerId } }: Telling): TitleRow => ({
    id,
    kind,
    title: name ?? existing(row).title,
    city: city ?? row?.city ?? null,
    owner_id: kind === 'instructor' ? (ownerId ?? row?.owner_id ?? null) : null,
  });

/** Sets the titles of a listing and of its parts. A removed part keeps its title, because bookings still show it. */
const withParts = <Data extends object>(
  kind: TitleKind,
  partKind: TitleKind,
  partsOf: (data: Data) => readonly { readonly id: string; readonly name: string }[] | undefined,
) => ({
  keys: ({ streamId, data }: Telling<Data>) => [
    { id: streamId },
    ...(partsOf(data) ?? []).map((part) => ({ id: part.id })),
  ],
  fold: (row: TitleRow | undefined, event: Telling<Data>, { id }: { readonly id: string }): TitleRow => {
    const part = partsOf(event.data)?.find((each) => each.id === id);
    return part ? { id, kind: partKind, title: part.name, city: null, owner_id: null } : titleOf(kind)(row, event);
  },
});

type Tables = { readonly tables?: readonly { readonly id: string; readonly name: string }[] };
type Vehicles = { readonly vehicles?: readonly { readonly id: string; readonly name: string }[] };
const restaurant = withParts('restaurant', 'table', ({ tables }: Tables) => tables);
const transfer = withParts('transfer', 'vehicle', ({ vehicles }: Vehicles) => vehicles);

export const titles = readModel('titles', {
  version: 2,
  row: Row,
  key: 'id',
  personal: { of: 'owner_id', texts: ['title'], why: catalogPurpose, kept: 'account' },
  indexes: ['owner_id'],
  on: {
    HotelAdded: titleOf('hotel'),
    HotelDetailsChanged: titleOf('hotel'),
    RoomAdded: titleOf('room'),
    RoomDetailsChanged: titleOf('room'),
    TourAdded: titleOf('tour'),
    TourDetailsChanged: titleOf('tour'),
    RestaurantAdded: restaurant,
    RestaurantDetailsChanged: restaurant,
    TransferAdded: transfer,
    TransferDetailsChanged: transfer,
    InstructorAdded: titleOf('instructor'),
    InstructorDetailsChanged: titleOf('instructor'),
    CompanyAdded: titleOf('company'),
    CompanyDetailsChanged: titleOf('company'),
  },
});

/** Titles by id; ids that the catalog does not show are missing. */
export const titlesById = rowsById((db, ids) =>
  tables(db, titles).selectFrom('titles').select(['id', 'title']).where(isAnyOf('id', ids)),
);
