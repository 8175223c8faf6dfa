/** What owners offer beside hotels: for guests to find, and for owners and admins to add, change and close. */
import { type TProperties, Type } from '@sinclair/typebox';
import { addListing, changeListing, type ListingInput, ownListing } from '../../commands/catalog/listings.ts';
import { ownerFor } from '../../commands/catalog/owners.ts';
import type { ListingStatus } from '../../domain/catalog/listing.ts';
import { type ListingKind, listingKinds } from '../../domain/catalog/listings.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { searchedKinds } from '../../projections/catalog/listingFilters.ts';
import type { Searched } from '../../projections/catalog/listingSearch.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { type Route, route } from '../http/route.ts';
import { findListing, findListings, type ListingQuery, listingQuery } from './listingQueries.ts';
import { listingWire } from './listingWire.ts';

type Path = 'tours' | 'restaurants' | 'transfers' | 'instructors' | 'companies';

interface Offering<Details extends object, Event extends AnyEvent, P extends TProperties, F extends TProperties> {
  readonly path: Path;
  /** Where they are listed. */
  readonly list: `GET /api/v1/${Exclude<Path, 'transfers'>}` | 'GET /api/v1/transfers/routes';
  readonly kind: ListingKind<Details, Event>;
  readonly search: Searched<P, F>;
}

const idParams = Type.Object({ id: Uuid });
/** Always asked again, cheaply: what somebody has just changed must show. */
const cache = { maxAge: 0 };

/** What a body may say beside details. */
interface Sent {
  readonly owner_id?: string;
  readonly timezone: string;
  readonly currency: string;
  readonly status?: ListingStatus;
}

const routesOf = <Details extends object, Event extends AnyEvent, P extends TProperties, F extends TProperties>({
  path,
  list,
  kind,
  search,
}: Offering<Details, Event, P, F>): Route[] => {
  const { Found, Own, Edited, New, Change, ...wire } = listingWire(kind.details, kind.parts);
  const a = `${/^[aeiou]/.test(kind.decider.category) ? 'an' : 'a'} ${kind.decider.category}`;
  const projections = [search.model as unknown as ReadModel];
  const statusOf = ({ status }: { readonly status?: ListingStatus }) => (status === undefined ? {} : { status });

  return [
    route(list, {
      summary: `Find ${path}`,
      query: listingQuery(search as unknown as Searched),
      reply: ListOf(Found),
      cache,
      handle: async ({ query }, app) => {
        const { rows, total } = await findListings(app, search, query as ListingQuery);
        return listOf({ rows: rows.map(wire.found), total }, pagingOf(query as ListingQuery));
      },
    }),
    route(`GET /api/v1/${path}/:id` as const, {
      summary: `One ${kind.decider.category}`,
      params: idParams,
      reply: Found,
      errors: ['not_found'],
      cache,
      handle: async ({ params }, app) => wire.found(await findListing(app, search, params.id)),
    }),
    route(`GET /api/v1/provider/${path}` as const, {
      summary: `Own ${path}, closed ones too`,
      query: Type.Object(pagingQuery),
      reply: ListOf(Own),
      handle: async ({ query, caller }, app) => {
        const { rows, total } = await findListings(app, search, query, caller.id);
        return listOf({ rows: rows.map(wire.own), total }, pagingOf(query));
      },
    }),
    route(`POST /api/v1/${path}` as const, {
      summary: `Add ${a}`,
      body: New,
      reply: Edited,
      status: 201,
      errors: ['invalid', 'insufficient_rights'],
      projections,
      idempotent: true,
      handle: async ({ body, caller, context }, app) => {
        const sent = body as unknown as Sent;
        const { timezone, currency } = sent;
        const ownerId = await ownerFor(app, caller, sent.owner_id, { owners: kind.owners, things: path });
        const details = wire.newDetailsOf(body, currency) as ListingInput<Details>;
        const wanted = { ownerId, timezone, currency, details, ...statusOf(sent) };
        return wire.edited(await addListing(app, context, kind, wanted));
      },
    }),
    route(`PATCH /api/v1/${path}/:id` as const, {
      summary: `Change ${a}`,
      description: 'What is left out stays. Time zone and currency stay for good. Less of it cancels nothing booked.',
      params: idParams,
      body: Change,
      reply: Edited,
      errors: ['not_found', 'invalid'],
      projections,
      idempotent: true,
      handle: async ({ params, body, context }, app) => {
        const { currency } = await ownListing(app, context, kind, params.id);
        const details = wire.detailsOf(body, currency) as Partial<ListingInput<Details>>;
        const change = { details, ...statusOf(body as unknown as Sent) };
        return wire.edited(await changeListing(app, context, kind, params.id, change));
      },
    }),
    route(`DELETE /api/v1/${path}/:id` as const, {
      summary: `Close ${a}`,
      description: 'It is no longer listed and takes no bookings; those already made stand. `PATCH` opens it again.',
      params: idParams,
      reply: Type.Null(),
      status: 204,
      errors: ['not_found'],
      projections,
      handle: async ({ params, context }, app) => {
        await changeListing(app, context, kind, params.id, { status: 'closed' });
        return null;
      },
    }),
  ];
};

const { tour, restaurant, transfer, instructor, company } = listingKinds;

export const listingRoutes: readonly Route[] = [
  ...routesOf({ path: 'tours', list: 'GET /api/v1/tours', kind: tour, search: searchedKinds.tour }),
  ...routesOf({
    path: 'restaurants',
    list: 'GET /api/v1/restaurants',
    kind: restaurant,
    search: searchedKinds.restaurant,
  }),
  ...routesOf({
    path: 'transfers',
    list: 'GET /api/v1/transfers/routes',
    kind: transfer,
    search: searchedKinds.transfer,
  }),
  ...routesOf({
    path: 'instructors',
    list: 'GET /api/v1/instructors',
    kind: instructor,
    search: searchedKinds.instructor,
  }),
  ...routesOf({ path: 'companies', list: 'GET /api/v1/companies', kind: company, search: searchedKinds.company }),
];
