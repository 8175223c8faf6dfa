/** Slopes. */
import { Type } from '@sinclair/typebox';
import { changeFacility, slopes } from '../../commands/resort/facilities.ts';
import { notFound } from '../../domain/core/decider.ts';
import { OneOf } from '../../domain/core/schema.ts';
import { operatingStatuses } from '../../domain/resort/operation.ts';
import { difficulties, type SlopeDetails } from '../../domain/resort/slope.ts';
import { configRevisions } from '../../projections/platform/config.ts';
import { resortChanges } from '../../projections/resort/changes.ts';
import { resortChannel } from '../../projections/resort/channels.ts';
import { resortSlopes } from '../../projections/resort/facilities.ts';
import { mountainNow, Slope } from '../../projections/resort/mountain.ts';
import type { App } from '../http/app.ts';
import { askedRevisions, tellRevision } from '../http/conditional.ts';
import { Favorable } from '../http/favorite.ts';
import { ListOf, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';
import { bulkRoute } from './bulkStatus.ts';
import { Changed, changeOf, NewSlope, newSlope, SlopePatch } from './facilityBodies.ts';
import { FACILITY, facilityRoutes, pageIn } from './facilityRoutes.ts';
import { PUBLIC_CACHE } from './publicCache.ts';

const WORKING_DAY = { none: 'the working day on the mountain, which must not wait; corrected as quickly' };

/** As it is at an instant. @throws Rejected `not_found` */
const slopeAt = async (app: App, id: string, at: string): Promise<Slope> => {
  const found = (await mountainNow(app, at)).slopes.find((slope) => slope.id === id);
  if (!found) throw notFound('slope');
  return found;
};

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
  reply: ListOf(Favorable(Slope, 'slope')),
  reads: [resortSlopes, configRevisions],
  cache: PUBLIC_CACHE,
  channel: { of: resortChannel, id: () => '' },
  handle: async ({ query: { status, difficulty, ...query }, context: { at } }, app) =>
    pageIn(
      (await mountainNow(app, at)).slopes,
      query,
      (slope) => slope.status === (status ?? slope.status) && slope.difficulty === (difficulty ?? slope.difficulty),
    ),
});

const { one, add, remove, history } = facilityRoutes({
  kind: slopes,
  model: resortSlopes,
  shown: Slope,
  at: slopeAt,
  added: {
    description: 'Its geometry is a line downhill, or a field. `from_lifts`, `to_lifts` and `to_slopes` connect it.',
    body: NewSlope,
    details: newSlope,
  },
});

const patch = route('PATCH /api/v1/resort/slopes/:id', {
  id: 'updateSlope',
  access: 'admin',
  harm: WORKING_DAY,
  summary: 'Change a slope, open or close it, report that it was groomed',
  description:
    'What is left out stays. `status` counts against the schedule until `until`; the reply shows that of an opening without one.',
  params: ById,
  ifMatch: FACILITY,
  body: SlopePatch,
  reply: Changed,
  errors: ['not_found', 'invalid', 'invalid_transition'],
  projections: [resortSlopes, resortChanges],
  handle: async ({ params: { id }, body, context, request }, app) => {
    const ifRevision = askedRevisions(request);
    const change = { ...changeOf<typeof SlopeDetails>(body), ifRevision };
    const { revision, override } = await changeFacility(app, context, slopes, id, change);
    tellRevision(request, revision);
    return { id, revision, override };
  },
});

const bulk = bulkRoute({
  kind: slopes,
  model: resortSlopes,
  harm: WORKING_DAY,
  allOf: async (app, at) => (await mountainNow(app, at)).slopes,
});

export const slopeRoutes = [list, one, add, patch, remove, bulk, history];
