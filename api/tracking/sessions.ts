/** Tracking sessions of the caller. */

import { Type } from '@sinclair/typebox';
import { discardSession, finishSession, startSession } from '../../commands/tracking/sessions.ts';
import { notFound } from '../../domain/core/decider.ts';
import { DateOnly, OneOf } from '../../domain/core/schema.ts';
import {
  listSessions,
  sessionById,
  sessionStatuses,
  shownSession,
  TrackingSession,
  trackingSessions,
} from '../../projections/tracking/sessions.ts';
import { trackingShares } from '../../projections/tracking/shares.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { SentAt, sessionReply, When } from './wire.ts';

const reads = [trackingSessions];

const start = route('POST /api/v1/tracking/sessions', {
  id: 'startTrackingSession',
  access: 'user',
  summary: 'Start a tracking session',
  description:
    'A device that was offline starts it later, with the time at which it began to record: at most 72 hours ago. The session counts for the day on which it began at the resort.',
  body: Type.Object({ started_at: When('Now unless given.'), sent_at: SentAt }),
  reply: TrackingSession,
  status: 201,
  projections: reads,
  handle: async ({ body, caller, context }, app) => {
    const startedAt = body.started_at ?? context.at;
    const sentAt = body.started_at === undefined ? undefined : body.sent_at;
    const { id, session } = await startSession(app, context, caller.id, startedAt, sentAt);
    return sessionReply(id, session);
  },
});

const list = route('GET /api/v1/tracking/sessions', {
  id: 'listTrackingSessions',
  access: 'user',
  summary: 'List own tracking sessions',
  description: 'The newest first. `from` and `to` are days at the resort, both included.',
  query: Type.Object({
    ...pagingQuery,
    status: Type.Optional(OneOf(sessionStatuses)),
    from: Type.Optional(DateOnly),
    to: Type.Optional(DateOnly),
  }),
  reply: ListOf(TrackingSession),
  reads,
  channel: callersChannel,
  handle: ({ query, caller }, app) =>
    paged(query, (paging) => listSessions(app.db, caller.id, { ...query, ...paging }), shownSession),
});

const one = route('GET /api/v1/tracking/sessions/:id', {
  id: 'getTrackingSession',
  access: 'user',
  summary: 'Get your tracking session',
  params: ById,
  reply: TrackingSession,
  errors: ['not_found'],
  reads,
  channel: callersChannel,
  handle: async ({ params, caller }, app) => {
    const row = await sessionById(app.db, params.id);
    if (row?.account_id !== caller.id) throw notFound('tracking session');
    return shownSession(row);
  },
});

const finish = route('POST /api/v1/tracking/sessions/:id/finish', {
  id: 'finishTrackingSession',
  access: 'user',
  summary: 'Finish a tracking session',
  description:
    'The summary is computed from the points that have arrived. For 72 hours, points that arrive later correct it within a minute. What was recorded after `finished_at` does not count. A session without points for hours is finished at its last point (`abandoned`): it takes later points, and can still be finished.',
  params: ById,
  body: Type.Object({ finished_at: When('Now unless given.'), sent_at: SentAt }),
  reply: TrackingSession,
  errors: ['not_found', 'invalid', 'invalid_transition'],
  projections: [...reads, trackingShares],
  handle: async ({ params, body, caller, context }, app) => {
    const finishedAt = body.finished_at ?? context.at;
    const of = { accountId: caller.id, sessionId: params.id };
    const sentAt = body.finished_at === undefined ? undefined : body.sent_at;
    return sessionReply(params.id, await finishSession(app, context, of, finishedAt, sentAt));
  },
});

const discard = route('DELETE /api/v1/tracking/sessions/:id', {
  id: 'discardTrackingSession',
  access: 'user',
  summary: 'Remove a tracking session with its points',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: [...reads, trackingShares],
  handle: async ({ params, caller, context }, app) => {
    await discardSession(app, context, { accountId: caller.id, sessionId: params.id });
    return null;
  },
});

export const sessionRoutes = [start, list, one, finish, discard];
