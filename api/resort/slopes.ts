/** Slopes. */
import { Type } from '@sinclair/typebox';
import { addFacility, changeFacility, retireFacility, slopes } from '../../commands/resort/facilities.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { operatingStatuses, Reason } from '../../domain/resort/operation.ts';
import { difficulties, type SlopeDetails } from '../../domain/resort/slope.ts';
import { configRevisions } from '../../projections/platform/config.ts';
import { changesOf, ResortChange, resortChanges } from '../../projections/resort/changes.ts';
import { resortSlopes } from '../../projections/resort/facilities.ts';
import { mountainNow, Slope } from '../../projections/resort/mountain.ts';
import { etagOf, revisionsIn } from '../http/conditional.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { Changed, changeOf, NewSlope, newSlope, SlopePatch } from './bodies.ts';
import { IF_MATCH, PUBLIC_CACHE, pageIn } from './lists.ts';

const params = Type.Object({ id: Uuid });

const list = route('GET /api/v1/resort/slopes', {
  id: 'listSlopes',
  access: 'public',
  rate: 'status',
  summary: 'List slopes',
  description: 'By name, with their states at this moment. The channel `resort` carries the changes.',
  query: Type.Object({
    ...pagingQuery,
    status: Type.Optional(OneOf(operatingStatuses)),
    difficulty: Type.Optional(OneOf(difficulties)),
  }),
  reply: ListOf(Slope),
  reads: [resortSlopes, configRevisions],
  cache: PUBLIC_CACHE,
  handle: async ({ query: { status, difficulty, ...query }, context: { at } }, app) =>
    pageIn(
      (await mountainNow(app, at)).slopes,
      query,
      (slope) => slope.status === (status ?? slope.status) && slope.difficulty === (difficulty ?? slope.difficulty),
    ),
});

const one = route('GET /api/v1/resort/slopes/:id', {
  id: 'getSlope',
  access: 'public',
  rate: 'status',
  summary: 'Get a slope',
  params,
  reply: Slope,
  errors: ['not_found'],
  reads: [resortSlopes, configRevisions],
  cache: { ...PUBLIC_CACHE, revisionOf: ({ revision }) => revision },
  handle: async ({ params: { id }, context: { at } }, app) => {
    const found = (await mountainNow(app, at)).slopes.find((slope) => slope.id === id);
    if (!found) throw new Rejected('not_found', 'This slope does not exist.');
    return found;
  },
});

const add = route('POST /api/v1/resort/slopes', {
  id: 'createSlope',
  access: 'admin',
  summary: 'Add a slope',
  description: 'Its geometry is a line downhill, or a field. `from_lifts`, `to_lifts` and `to_slopes` connect it.',
  body: NewSlope,
  status: 201,
  reply: Type.Object({ id: Uuid, revision: Type.Integer() }),
  errors: ['invalid'],
  idempotent: true,
  projections: [resortSlopes],
  handle: async ({ body, context }, app) => {
    const { id, state } = await addFacility(app, context, slopes, newSlope(body));
    return { id, revision: state.revision };
  },
});

const patch = route('PATCH /api/v1/resort/slopes/:id', {
  id: 'updateSlope',
  access: 'admin',
  summary: 'Change a slope, open or close it, report that it was groomed',
  description:
    'What is left out stays. `status` counts against the schedule until `until`; the reply shows that of an opening without one.',
  params,
  headers: IF_MATCH,
  body: SlopePatch,
  reply: Changed,
  errors: ['not_found', 'invalid', 'invalid_transition', 'outdated_revision'],
  projections: [resortSlopes, resortChanges],
  handle: async ({ params: { id }, body, context, request }, app) => {
    const ifRevision = revisionsIn(request.header('if-match'));
    const change = { ...changeOf<typeof SlopeDetails>(body), ifRevision };
    const { revision, override } = await changeFacility(app, context, slopes, id, change);
    request.setHeader('etag', etagOf('', revision));
    return { id, revision, override };
  },
});

const remove = route('DELETE /api/v1/resort/slopes/:id', {
  id: 'retireSlope',
  access: 'admin',
  summary: 'Retire a slope',
  description: 'Lists no longer have it; its history stays.',
  params,
  query: Type.Object({ reason: Type.Optional(Reason) }),
  status: 204,
  reply: Type.Null(),
  errors: ['not_found'],
  projections: [resortSlopes, resortChanges],
  handle: async ({ params: { id }, query: { reason = null }, context }, app) => {
    await retireFacility(app, context, slopes, id, reason);
    return null;
  },
});

const history = route('GET /api/v1/resort/slopes/:id/history', {
  id: 'listSlopeChanges',
  access: 'admin',
  summary: 'List the changes of a slope',
  description: 'Newest first: who changed what. Changes by the clock are not among them.',
  params,
  query: Type.Object(pagingQuery),
  reply: ListOf(ResortChange),
  reads: [resortChanges],
  handle: async ({ params: { id }, query }, { db }) => {
    const paging = pagingOf(query);
    return listOf(await changesOf(db, id, paging), paging);
  },
});

export const slopeRoutes = [list, one, add, patch, remove, history];
