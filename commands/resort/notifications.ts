/** What guests are told of lifts. */
import { Type } from '@sinclair/typebox';
import { MINUTE_MS, msBetween } from '../../domain/core/instants.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { countedRu } from '../../domain/core/wording.ts';
import { lift } from '../../domain/resort/lift.ts';
import { notification } from '../core/notification.ts';
import { takeQueueAlerts } from './queueAlerts.ts';

/** A queue is as short as it was for so long. */
const WORTH_MS = 15 * MINUTE_MS;

/** Once for each alert that somebody has set. */
const liftQueueShort = notification('lift_queue_short', {
  kind: 'queue',
  urgency: 'normal',
  worthMs: WORTH_MS,
  params: Type.Object({ lift_id: Uuid, lift: Type.String(), minutes: Type.Integer() }),
  on: {
    LiftStateTold: ({ id, streamId: liftId, data: { status, queueMinutes } }) =>
      status === 'open' && queueMinutes !== null
        ? { about: { liftId, minutes: String(queueMinutes), eventId: id } }
        : undefined,
  },
  find: async ({ liftId = '', minutes: told, eventId = '' }, { deps, at, eventAt }) => {
    if (msBetween(eventAt, at) > WORTH_MS) return [];
    const minutes = Number(told);
    const alerts = await takeQueueAlerts(deps, { liftId, minutes, eventId }, at);
    if (alerts.length === 0) return [];
    const { state } = await deps.aggregates.load(lift, liftId);
    if (state.status === 'none') return [];
    const params = { lift_id: liftId, lift: state.details.name, minutes };
    return alerts.map(({ person_id: to, id: key }) => ({ to, key, params }));
  },
  text: {
    ru: ({ lift: name, minutes }) => ({
      title: 'Короткая очередь',
      body: `${name}: ждать ${countedRu(minutes, 'минуту', 'минуты', 'минут')}.`,
    }),
    en: ({ lift: name, minutes }) => ({ title: 'Short queue', body: `${name}: the wait is ${minutes} min.` }),
  },
  link: ({ lift_id }) => `/resort/lifts/${lift_id}`,
});

export const resortNotifications = [liftQueueShort];
