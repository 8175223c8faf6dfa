/** Tours, restaurants, transfers, instructors and companies: searched by guests, edited by owners and admins. */
import { type TProperties, Type } from '@sinclair/typebox';
import { addListing, changeListing, ownListing } from '../../commands/catalog/listings.ts';
import { ownerFor } from '../../commands/catalog/owners.ts';
import type { ListingStatus } from '../../domain/catalog/listing.ts';
import { type ListingKind, listingKinds } from '../../domain/catalog/listings.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { searchedKinds } from '../../projections/catalog/listingFilters.ts';
import type { Searched } from '../../projections/catalog/listingSearch.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { tellRevision } from '../http/conditional.ts';
import { Favorable } from '../http/favorite.ts';
import { OFFERS } from '../http/harm.ts';
import { ListOf, pagingOf, pagingQuery, textListOf } from '../http/paging.ts';
import { ById, type DeclaredRoute, NO_CONTENT, route } from '../http/route.ts';
import { findListing, findListings, findOwnListings, listingQuery } from './listingQueries.ts';
import { listingWire } from './listingWire.ts';

interface Edited<Details extends object, Event extends AnyEvent> {
  /** Also the plural in texts. */
  readonly path: string;
  /** Names one of them in operation ids and schemas. */
  readonly one: string;
  readonly kind: ListingKind<Details, Event>;
  /** Its read model. */
  readonly model: ReadModel;
}

interface Listed<Details extends object, Event extends AnyEvent, P extends TProperties, F extends TProperties>
  extends Omit<Edited<Details, Event>, 'model'> {
  /** Names several of them in operation ids. */
  readonly many: string;
  /** The path of the public list, where it is not that of the kind. */
  readonly list?: string;
  readonly search: Searched<P, F>;
}

/** Revalidated on every use, so that an owner sees a change at once. */
const cache = { maxAge: 0 };
/** Also for a change on the condition that nobody has changed it since. */
export const ONE = { ...cache, revisionOf: 'told' } as const;

const statusOf = ({ status }: { readonly status?: ListingStatus }) => (status === undefined ? {} : { status });

/** `a tour`, `an instructor`. */
const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const searchRoutes = <Details extends object, Event extends AnyEvent, P extends TProperties, F extends TProperties>({
  path,
  one,
  many,
  list = path,
  kind,
  search,
}: Listed<Details, Event, P, F>): DeclaredRoute[] => {
  const { Found, Own, found, own } = listingWire<Details>(one, kind);
  const Shown = Favorable(Found, kind.decider.category, Found.$id);
  return [
    route(`GET /api/v1/${list}`, {
      id: `list${many}`,
      access: 'public',
      summary: `List ${path}`,
      query: listingQuery(search),
      reply: ListOf(Shown),
      cache,
      handle: async ({ query }, app) => {
        const { rows, total } = await findListings(app, search, query);
        return textListOf({ rows: rows.map(found), total }, pagingOf(query));
      },
    }),
    route(`GET /api/v1/${path}/:id`, {
      id: `get${one}`,
      access: 'public',
      summary: `Get ${withArticle(kind.decider.category)}`,
      params: ById,
      reply: Shown,
      errors: ['not_found'],
      cache: ONE,
      handle: async ({ params, request }, app) => {
        const listing = await findListing(app, search, params.id);
        tellRevision(request, listing.revision);
        return found(listing);
      },
    }),
    route(`GET /api/v1/provider/${path}`, {
      id: `listOwn${many}`,
      access: 'provider',
      harm: { none: 'shows what everybody sees, and drafts' },
      summary: `List own ${path}`,
      description: 'Includes closed ones.',
      query: Type.Object(pagingQuery),
      reply: ListOf(Own),
      handle: async ({ query, caller }, app) => {
        const { rows, total } = await findOwnListings(app, search, query, caller.id);
        return textListOf({ rows: rows.map(own), total }, pagingOf(query));
      },
    }),
  ];
};

/** What must stay in the lists of a kind while it has bookings ahead, for descriptions; '' where nothing is booked. */
const keptWhileBooked = ({
  parts,
  times,
}: Pick<ListingKind<Record<string, unknown>>, 'parts'> & { times?: object }) => {
  if (!times) return '';
  const named = parts === null ? '' : ` and ${parts}`;
  return ` Times${named} with bookings ahead must stay${parts === null ? '' : `, ${parts} with their id`}: otherwise 409 \`bookings_ahead\` with \`ids\` and \`ahead\` (\`id\`, \`name\`, \`bookings\`, \`until\`, \`starts\`, \`booking_ids\`). \`closed_dates\` takes single dates out of sale.`;
};

/** Creating, updating and closing listings of one kind. */
export const editRoutes = <Details extends object, Event extends AnyEvent>({
  path,
  one,
  kind,
  model,
}: Edited<Details, Event>): DeclaredRoute[] => {
  const { Edited, New, Change, ...wire } = listingWire<Details>(one, kind);
  const a = withArticle(kind.decider.category);
  const projections = [model];
  const booked = keptWhileBooked(kind);
  const { category } = kind.decider;
  const ifMatch = { what: `the ${category}`, category };
  return [
    route(`POST /api/v1/${path}`, {
      id: `create${one}`,
      access: 'provider',
      harm: OFFERS,
      summary: `Create ${a}`,
      body: New,
      reply: Edited,
      status: 201,
      errors: ['invalid', 'insufficient_rights'],
      projections,
      handle: async ({ body, caller, context }, app) => {
        const { timezone, currency } = body;
        const ownerId = await ownerFor(app, caller, body.owner_id, { owners: kind.owners, things: path });
        const details = wire.newDetailsOf(body, currency);
        const listing = { ownerId, timezone, currency, details, ...statusOf(body) };
        return wire.edited(await addListing(app, context, kind, listing));
      },
    }),
    route(`PATCH /api/v1/${path}/:id`, {
      id: `update${one}`,
      access: 'provider',
      harm: OFFERS,
      summary: `Update ${a}`,
      description: `Fields that are left out keep their values. The time zone and the currency cannot be changed. Lowering a capacity does not cancel existing bookings.${booked}`,
      params: ById,
      ifMatch,
      body: Change,
      reply: Edited,
      errors: ['not_found', 'invalid', 'insufficient_rights', ...(booked === '' ? [] : (['bookings_ahead'] as const))],
      projections,
      handle: async ({ params, body, context }, app) => {
        const { currency } = await ownListing(app, context, kind.decider, params.id);
        const change = { details: wire.detailsOf(body, currency), ...statusOf(body) };
        return wire.edited(await changeListing(app, context, kind, params.id, change));
      },
    }),
    route(`DELETE /api/v1/${path}/:id`, {
      id: `close${one}`,
      access: 'provider',
      harm: OFFERS,
      summary: `Close ${a}`,
      description:
        'It is no longer listed and cannot be booked. Existing bookings stay valid. Reopen it with `PATCH` and `status: published`.',
      params: ById,
      ifMatch,
      ...NO_CONTENT,
      errors: ['not_found'],
      projections,
      handle: async ({ params, context }, app) => {
        await changeListing(app, context, kind, params.id, { status: 'closed' });
        return null;
      },
    }),
  ];
};

const routesOf = <Details extends object, Event extends AnyEvent, P extends TProperties, F extends TProperties>(
  listed: Listed<Details, Event, P, F>,
): DeclaredRoute[] => [...searchRoutes(listed), ...editRoutes({ ...listed, model: listed.search.model })];

const { tour, restaurant, transfer, instructor, company } = listingKinds;
const searched = searchedKinds;

export const listingRoutes: readonly DeclaredRoute[] = [
  ...routesOf({ path: 'tours', one: 'Tour', many: 'Tours', kind: tour, search: searched.tour }),
  ...routesOf({
    path: 'restaurants',
    one: 'Restaurant',
    many: 'Restaurants',
    kind: restaurant,
    search: searched.restaurant,
  }),
  ...routesOf({
    path: 'transfers',
    one: 'Transfer',
    many: 'Transfers',
    list: 'transfers/routes',
    kind: transfer,
    search: searched.transfer,
  }),
  ...routesOf({
    path: 'instructors',
    one: 'Instructor',
    many: 'Instructors',
    kind: instructor,
    search: searched.instructor,
  }),
  ...routesOf({ path: 'companies', one: 'Company', many: 'Companies', kind: company, search: searched.company }),
];
