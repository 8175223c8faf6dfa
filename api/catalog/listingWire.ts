/** The wire form of listings of every kind, derived from the details of the kind. */
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import type { ListingInput } from '../../commands/catalog/listings.ts';
import { type ListingStatus, listingStatuses } from '../../domain/catalog/listing.ts';
import type { ListingKind } from '../../domain/catalog/listings.ts';
import { Currency, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { majorSchema, minorOf, withMajor, withMajorSchema } from '../http/amounts.ts';
import { Distance, distanceOf } from './listingQueries.ts';

type Json = Record<string, unknown>;

/** Defaults of a new listing of any kind that has these fields. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  description: '',
  amenities: [],
  images: [],
  charges: [],
  languages: [],
  cuisines: [],
  website: null,
  schedule: [],
  closed_dates: [],
  turnaround_minutes: 0,
  deposit_per_guest_minor: 0,
  cancellation_policy: 'flexible',
};

const Status = OneOf(listingStatuses, { description: 'A `closed` listing is not listed and cannot be booked.' });
const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'IANA name. All times of the listing are in this zone.',
  examples: ['Europe/Moscow'],
});
export const owned = { owner_id: Uuid, status: Status };
const fixed = { timezone: Timezone, currency: Currency };
const computed = {
  min_price_minor: { ...Nullable(Minor), description: 'The lowest price; null without a price.' },
  distance_km: Distance,
};

/** New tables and vehicles are sent without an id. */
const withNewParts = (details: TObject, parts: string | null): TObject => {
  const list = parts === null ? undefined : details.properties[parts];
  if (parts === null || !list) return details;
  const { id, ...rest } = list.items.properties as TProperties;
  const description = 'Of an existing one; a new one gets its id from the server.';
  const items = Type.Object({ id: Type.Optional({ ...(id as TSchema), description }), ...rest });
  return Type.Object({ ...details.properties, [parts]: { ...list, items } as TSchema });
};

interface Row {
  readonly currency: string;
}
interface FoundRow extends Row {
  readonly distance_km: number | null;
}

/** A row as a reply: the properties that the schema names, with both units of every amount. */
export const showRow = <S extends TObject>(schema: S, row: Row): Static<S> => {
  const fields = withMajor(row, row.currency) as Json;
  return Object.fromEntries(Object.keys(schema.properties).map((name) => [name, fields[name]])) as Static<S>;
};
const showFound = (schema: TObject, row: FoundRow): Json => {
  const shown = { ...row, distance_km: distanceOf(row) };
  return showRow(schema, shown);
};

/** What a body has beside details. */
interface NewListingBody {
  readonly owner_id?: string;
  readonly timezone: string;
  readonly currency: string;
  readonly status?: ListingStatus;
}
/** A schema whose other fields are those of a kind, which are known only when the program runs. */
type BodySchema<T> = TObject & { static: T };

/** Schemas and translations of one kind. @param name of its schema: `Tour` */
export const listingWire = <Details extends object>(
  name: string,
  { details, defaults: ofKind = {}, parts }: Pick<ListingKind<Details>, 'details' | 'defaults' | 'parts'>,
) => {
  const byDefault = { ...DEFAULTS, ...(toSnake(ofKind) as Json) };
  const stored: TObject = snakeSchema(details);
  const fields = withMajorSchema(stored).properties;
  const sent = majorSchema(withNewParts(stored, parts)).properties;
  const optional = (name: string): boolean => name in byDefault || `${name}_minor` in byDefault;
  const body = Object.fromEntries(
    Object.entries(sent).map(([name, schema]) => [name, optional(name) ? Type.Optional(schema) : schema]),
  );
  const defaults = Object.fromEntries(Object.entries(byDefault).filter(([name]) => name in stored.properties));

  const found = withMajorSchema(Type.Object(computed)).properties;
  const Found: TObject = Type.Object({ id: Uuid, ...fields, ...fixed, ...found }, { $id: name });
  const Edited: TObject = Type.Object({ id: Uuid, ...fields, ...fixed, ...owned }, { $id: `Edited${name}` });
  const Own: TObject = Type.Object({ ...Edited.properties, ...found }, { $id: `Own${name}` });

  const New: TObject = Type.Object(
    {
      ...body,
      ...fixed,
      owner_id: Type.Optional(Type.String({ format: 'uuid', description: 'Admins only. Default: the caller.' })),
      status: Type.Optional(Status),
    },
    { $id: `New${name}` },
  );
  const Change: TObject = Type.Partial(Type.Object({ ...sent, status: Status }), {
    minProperties: 1,
    $id: `${name}Update`,
  });
  const camel = (fields: unknown) => toCamel(fields as Json);

  return {
    /** The details and what never changes, with both units of every amount. */
    fields: { id: Uuid, ...fields, ...fixed },
    /** For guests. */
    Found,
    /** For its owner. */
    Own,
    /** The reply to a change. */
    Edited,
    New: New as BodySchema<NewListingBody>,
    Change: Change as BodySchema<Pick<NewListingBody, 'status'>>,

    found: (row: FoundRow) => showFound(Found, row),
    own: (row: FoundRow) => showFound(Own, row),
    edited: (listing: Row) => showRow(Edited, toSnake(listing)),
    /** The details in a body, in the form of the domain. @throws Rejected `invalid` for amounts beyond the currency */
    detailsOf: (from: object, currency: string) =>
      camel(minorOf(stored, from, currency)) as Partial<ListingInput<Details>>,
    /** All details of a new listing, with defaults for what the body leaves out. */
    newDetailsOf: (from: object, currency: string) =>
      camel({ ...defaults, ...(minorOf(stored, from, currency) as Json) }) as ListingInput<Details>,
  };
};
