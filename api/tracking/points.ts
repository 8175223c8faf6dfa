/** The points of a track: sent by the device, read by its owner and by whom it is shared with, downloaded as GPX. */
import { Type } from '@sinclair/typebox';
import { pointsAfter } from '../../commands/tracking/points.ts';
import { keyOf, ownSession } from '../../commands/tracking/sessions.ts';
import { uploadPoints } from '../../commands/tracking/upload.ts';
import { Count, Nullable } from '../../domain/core/schema.ts';
import { MAX_POINTS_AT_ONCE, MAX_SEQ, TrackPoint } from '../../domain/tracking/point.ts';
import { pageAndMore } from '../../infra/paging.ts';
import { addressOf } from '../../projections/engine/channels.ts';
import { type PositionMoved, positionMoved, trackingChannel } from '../../projections/tracking/channels.ts';
import { trackingSessions } from '../../projections/tracking/sessions.ts';
import { trackingShares } from '../../projections/tracking/shares.ts';
import { itemChecker, RejectedItem } from '../http/itemwise.ts';
import { ById, route } from '../http/route.ts';
import { Streamed, StreamOf } from '../http/streamed.ts';
import { gpx } from './gpx.ts';
import { readableTrack, SentAt } from './wire.ts';

const NewPoint = Type.Object(TrackPoint.properties, { $id: 'NewTrackPoint' });
const check = itemChecker('points', NewPoint);

const upload = route('POST /api/v1/tracking/sessions/:id/points', {
  id: 'uploadTrackPoints',
  ignoresKey: 'a point is known by its `seq`',
  access: 'user',
  rate: 'points',
  summary: 'Upload points of a tracking session',
  description: `At most ${MAX_POINTS_AT_ONCE} points, in any order. A point is known by its \`seq\`, so that a batch can be sent again: what the session has already is counted as duplicates. Points that are malformed or cannot be used are rejected one by one; sending them again does not help. Points of a finished session are accepted for 72 hours.`,
  params: ById,
  body: Type.Object({
    points: Type.Array(NewPoint, { minItems: 1, maxItems: MAX_POINTS_AT_ONCE }),
    sent_at: SentAt,
  }),
  itemwise: 'points',
  bodyLimit: 2 * 1024 * 1024,
  reply: Type.Object(
    { accepted: Count, duplicates: Count, rejected: Type.Array(RejectedItem) },
    { $id: 'UploadedPoints' },
  ),
  errors: ['not_found', 'invalid_transition'],
  handle: async ({ params, body, caller, context }, app) => {
    const of = { accountId: caller.id, sessionId: params.id };
    const { fitting, rejected: malformed } = check(body.points);
    const points = fitting.map(({ item }) => item);
    const { moved, accepted, duplicates, rejected } = await uploadPoints(app, context, of, points, body.sent_at);
    if (moved) {
      const { t, lat, lon, alt = null, acc, speed = null } = moved;
      const data: PositionMoved = { t: new Date(t).toISOString(), lat, lon, alt, acc, speed };
      const channel = addressOf(trackingChannel, params.id);
      app.tell({ channel, type: positionMoved.type, from: caller.id, ts: context.at, data });
    }
    const unusable = rejected.map(({ index, detail }) => ({ index: fitting[index]?.index ?? index, detail }));
    const all = [...malformed, ...unusable].toSorted((a, b) => a.index - b.index);
    return { accepted, duplicates, rejected: all };
  },
});

const list = route('GET /api/v1/tracking/sessions/:id/points', {
  id: 'listTrackPoints',
  access: 'user',
  summary: 'List the points of a track',
  description:
    'In the order of `seq`. For the owner, and while the track is shared for the viewers, who see the points since the share began.',
  params: ById,
  query: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: -1, maximum: MAX_SEQ, default: -1, description: 'A `next_after`.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000 })),
  }),
  reply: Type.Object({
    data: Type.Array(TrackPoint),
    next_after: Nullable(Type.Integer({ description: 'Send it as `after` to read on; null at the end.' })),
  }),
  errors: ['not_found'],
  reads: [trackingSessions, trackingShares],
  handle: async ({ params, query: { after = -1, limit = 1_000 }, caller }, app) => {
    const { key, since } = await readableTrack(app, caller.id, params.id);
    const found = await pointsAfter(app.pool, key, { after, limit: limit + 1, since });
    const { rows, hasMore } = pageAndMore(found, limit);
    return { data: [...rows], next_after: hasMore ? (rows.at(-1)?.seq ?? null) : null };
  },
});

const download = route('GET /api/v1/tracking/sessions/:id/gpx', {
  id: 'downloadTrack',
  access: 'user',
  summary: 'Download a track as GPX 1.1',
  description: 'For the owner. Points are kept for some weeks; afterwards the file has none.',
  params: ById,
  reply: StreamOf('application/gpx+xml'),
  errors: ['not_found'],
  handle: async ({ params, caller }, app) => {
    const key = keyOf(params.id, await ownSession(app, caller.id, params.id));
    return new Streamed(`track-${key.day}.gpx`, gpx(app.pool, key));
  },
});

export const pointRoutes = [upload, list, download];
