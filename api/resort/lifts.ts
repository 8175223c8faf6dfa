/** Lifts. */
import { Type } from '@sinclair/typebox';
import { changeFacility, lifts } from '../../commands/resort/facilities.ts';
import { reportQueue } from '../../commands/resort/queues.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { OneOf } from '../../domain/core/schema.ts';
import { type LiftDetails, liftKinds } from '../../domain/resort/lift.ts';
import { operatingStatuses } from '../../domain/resort/operation.ts';
import { configRevisions } from '../../projections/platform/config.ts';
import { resortChanges } from '../../projections/resort/changes.ts';
import { liftQueuesChannel } from '../../projections/resort/channels.ts';
import { resortLifts } from '../../projections/resort/facilities.ts';
import { Lift, mountainNow } from '../../projections/resort/mountain.ts';
import type { App } from '../http/app.ts';
import { askedRevisions, tellRevision } from '../http/conditional.ts';
import { Favorable } from '../http/favorite.ts';
import { ListOf, pagingQuery } from '../http/paging.ts';
import { ById, type Input, route } from '../http/route.ts';
import { bulkRoute } from './bulkStatus.ts';
import { Changed, changeOf, LiftPatch, NewLift, newLift } from './facilityBodies.ts';
import { FACILITY, facilityRoutes, pageIn } from './facilityRoutes.ts';
import { PUBLIC_CACHE } from './publicCache.ts';

const WORKING_DAY = { none: 'the working day on the mountain, which must not wait; corrected as quickly' };

/** As it is at an instant. @throws Rejected `not_found` */
export const liftAt = async (app: App, id: string, at: string): Promise<Lift> => {
  const found = (await mountainNow(app, at)).lifts.find((lift) => lift.id === id);
  if (!found) throw notFound('lift');
  return found;
};

const listing = {
  access: 'public',
  rate: 'status',
  summary: 'List lifts',
  description:
    'By name, with their states at this moment. `status` follows from what an operator has set, otherwise from the schedule. `queue_minutes` is null while nobody knows it. The channel `lift_queues` carries the changes.',
  query: Type.Object({
    ...pagingQuery,
    status: Type.Optional(OneOf(operatingStatuses)),
    kind: Type.Optional(OneOf(liftKinds)),
  }),
  reply: ListOf(Favorable(Lift, 'lift')),
  reads: [resortLifts, configRevisions],
  cache: PUBLIC_CACHE,
  channel: { of: liftQueuesChannel, id: () => '' },
} as const;
type Listed = Input<'public', undefined, (typeof listing)['query'], undefined>;

const page = async ({ query: { status, kind, ...query }, context: { at } }: Listed, app: App) =>
  pageIn(
    (await mountainNow(app, at)).lifts,
    query,
    (lift) => lift.status === (status ?? lift.status) && lift.kind === (kind ?? lift.kind),
  );

const list = route('GET /api/v1/resort/lifts', { ...listing, id: 'listLifts', handle: page });
/** The interface has both paths. */
const listShort = route('GET /api/v1/lifts', { ...listing, id: 'listLiftsAtShortPath', handle: page });

const { one, add, remove, history } = facilityRoutes({
  kind: lifts,
  model: resortLifts,
  shown: Lift,
  at: liftAt,
  added: {
    description: 'Its geometry goes from the lower station to the upper one, with altitudes where they are known.',
    body: NewLift,
    details: newLift,
  },
});

const patch = route('PATCH /api/v1/resort/lifts/:id', {
  id: 'updateLift',
  access: 'admin',
  harm: WORKING_DAY,
  summary: 'Change a lift, open or close it, report its queue',
  description:
    'What is left out stays. `status` counts against the schedule until `until`; the reply shows that of an opening without one. A reported `queue` counts for 30 minutes; null withdraws it. The queue has no revision: `If-Match` is about the lift.',
  params: ById,
  ifMatch: FACILITY,
  body: LiftPatch,
  reply: Changed,
  errors: ['not_found', 'invalid', 'invalid_transition'],
  projections: [resortLifts, resortChanges],
  handle: async ({ params: { id }, body: { queue, ...body }, context, request }, app) => {
    const ifRevision = askedRevisions(request);
    if (queue && (queue.people === undefined) === (queue.minutes === undefined))
      throw new Rejected('invalid', 'Say in `queue` either how many `people` wait or how many `minutes`, not both.', {
        fields: ['queue'],
      });
    const { revision, override } = await changeFacility(app, context, lifts, id, {
      ...changeOf<typeof LiftDetails>(body),
      ifRevision,
    });
    const { people = null, minutes = null } = queue ?? {};
    const measured = queue && { people, minutes, measuredAt: context.at };
    if (measured !== undefined) await reportQueue(app, context, id, 'manual', measured);
    tellRevision(request, revision);
    return { id, revision, override };
  },
});

const bulk = bulkRoute({
  kind: lifts,
  model: resortLifts,
  harm: WORKING_DAY,
  allOf: async (app, at) => (await mountainNow(app, at)).lifts,
});

export const liftRoutes = [list, listShort, one, add, patch, remove, bulk, history];
