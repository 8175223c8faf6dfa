/** Calls: placed, answered and ended over REST; the devices negotiate on the channel of the call. */
import { Type } from '@sinclair/typebox';
import { acceptCall, endCall, type Placed, placeCall, rejectCall } from '../../commands/calls/calls.ts';
import { recordHeartbeat } from '../../commands/calls/heartbeats.ts';
import { CallKind, callStatuses, isOver } from '../../domain/calls/call.ts';
import { notFound } from '../../domain/core/decider.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { callParties } from '../../projections/calls/callParties.ts';
import { begun, CallWire, callOf, calls, listCalls, showCall, showCalls } from '../../projections/calls/calls.ts';
import { callersChannel } from '../accounts/channels.ts';
import type { App } from '../http/app.ts';
import { ListOf, pagedText, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route, withStatus } from '../http/route.ts';

/** The call after a command, whether or not the read model knows it yet. */
const shown = async (app: App, person: string, { callId, state }: Placed, at: string): Promise<JsonText<CallWire>> => {
  const row = (await callOf(app.db, person, callId)) ?? begun(callId, state, at, 'ringing');
  if (row.status === state.status) return showCall(app.db, row);
  const wasAnswered = row.accepted_at !== null || row.status === 'accepted';
  return showCall(app.db, {
    ...row,
    status: state.status,
    accepted_at: row.accepted_at ?? (state.status === 'accepted' ? at : null),
    ended_at: row.ended_at ?? (isOver(state) ? at : null),
    end_reason: wasAnswered && isOver(state) ? (state.status === 'failed' ? 'failed' : 'hung_up') : row.end_reason,
  });
};

const place = route('POST /api/v1/calls', {
  id: 'createCall',
  access: 'user',
  rate: 'call',
  summary: 'Call somebody',
  description:
    'Rings for 45 s at all devices of the callee, as `call.created` on `realtime:user_<id>`. `busy`: the callee is in another call. If the callee is calling you at this moment, that call is answered instead, and its id is returned; if you are in a call with each other, that call is returned. When the callee has accepted, send an offer on `call_<id>`.',
  body: Type.Object({ callee_id: Uuid, kind: CallKind }, { $id: 'NewCall' }),
  reply: CallWire,
  status: 201,
  alternatives: {
    200: { description: 'The call that you already have with each other, or the one that you have answered.' },
  },
  errors: ['not_found', 'in_call', 'invalid', 'answered_elsewhere', 'invalid_transition', 'too_many_attempts'],
  projections: [calls, callParties],
  handle: async ({ body, caller, context }, app) => {
    const { callee_id: calleeId, kind } = body;
    const wanted = { callerId: caller.id, calleeId, kind, sessionId: caller.sessionId };
    const { isNew, ...placed } = await placeCall(app, context, wanted);
    const reply = await shown(app, caller.id, placed, context.at);
    return isNew ? reply : withStatus(200, reply);
  },
});

const list = route('GET /api/v1/calls', {
  id: 'listCalls',
  access: 'user',
  summary: 'List own calls',
  description: 'Newest first, those that you made and those that you got.',
  query: Type.Object({ ...pagingQuery, status: Type.Optional(OneOf(callStatuses)) }),
  reply: ListOf(CallWire),
  reads: [calls],
  channel: callersChannel,
  handle: ({ query, caller }, app) =>
    pagedText(query, async (paging) => {
      const { rows, total } = await listCalls(app.db, caller.id, { status: query.status, ...paging });
      return { rows: await showCalls(app.db, rows), total };
    }),
});

const one = route('GET /api/v1/calls/:id', {
  id: 'getCall',
  access: 'user',
  summary: 'Get your call',
  params: ById,
  reply: CallWire,
  errors: ['not_found'],
  reads: [calls],
  handle: async ({ params: { id }, caller }, app) => {
    const row = await callOf(app.db, caller.id, id);
    if (!row) throw notFound('call');
    return showCall(app.db, row);
  },
});

const accept = route('POST /api/v1/calls/:id/accept', {
  id: 'acceptCall',
  access: 'user',
  summary: 'Answer a call',
  description:
    'The device whose session calls this first has the call. The others see `call.updated` with the status `accepted`, and stop ringing; if they answer too, they get 409 `answered_elsewhere`.',
  params: ById,
  reply: CallWire,
  errors: ['not_found', 'forbidden', 'answered_elsewhere', 'invalid_transition'],
  projections: [calls],
  handle: async ({ params: { id }, caller, context }, app) => {
    const placed = await acceptCall(app, context, id, { by: caller.id, sessionId: caller.sessionId });
    return shown(app, caller.id, placed, context.at);
  },
});

const reject = route('POST /api/v1/calls/:id/reject', {
  id: 'rejectCall',
  access: 'user',
  summary: 'Reject a call that rings',
  params: ById,
  reply: CallWire,
  errors: ['not_found', 'forbidden', 'answered_elsewhere', 'invalid_transition'],
  projections: [calls, callParties],
  handle: async ({ params: { id }, caller, context }, app) =>
    shown(app, caller.id, await rejectCall(app, context, id, caller.id), context.at),
});

const end = route('POST /api/v1/calls/:id/end', {
  id: 'endCall',
  access: 'user',
  summary: 'End a call',
  description:
    'A call that still rings is `missed` when the caller ends it, and `rejected` when the callee does. `reason: failed` says that no connection came about. A call that is over stays as it is.',
  params: ById,
  body: Type.Object({ reason: Type.Optional(OneOf(['hung_up', 'failed'])) }),
  reply: CallWire,
  errors: ['not_found'],
  projections: [calls, callParties],
  handle: async ({ params: { id }, body: { reason = 'hung_up' }, caller, context }, app) =>
    shown(app, caller.id, await endCall(app, context, id, { by: caller.id, reason }), context.at),
});

const heartbeat = route('POST /api/v1/calls/:id/heartbeat', {
  id: 'sendCallHeartbeat',
  ignoresKey: 'it only says that the device is still there',
  access: 'user',
  summary: 'Say that a call goes on',
  description:
    'Optional, every 30 s by any device in the call. Once one was sent, the call ends when none came from either side for 2 minutes. Otherwise a call that nobody ends lasts 4 hours.',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found', 'invalid_transition'],
  handle: async ({ params: { id }, caller, context }, app) => {
    await recordHeartbeat(app, id, { by: caller.id, at: context.at });
    return null;
  },
});

export const callRoutes = [place, list, one, accept, reject, end, heartbeat];
