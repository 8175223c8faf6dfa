/** What admins and guests do alike with lifts and slopes. */
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { addFacility, type FacilityKind, retireFacility } from '../../commands/resort/facilities.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { Reason } from '../../domain/resort/operation.ts';
import { pageFrom } from '../../infra/paging.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { configRevisions } from '../../projections/platform/config.ts';
import { changesOf, ResortChange, resortChanges } from '../../projections/resort/changes.ts';
import type { App } from '../http/app.ts';
import { askedRevisions } from '../http/conditional.ts';
import { Favorable } from '../http/favorite.ts';
import { ListOf, listOf, paged, pagingOf, pagingQuery } from '../http/paging.ts';
import { ById, type DeclaredRoute, NO_CONTENT, type Parsed, route } from '../http/route.ts';
import { PUBLIC_CACHE } from './publicCache.ts';

/** A lift or slope; queue reports do not count. */
export const FACILITY = { what: 'what is changed' };

/** A page of those in use that fit. */
export const pageIn = <T extends { readonly retired_at: string | null }>(
  all: readonly T[],
  query: { page?: number; per_page?: number },
  fits: (item: T) => boolean,
) => {
  const paging = pagingOf(query);
  const found = all.filter((item) => item.retired_at === null && fits(item));
  return listOf(pageFrom(found, paging), paging);
};

interface Facilities<Details, Shown extends TObject, New extends TSchema> {
  readonly kind: FacilityKind<Details>;
  readonly model: ReadModel;
  readonly shown: Shown;
  /** As it is at an instant. @throws Rejected `not_found` */
  readonly at: (app: App, id: string, at: string) => Promise<Static<Shown>>;
  readonly added: {
    readonly description: string;
    readonly body: New;
    /** @throws Rejected `invalid` */
    readonly details: (body: Parsed<New>) => Details;
  };
}

/** The operations that lifts and slopes have in common. */
export const facilityRoutes = <Details, Shown extends TObject & { static: { revision: number } }, New extends TSchema>({
  kind,
  model,
  shown,
  at,
  added,
}: Facilities<Details, Shown, New>): Record<'one' | 'add' | 'remove' | 'history', DeclaredRoute> => {
  const { noun } = kind;
  const Noun = noun === 'lift' ? 'Lift' : 'Slope';
  const path = `/api/v1/resort/${noun}s` as const;
  return {
    one: route(`GET ${path}/:id`, {
      id: `get${Noun}`,
      access: 'public',
      rate: 'status',
      summary: `Get a ${noun}`,
      params: ById,
      reply: Favorable(shown, noun),
      errors: ['not_found'],
      reads: [model, configRevisions],
      cache: { ...PUBLIC_CACHE, revisionOf: ({ revision }: { revision: number }) => revision },
      handle: ({ params: { id }, context }, app) => at(app, id, context.at),
    }),
    add: route(`POST ${path}`, {
      id: `create${Noun}`,
      access: 'admin',
      harm: { none: 'names and numbers of the mountain; it can be added again' },
      summary: `Add a ${noun}`,
      description: added.description,
      body: added.body,
      status: 201,
      reply: Type.Object({ id: Uuid, revision: Type.Integer() }),
      errors: ['invalid'],
      projections: [model],
      handle: async ({ body, context }, app) => {
        const { id, state } = await addFacility(app, context, kind, added.details(body));
        return { id, revision: state.revision };
      },
    }),
    remove: route(`DELETE ${path}/:id`, {
      id: `retire${Noun}`,
      access: 'admin',
      harm: { none: 'names and numbers of the mountain; it can be added again' },
      summary: `Retire a ${noun}`,
      description: 'Lists no longer have it; its history stays.',
      params: ById,
      query: Type.Object({ reason: Type.Optional(Reason) }),
      ifMatch: FACILITY,
      ...NO_CONTENT,
      errors: ['not_found', 'conflict'],
      projections: [model, resortChanges],
      handle: async ({ params: { id }, query: { reason = null }, context, request }, app) => {
        await retireFacility(app, context, kind, id, { reason, ifRevision: askedRevisions(request) });
        return null;
      },
    }),
    history: route(`GET ${path}/:id/history`, {
      id: `list${Noun}Changes`,
      access: 'admin',
      harm: { none: 'shows who changed what, which is for all admins' },
      summary: `List the changes of a ${noun}`,
      description: 'Newest first: who changed what. Changes by the clock are not among them.',
      params: ById,
      query: Type.Object(pagingQuery),
      reply: ListOf(ResortChange),
      reads: [resortChanges],
      handle: ({ params: { id }, query }, { db }) => paged(query, (paging) => changesOf(db, id, paging)),
    }),
  };
};
