/** Listings as they are said on the wire, whatever kind they are: made from the kind's details. */
import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { listingStatuses } from '../../domain/catalog/listing.ts';
import { Currency, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { majorSchema, minorOf, withMajor, withMajorSchema } from '../http/amounts.ts';
import { Distance, distanceOf } from './listingQueries.ts';

type Json = Record<string, unknown>;

/** What need not be said of a new listing, wherever its kind has it. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  description: '',
  images: [],
  languages: [],
  cuisines: [],
  website: null,
  schedule: [],
  closed_dates: [],
  turnaround_minutes: 0,
  deposit_per_guest_minor: 0,
  cancellation_policy: 'flexible',
};

const Status = OneOf(listingStatuses, { description: '`closed`: not listed, takes no bookings' });
const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'IANA; all its times are by these clocks',
  examples: ['Europe/Moscow'],
});
const fixed = { timezone: Timezone, currency: Currency };
const reckoned = {
  min_price_minor: { ...Nullable(Minor), description: 'The least it costs; null: it has no price' },
  distance_km: Distance,
};

/** Tables and vehicles that are new are sent without an id. */
const withNewParts = (details: TObject, parts: string | null): TObject => {
  const list = parts === null ? undefined : details.properties[parts];
  if (parts === null || !list) return details;
  const { id, ...rest } = list.items.properties as TProperties;
  const description = 'Of one that is there already; new ones get theirs';
  const items = Type.Object({ id: Type.Optional({ ...(id as TSchema), description }), ...rest });
  return Type.Object({ ...details.properties, [parts]: { ...list, items } as TSchema });
};

/** The properties that a schema names, and no more of them. */
const only = (schema: TObject, fields: Json): Json =>
  Object.fromEntries(Object.keys(schema.properties).map((name) => [name, fields[name]]));

interface Row {
  readonly currency: string;
}
interface FoundRow extends Row {
  readonly distance_km: number | null;
}

/** Schemas and translations of one kind. */
export const listingWire = (details: TObject, parts: string | null) => {
  const stored: TObject = snakeSchema(details);
  const fields = withMajorSchema(stored).properties;
  const sent = majorSchema(withNewParts(stored, parts)).properties;
  const optional = (name: string): boolean => name in DEFAULTS || `${name}_minor` in DEFAULTS;
  const body = Object.fromEntries(
    Object.entries(sent).map(([name, schema]) => [name, optional(name) ? Type.Optional(schema) : schema]),
  );
  const defaults = Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => name in stored.properties));

  const found = withMajorSchema(Type.Object(reckoned)).properties;
  const Found: TObject = Type.Object({ id: Uuid, ...fields, ...fixed, ...found });
  const Edited: TObject = Type.Object({ id: Uuid, ...fields, ...fixed, owner_id: Uuid, status: Status });
  const Own: TObject = Type.Object({ ...Edited.properties, ...found });

  const said = (schema: TObject, row: Row): Json => only(schema, withMajor(row, row.currency) as Json);
  const reckonedIn = (schema: TObject, row: FoundRow): Json => ({ ...said(schema, row), distance_km: distanceOf(row) });

  return {
    /** As guests see it. */
    Found,
    /** As its owner finds it. */
    Own,
    /** Just after its owner has changed it. */
    Edited,
    New: Type.Object({
      ...body,
      ...fixed,
      owner_id: Type.Optional({ ...Uuid, description: 'Admins only; the caller unless told' }),
      status: Type.Optional(Status),
    }),
    Change: Type.Partial(Type.Object({ ...sent, status: Status }), { minProperties: 1 }),

    found: (row: FoundRow) => reckonedIn(Found, row),
    own: (row: FoundRow) => reckonedIn(Own, row),
    edited: (listing: Row) => said(Edited, toSnake(listing)),
    /** What a body says of the details, as the domain says it. @throws Rejected `invalid` for odd amounts */
    detailsOf: (from: object, currency: string): object => toCamel(minorOf(stored, from, currency) as object),
    /** … of a new listing. */
    newDetailsOf: (from: object, currency: string): object =>
      toCamel({ ...defaults, ...(minorOf(stored, from, currency) as object) }),
  };
};
