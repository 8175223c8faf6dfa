/** Events of apps: screens, clicks and goals, one or many at a time. */
import { type Static, Type } from '@sinclair/typebox';
import { type Recorded, recordEvents, type SentEvent } from '../../commands/analytics/record.ts';
import {
  conversionNames,
  EventKind,
  EventName,
  MAX_EVENTS_AT_ONCE,
  MAX_PROPERTIES_BYTES,
} from '../../domain/analytics/event.ts';
import { Count, Instant, Uuid } from '../../domain/core/schema.ts';
import { itemChecker, RejectedItem } from '../http/itemwise.ts';
import { route } from '../http/route.ts';

const sentAt = Type.Optional({
  ...Instant,
  description:
    'When the request was sent, by the clock of the device. A clock that is 2 to 60 minutes wrong is corrected by it.',
});

const fields = {
  event_id: { ...Uuid, description: 'Chosen by the app once for each event; the same when it is sent again.' },
  kind: EventKind,
  name: EventName,
  occurred_at: { ...Instant, description: 'By the clock of the device. The same when it is sent again.' },
  session_id: { ...Uuid, description: 'One for each visit.' },
  properties: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `At most ${MAX_PROPERTIES_BYTES / 1024} KiB. No names, addresses or other texts of people.`,
    }),
  ),
};
const AnalyticsEvent = Type.Object(fields, { $id: 'AnalyticsEvent' });

const Reply = Type.Object(
  {
    accepted: Count,
    duplicates: { ...Count, description: 'Events that were sent before.' },
    rejected: Type.Array(RejectedItem),
  },
  { $id: 'RecordedEvents' },
);

const ABOUT = `The answer is 202 also when events are rejected: sending those again does not help. Without the consent of the account to analytics, every event is rejected. \`${conversionNames.join('`, `')}\` are recorded by the platform itself.`;

const toSent = (index: number, event: Static<typeof AnalyticsEvent>): SentEvent => ({
  index,
  eventId: event.event_id,
  kind: event.kind,
  name: event.name,
  occurredAt: event.occurred_at,
  sessionId: event.session_id,
  properties: event.properties ?? {},
});

const single = route('POST /api/v1/events', {
  id: 'recordEvent',
  ignoresKey: 'an event is known by its `event_id`',
  access: 'user',
  rate: 'events',
  summary: 'Record an event of an app',
  description: ABOUT,
  body: Type.Object({ ...fields, sent_at: sentAt }, { $id: 'NewAnalyticsEvent' }),
  reply: Reply,
  status: 202,
  errors: ['overloaded'],
  handle: async ({ body: { sent_at = null, ...event }, caller, context }, app): Promise<Recorded> => {
    const sender = { accountId: caller.id, sentAt: sent_at, receivedAt: context.at };
    return recordEvents(app, sender, [toSent(0, event)]);
  },
});

const check = itemChecker('events', AnalyticsEvent);

const batch = route('POST /api/v1/events/batch', {
  id: 'recordEvents',
  ignoresKey: 'an event is known by its `event_id`',
  access: 'user',
  rate: 'events',
  summary: 'Record events of an app',
  description: `At most ${MAX_EVENTS_AT_ONCE} events, which are checked one by one: one that is wrong does not refuse the others. ${ABOUT}`,
  body: Type.Object(
    { events: Type.Array(AnalyticsEvent, { minItems: 1, maxItems: MAX_EVENTS_AT_ONCE }), sent_at: sentAt },
    { $id: 'AnalyticsEventBatch' },
  ),
  itemwise: 'events',
  bodyLimit: 2 * 1024 * 1024,
  reply: Reply,
  status: 202,
  errors: ['overloaded'],
  handle: async ({ body: { events, sent_at = null }, caller, context }, app): Promise<Recorded> => {
    const { fitting, rejected } = check(events);
    const sender = { accountId: caller.id, sentAt: sent_at, receivedAt: context.at };
    const recorded = await recordEvents(
      app,
      sender,
      fitting.map(({ index, item }) => toSent(index, item)),
    );
    const all = [...rejected, ...recorded.rejected].toSorted((a, b) => a.index - b.index);
    return { ...recorded, rejected: all };
  },
});

export const eventRoutes = [single, batch];
