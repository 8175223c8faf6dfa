/** Waits at lifts: what is typical, and who wants to be told when one gets short. */
import { Type } from '@sinclair/typebox';
import { queueAlertsOf, removeQueueAlert, setQueueAlert } from '../../commands/resort/queueAlerts.ts';
import { todayIn, WEEKDAYS } from '../../domain/core/dates.ts';
import { Instant, OneOf, Uuid } from '../../domain/core/schema.ts';
import { MOST_MINUTES } from '../../domain/resort/queue.ts';
import { configRevisions, timezoneNow } from '../../projections/platform/config.ts';
import { resortLifts } from '../../projections/resort/facilities.ts';
import {
  liftQueueQuarters,
  TYPICAL_WEEKS,
  TypicalWait,
  typicalWaitsOf,
} from '../../projections/resort/typicalWaits.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { liftAt } from './lifts.ts';

const typical = route('GET /api/v1/resort/lifts/:id/typical-waits', {
  id: 'getTypicalWaits',
  access: 'public',
  rate: 'status',
  summary: 'Get the typical waits at a lift',
  description: `By weekday and quarter of an hour, from what was reported in the last ${TYPICAL_WEEKS} weeks. What is not listed was never reported.`,
  params: ById,
  query: Type.Object({ weekday: Type.Optional(OneOf(WEEKDAYS)) }),
  reply: Type.Object({ lift_id: Uuid, timezone: Type.String(), data: Type.Array(TypicalWait) }),
  errors: ['not_found'],
  reads: [liftQueueQuarters, resortLifts, configRevisions],
  cache: { maxAge: 60, shared: true },
  handle: async ({ params: { id }, query: { weekday }, context: { at } }, app) => {
    await liftAt(app, id, at);
    const timezone = await timezoneNow(app);
    const waits = await typicalWaitsOf(app.db, { timezone, today: todayIn(timezone, at), liftId: id });
    return { lift_id: id, timezone, data: waits.filter((wait) => wait.weekday === (weekday ?? wait.weekday)) };
  },
});

const QueueAlert = Type.Object(
  {
    lift_id: Uuid,
    below_minutes: Type.Integer({ minimum: 1, maximum: MOST_MINUTES }),
    expires_at: { ...Instant, description: 'The end of the day at the resort.' },
  },
  { $id: 'QueueAlert' },
);

const set = route('POST /api/v1/resort/lifts/:id/queue-alerts', {
  id: 'setQueueAlert',
  access: 'user',
  summary: 'Be told when the wait at a lift gets short',
  description:
    'Once, today, by a notification of the kind `queue`. Setting it again replaces the one that the caller has for this lift. 409 when the wait is below that already.',
  params: ById,
  body: Type.Object({
    below_minutes: Type.Optional({ ...QueueAlert.properties.below_minutes, default: 10 }),
  }),
  status: 201,
  reply: QueueAlert,
  errors: ['not_found', 'invalid_transition'],
  handle: ({ params: { id }, body: { below_minutes = 10 }, context }, app) =>
    setQueueAlert(app, context, id, below_minutes),
});

const list = route('GET /api/v1/resort/queue-alerts', {
  id: 'listQueueAlerts',
  access: 'user',
  summary: 'List own queue alerts',
  description: 'Those that are still to be told, at most one for each lift.',
  reply: Type.Object({ data: Type.Array(QueueAlert) }),
  handle: async ({ caller, context: { at } }, { pool }) => ({ data: await queueAlertsOf(pool, caller.id, at) }),
});

const remove = route('DELETE /api/v1/resort/lifts/:id/queue-alerts', {
  id: 'removeQueueAlert',
  access: 'user',
  summary: 'Remove a queue alert',
  params: ById,
  ...NO_CONTENT,
  handle: async ({ params: { id }, caller }, app) => {
    await removeQueueAlert(app, caller.id, id);
    return null;
  },
});

export const queueRoutes = [typical, set, list, remove];
