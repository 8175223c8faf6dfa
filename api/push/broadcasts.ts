/** Messages to many people, as admins send, watch and stop them. */
import { type Static, Type } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import { countDeliveries } from '../../commands/push/broadcastJob.ts';
import {
  cancelBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  scheduleBroadcast,
  tryBroadcast,
} from '../../commands/push/broadcasts.ts';
import { listDeliveries } from '../../commands/push/results.ts';
import { pushServices } from '../../commands/push/service.ts';
import { notFound } from '../../domain/core/decider.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { BroadcastCounts, BroadcastKind, BroadcastTexts, Segment, Urgency } from '../../domain/push/broadcast.ts';
import { type BroadcastRow, broadcastById, listBroadcasts, pushBroadcasts } from '../../projections/push/broadcasts.ts';
import type { App } from '../http/app.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { ById, route, withStatus } from '../http/route.ts';
import { shownAfter } from '../http/shownAfter.ts';

const SHOWS_SENT = { none: 'shows what was sent to many, and counts or ids of devices' };

const MODELS = [pushBroadcasts];

const { counts: _, ...row } = pushBroadcasts.row.properties;
const PushBroadcast = Type.Object(
  {
    ...row,
    counts: Type.Object(
      {
        ...BroadcastCounts.properties,
        waiting: Type.Integer({ description: 'Queued, or waiting for another attempt.' }),
      },
      { description: 'What became of it until now, in devices.' },
    ),
  },
  { $id: 'PushBroadcast' },
);

const shown = async ({ pool }: App, { counts, ...broadcast }: BroadcastRow): Promise<Static<typeof PushBroadcast>> => ({
  ...broadcast,
  counts: counts ? { ...counts, waiting: 0 } : await countDeliveries(pool, broadcast.id),
});

const found = async (app: App, id: string): Promise<BroadcastRow> => {
  const known = await broadcastById(app.db, id);
  if (!known) throw notFound('broadcast');
  return known;
};

const send = route('POST /api/v1/push/send', {
  id: 'sendPush',
  previews: 'POST /api/v1/push/send',
  access: 'admin',
  harm: 'safety',
  summary: 'Send a push message to many people',
  description:
    'To the devices of everybody in `segment`, who has to be named: `{}` is everybody. People who do not want messages of this kind are left out, and for `marketing` those who do not consent. With `dry_run` it is checked and counted, and nothing is sent.',
  body: Type.Object(
    {
      segment: Segment,
      texts: BroadcastTexts,
      kind: Type.Optional({ ...BroadcastKind, default: 'system' }),
      link: Type.Optional(Type.String({ maxLength: 500, description: 'Where the app goes when it is opened.' })),
      urgency: Type.Optional(Urgency),
      send_at: Type.Optional(Type.String({ format: 'date-time', description: 'Otherwise at once.' })),
      expires_at: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'What is not delivered by then never is. A day later by default.',
        }),
      ),
      dry_run: Type.Optional(Type.Boolean()),
    },
    { $id: 'NewPushBroadcast' },
  ),
  reply: PushBroadcast,
  status: 202,
  alternatives: {
    200: {
      description: 'How many it would reach now.',
      reply: Type.Object({ people: Type.Integer(), devices: Type.Integer() }, { $id: 'PushAudience' }),
    },
  },
  errors: ['invalid'],
  projections: MODELS,
  handle: async ({ body, caller, context }, app) => {
    const { segment, texts, kind = 'system', link = '', urgency = 'normal' } = body;
    const sendAt = new Date(body.send_at ?? context.at).toISOString();
    const expiresAt = new Date(body.expires_at ?? Date.parse(sendAt) + DAY_MS).toISOString();
    const message = { kind, segment, texts, link, urgency, sendAt, expiresAt };
    if (body.dry_run) return withStatus(200, await tryBroadcast(app, context, message));
    const id = await shownAfter(app, context, MODELS, (own) => scheduleBroadcast(app, own, message));
    const fresh: BroadcastRow = {
      id,
      kind,
      segment,
      texts,
      link,
      urgency,
      send_at: sendAt,
      expires_at: expiresAt,
      status: 'scheduled',
      created_at: context.at,
      created_by: caller.id,
      finished_at: null,
      counts: null,
    };
    return shown(app, (await broadcastById(app.db, id)) ?? fresh);
  },
});

const list = route('GET /api/v1/push/broadcasts', {
  id: 'listPushBroadcasts',
  access: 'admin',
  harm: SHOWS_SENT,
  summary: 'List push messages to many people',
  description: 'Newest first.',
  query: Type.Object(pagingQuery),
  reply: ListOf(PushBroadcast),
  reads: MODELS,
  handle: async ({ query }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = await listBroadcasts(app.db, paging);
    return listOf({ rows: await Promise.all(rows.map((each) => shown(app, each))), total }, paging);
  },
});

const get = route('GET /api/v1/push/broadcasts/:id', {
  id: 'getPushBroadcast',
  access: 'admin',
  harm: SHOWS_SENT,
  summary: 'Show a push message to many people and its progress',
  params: ById,
  reply: PushBroadcast,
  errors: ['not_found'],
  reads: MODELS,
  handle: async ({ params }, app) => shown(app, await found(app, params.id)),
});

const outcomes = ['waiting', 'delivered', 'dead', 'refused', 'expired', 'gone', 'unwanted', 'cancelled'] as const;
const PushDelivery = Type.Object(
  {
    device_id: Uuid,
    user_id: Uuid,
    service: OneOf(pushServices),
    outcome: OneOf(outcomes, {
      description:
        '`delivered`: the service has taken it. `dead`: the token was of no use, and is forgotten. `refused` by the service. `gone`: the person had signed out or left the device. `unwanted`: the consent to marketing was withdrawn.',
    }),
    reason: Nullable(Type.String({ description: 'As the service says; while it waits, of the last attempt.' })),
    attempts: Type.Integer({ description: 'How often the service was asked.' }),
    settled_at: Nullable(Instant),
  },
  { $id: 'PushDelivery' },
);

const deliveries = route('GET /api/v1/push/broadcasts/:id/deliveries', {
  id: 'listPushDeliveries',
  access: 'admin',
  harm: SHOWS_SENT,
  summary: 'List what became of a push message at each device',
  description: 'Kept for 30 days after it has expired.',
  params: ById,
  query: Type.Object({ ...pagingQuery, outcome: Type.Optional(OneOf(outcomes)) }),
  reply: ListOf(PushDelivery),
  errors: ['not_found'],
  reads: MODELS,
  handle: async ({ params, query: { outcome, ...query } }, app) => {
    await found(app, params.id);
    const paging = pagingOf(query);
    const { rows, total } = await listDeliveries(app.pool, params.id, { outcome, ...paging });
    return listOf({ rows: rows as Static<typeof PushDelivery>[], total }, paging);
  },
});

/** An operation that stops a broadcast or has it go on. */
const moving = (
  verb: 'pause' | 'resume' | 'cancel',
  change: (app: App, context: CommandContext, id: string) => Promise<void>,
  about: { readonly id: string; readonly summary: string; readonly description: string },
) =>
  route(`POST /api/v1/push/broadcasts/:id/${verb}`, {
    ...about,
    access: 'admin',
    harm: 'safety',
    params: ById,
    reply: PushBroadcast,
    errors: ['not_found', 'invalid_transition'],
    projections: MODELS,
    handle: async ({ params, context }, app) => {
      await shownAfter(app, context, MODELS, (own) => change(app, own, params.id));
      return shown(app, await found(app, params.id));
    },
  });

const pause = moving('pause', pauseBroadcast, {
  id: 'pausePushBroadcast',
  summary: 'Pause a push message to many people',
  description: 'What is being sent at this moment still arrives.',
});
const resume = moving('resume', resumeBroadcast, {
  id: 'resumePushBroadcast',
  summary: 'Go on with a push message to many people',
  description: 'Nobody gets it twice.',
});
const cancel = moving('cancel', cancelBroadcast, {
  id: 'cancelPushBroadcast',
  summary: 'Cancel a push message to many people',
  description: 'For good: nobody else gets it.',
});

export const broadcastRoutes = [send, list, get, deliveries, pause, resume, cancel];
