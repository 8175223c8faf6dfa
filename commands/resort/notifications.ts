/** What guests are told of lifts. */
import { Type } from '@sinclair/typebox';
import { type Recorded, streamName } from '../../domain/core/decider.ts';
import { MINUTE_MS, msBetween } from '../../domain/core/instants.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { countedRu } from '../../domain/core/wording.ts';
import type { EventOf } from '../../domain/modules.ts';
import { lift } from '../../domain/resort/lift.ts';
import { liftTold } from '../../domain/resort/toldState.ts';
import type { CoreDeps } from '../core/deps.ts';
import { notification } from '../core/notification.ts';
import { takeQueueAlerts } from './queueAlerts.ts';

/** A queue is as short as it was for so long. */
const WORTH_MS = 15 * MINUTE_MS;

/** Shorter than any that an alert can ask for. */
const ANY_WAIT = -1;

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

/** Whether a lift ran, or stood for a short time, when its state was told before. An alert can be set while it is closed. */
const wasRunning = async ({ store, codec }: CoreDeps, liftId: string, told: bigint): Promise<boolean> => {
  if (told < 0n) return false;
  const [before] = await codec.decode<Recorded<EventOf<'LiftStateTold'>>>(
    await store.read(streamName(liftTold.category, liftId), { from: told, max: 1 }),
  );
  return before !== undefined && ['open', 'hold'].includes(before.data.status);
};

/** Nobody waits for a short queue at a lift that is closed: whoever has set an alert is told, and the alert ends. */
const liftAlertEnded = notification('lift_alert_ended', {
  kind: 'queue',
  urgency: 'normal',
  worthMs: WORTH_MS,
  params: Type.Object({ lift_id: Uuid, lift: Type.String() }),
  on: {
    // Also when it is retired. One that opens again today is not `closed` but `scheduled`.
    LiftStateTold: ({ id, streamId: liftId, revision, data: { status } }) =>
      status === 'closed' ? { about: { liftId, eventId: id, revision: String(revision) } } : undefined,
  },
  find: async ({ liftId = '', eventId = '', revision = '0' }, { deps, at }) => {
    if (!(await wasRunning(deps, liftId, BigInt(revision) - 1n))) return [];
    const alerts = await takeQueueAlerts(deps, { liftId, minutes: ANY_WAIT, eventId }, at);
    if (alerts.length === 0) return [];
    const { state } = await deps.aggregates.load(lift, liftId);
    if (state.status === 'none') return [];
    const params = { lift_id: liftId, lift: state.details.name };
    return alerts.map(({ person_id: to, id: key }) => ({ to, key, params }));
  },
  text: {
    ru: ({ lift: name }) => ({
      title: 'Подъёмник закрыт',
      body: `${name} закрыт: о короткой очереди мы сегодня не сообщим.`,
    }),
    en: ({ lift: name }) => ({
      title: 'The lift is closed',
      body: `${name} is closed, so that you will not be told of a short queue today.`,
    }),
  },
  link: ({ lift_id }) => `/resort/lifts/${lift_id}`,
});

export const resortNotifications = [liftQueueShort, liftAlertEnded];
