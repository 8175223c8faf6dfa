/** The names of everything in the catalog, by id: for lists that mix kinds. */

import { type Static, Type } from '@sinclair/typebox';
import { catalogPurpose } from '../../domain/catalog/index.ts';
import { type TitledKind, titledKinds, titleOrKind } from '../../domain/catalog/neutralTitles.ts';
import { Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { rowsById } from '../engine/statements.ts';

const Row = Type.Object({
  id: Uuid,
  kind: OneOf(titledKinds),
  title: Type.String(),
  /** Only for listings; rooms, tables and vehicles have none. */
  city: Nullable(Type.String()),
  /** null: the events of a room named nobody, and it waits to be sealed. */
  owner_id: Nullable(Uuid),
});
export type TitleRow = Static<typeof Row>;

interface Telling<Data = object> {
  readonly streamId: string;
  readonly data: { readonly name?: string; readonly city?: string; readonly ownerId?: string } & Data;
}

/** Sets the title. Fields that the event does not have keep their value. */
const titleOf =
  (kind: TitledKind) =>
  (row: TitleRow | undefined, { streamId: id, data: { name, city, ownerId } }: Telling): TitleRow => ({
    id,
    kind,
    title: name ?? existing(row).title,
    city: city ?? row?.city ?? null,
    owner_id: ownerId ?? row?.owner_id ?? null,
  });

/** Sets the titles of a listing and of its parts. A removed part keeps its title, because bookings still show it. */
const withParts = <Data extends object>(
  kind: TitledKind,
  partKind: TitledKind,
  partsOf: (data: Data) => readonly { readonly id: string; readonly name: string }[] | undefined,
) => ({
  keys: ({ streamId, data }: Telling<Data>) => [
    { id: streamId },
    ...(partsOf(data) ?? []).map((part) => ({ id: part.id })),
  ],
  fold: (row: TitleRow | undefined, event: Telling<Data>, { id }: { readonly id: string }): TitleRow => {
    const part = partsOf(event.data)?.find((each) => each.id === id);
    return part
      ? { id, kind: partKind, title: part.name, city: null, owner_id: event.data.ownerId ?? null }
      : titleOf(kind)(row, event);
  },
});

type Tables = { readonly tables?: readonly { readonly id: string; readonly name: string }[] };
type Vehicles = { readonly vehicles?: readonly { readonly id: string; readonly name: string }[] };
const restaurant = withParts('restaurant', 'table', ({ tables }: Tables) => tables);
const transfer = withParts('transfer', 'vehicle', ({ vehicles }: Vehicles) => vehicles);

export const titles = readModel('titles', {
  version: 3,
  row: Row,
  key: 'id',
  personalData: { whose: 'owner_id', texts: ['title', 'city'], why: catalogPurpose, retention: 'account' },
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

const rowsOf = rowsById((db, ids) =>
  tables(db, titles).selectFrom('titles').select(['id', 'kind', 'title']).where(isAnyOf('id', ids)),
);

/** Titles by id; ids that the catalog does not show are missing. Where the seller was erased, it says what it was. */
export const titlesById = async (
  db: ReadDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly title: string }>> =>
  new Map([...(await rowsOf(db, ids))].map(([id, { kind, title }]) => [id, { title: titleOrKind(kind, title) }]));
