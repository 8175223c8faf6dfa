/** The wire form of listings of every kind, derived from the details of the kind. */
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import type { ListingInput } from '../../commands/catalog/listings.ts';
import { Image, Images, type ListingStatus, listingStatuses } from '../../domain/catalog/listing.ts';
import type { ListingKind } from '../../domain/catalog/listings.ts';
import { toMajor } from '../../domain/core/money.ts';
import { rounded } from '../../domain/core/numbers.ts';
import { Currency, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type JsonText, withFields } from '../../infra/jsonText.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { listingFields, Timezone } from '../../projections/catalog/listingForm.ts';
import type { FoundListing } from '../../projections/catalog/listingSearch.ts';
import { withMajor, withMajorSchema } from '../../projections/engine/majorUnits.ts';
import { majorSchema, minorOf } from '../http/amounts.ts';
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
export const owned = { owner_id: Uuid, status: Status };
const fixed = { timezone: Timezone, currency: Currency };
/** How guests have rated it. */
export const rated = {
  rating: Nullable(Type.Number({ description: 'The average of its reviews, from 1 to 5; null without reviews.' })),
  reviews_count: Type.Integer({ minimum: 0 }),
};
const computed = {
  min_price_minor: { ...Nullable(Minor), description: 'The lowest price; null without a price.' },
  distance_km: Distance,
  ...rated,
};

const { url: Url } = Image.properties;
/** Pictures in bodies. Replies have the `url` of both. */
export const Pictures = Type.Array(
  Type.Object({
    url: Type.Optional({ ...Url, description: 'Of a picture that is elsewhere, or as a reply has it.' }),
    file_id: Type.Optional({ ...Uuid, description: 'Of a picture that was uploaded to the folder `listings`.' }),
    is_main: Type.Boolean(),
  }),
  { maxItems: Images.maxItems, description: 'Each has either `url` or `file_id`. At most one is the main one.' },
);
const withPictureFiles = (details: TObject): TObject =>
  'images' in details.properties ? Type.Object({ ...details.properties, images: Pictures }) : details;

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
/** A row as a reply: the properties that the schema names, with both units of every amount. */
const showRow = <S extends TObject>(schema: S, row: Row): Static<S> => {
  const fields = withMajor(row, row.currency) as Json;
  return Object.fromEntries(Object.keys(schema.properties).map((name) => [name, fields[name]])) as Static<S>;
};
const reckoned = ['owner_id', 'status', 'min_price', 'min_price_minor', 'distance_km', 'rating', 'reviews_count'];

/** Shows listings that were found: their stored form, with the other fields of a schema. */
export const shownAs = <S extends TObject>(schema: S) => {
  const added = reckoned.filter((name) => name in schema.properties);
  return (found: FoundListing): JsonText<Static<S>> => {
    const { form, currency, owner_id, status, min_price_minor, reviews_count } = found;
    const min_price = min_price_minor === null ? null : toMajor(min_price_minor, currency);
    const rating = rounded(found.rating, 2);
    const distance_km = distanceOf(found);
    const fields: Json = { owner_id, status, min_price, min_price_minor, distance_km, rating, reviews_count };
    const shown: Json = {};
    for (const name of added) shown[name] = fields[name];
    return withFields(form, shown) as JsonText<Static<S>>;
  };
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
  const fields = listingFields(details);
  const entered = withPictureFiles(withNewParts(stored, parts));
  const sent = majorSchema(entered).properties;
  const optional = (name: string): boolean => name in byDefault || `${name}_minor` in byDefault;
  const body = Object.fromEntries(
    Object.entries(sent).map(([name, schema]) => [name, optional(name) ? Type.Optional(schema) : schema]),
  );
  const defaults = Object.fromEntries(Object.entries(byDefault).filter(([name]) => name in stored.properties));

  const found = withMajorSchema(Type.Object(computed)).properties;
  const Found: TObject = Type.Object({ ...fields, ...found }, { $id: name });
  const Edited: TObject = Type.Object({ ...fields, ...owned }, { $id: `Edited${name}` });
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
    fields,
    /** For guests. */
    Found,
    /** For its owner. */
    Own,
    /** The reply to a change. */
    Edited,
    New: New as BodySchema<NewListingBody>,
    Change: Change as BodySchema<Pick<NewListingBody, 'status'>>,

    found: shownAs(Found),
    own: shownAs(Own),
    edited: (listing: Row) => showRow(Edited, toSnake(listing)),
    /** The details in a body, in the form of the domain. @throws Rejected `invalid` for amounts beyond the currency */
    detailsOf: (from: object, currency: string) =>
      camel(minorOf(entered, from, currency)) as Partial<ListingInput<Details>>,
    /** All details of a new listing, with defaults for what the body leaves out. */
    newDetailsOf: (from: object, currency: string) =>
      camel({ ...defaults, ...(minorOf(entered, from, currency) as Json) }) as ListingInput<Details>,
  };
};
