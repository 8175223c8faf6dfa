/** Live positions: who shares theirs sees those of friends who share, too. */
import { type Static, Type } from '@sinclair/typebox';
import { keepPosition, type Seen, seenBy, shareLive, sharingOf, stopSharing } from '../../commands/friends/live.ts';
import { cueArrival } from '../../commands/friends/notifications.ts';
import { correctedBy } from '../../domain/core/deviceClock.ts';
import { addMs, MINUTE_MS, msBetween } from '../../domain/core/instants.ts';
import { Instant, Nullable, Uuid } from '../../domain/core/schema.ts';
import { LivePosition, LiveSharing, sharingMinutes } from '../../domain/friends/live.ts';
import { pageFrom } from '../../infra/paging.ts';
import { addressOf } from '../../projections/engine/channels.ts';
import { friendsChannel } from '../../projections/friends/channels.ts';
import { friendIds, friendships, names, namesOf } from '../../projections/friends/friendships.ts';
import { positionUpdated, sharingEnded } from '../../projections/friends/liveMessages.ts';
import type { App } from '../http/app.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { NO_CONTENT, route } from '../http/route.ts';

/** Those who share with the person, and so see them. */
const seen = async (app: App, person: string, at: string): Promise<Seen[]> =>
  seenBy(app, person, await friendIds(app.db, person), at);

const tellOf =
  (app: App, from: string, ts: string, type: string, data: object) =>
  ({ user_id }: Pick<Seen, 'user_id'>): void =>
    app.tell({ channel: addressOf(friendsChannel, user_id), type, from, ts, data });

const LiveFriend = Type.Object(
  {
    user_id: Uuid,
    ...names,
    /** null: nothing was sent yet. */
    position: Nullable(LivePosition),
    /** When the friend was there. */
    at: Nullable(Instant),
    age_s: Nullable(Type.Integer({ description: 'Seconds since then.' })),
    until: Instant,
  },
  { $id: 'LiveFriend' },
);

const listLive = route('GET /api/v1/friends/live', {
  id: 'listLiveFriends',
  access: 'user',
  summary: 'List friends on the slope',
  description:
    'Friends who share their position with the caller, while the caller shares theirs with them. Only the last point; show its age.',
  query: Type.Object(pagingQuery),
  reply: ListOf(LiveFriend),
  reads: [friendships],
  handle: async ({ query, caller, context }, app) => {
    const paging = pagingOf(query);
    const { rows: page, total } = pageFrom(await seen(app, caller.id, context.at), paging);
    const nameOf = await namesOf(
      app.db,
      page.map(({ user_id }) => user_id),
    );
    const rows = page.map(
      ({ user_id, until, position, at }): Static<typeof LiveFriend> => ({
        user_id,
        ...nameOf(user_id),
        position,
        at,
        age_s: at === null ? null : Math.max(0, Math.round(msBetween(at, context.at) / 1_000)),
        until,
      }),
    );
    return listOf({ rows, total }, paging);
  },
});

const publish = route('POST /api/v1/friends/live', {
  id: 'publishLivePosition',
  ignoresKey: 'only the last position is kept',
  access: 'user',
  summary: 'Send your position',
  description:
    'While sharing. Send it again at least every minute, also without moving: a silent device looks like one without network. An older point than the last is ignored.',
  body: Type.Object(
    {
      ...LivePosition.properties,
      at: Type.Optional({ ...Instant, description: 'When the device was there; now by default.' }),
      sent_at: Type.Optional({
        ...Instant,
        description:
          'When the device sent the request, by the clock of `at`: one that is a minute or more wrong is corrected.',
      }),
    },
    { $id: 'NewLivePosition' },
  ),
  ...NO_CONTENT,
  errors: ['conflict'],
  handle: async ({ body: { at, sent_at: sentAt, ...position }, caller, context }, app) => {
    const there = at === undefined ? undefined : correctedBy(at, sentAt, context.at);
    const kept = await keepPosition(app, context, caller.id, position, there);
    if (kept)
      (await seen(app, caller.id, context.at)).forEach(
        tellOf(app, caller.id, context.at, positionUpdated.type, { position, ...kept }),
      );
    return null;
  },
});

const Sharing = Type.Object({ sharing: Nullable(LiveSharing) }, { $id: 'LiveSharing' });

const own = route('GET /api/v1/friends/live/sharing', {
  id: 'getLiveSharing',
  access: 'user',
  summary: 'Get whether your position is shared',
  reply: Sharing,
  handle: async ({ caller, context }, app) => ({ sharing: await sharingOf(app, caller.id, context.at) }),
});

const start = route('PUT /api/v1/friends/live/sharing', {
  id: 'startLiveSharing',
  access: 'user',
  summary: 'Share your position',
  description: 'For a quarter of an hour, an hour or eight hours from now, with all friends or with those in `with`.',
  body: Type.Object(
    {
      minutes: Type.Union(sharingMinutes.map((minutes) => Type.Literal(minutes))),
      with: Type.Optional(Type.Array(Uuid, { maxItems: 500, uniqueItems: true })),
    },
    { $id: 'NewLiveSharing' },
  ),
  reply: Sharing,
  handle: async ({ body, caller, context }, app) => {
    const until = addMs(context.at, body.minutes * MINUTE_MS);
    const sharing = { until, with: body.with ?? null };
    const before = await seen(app, caller.id, context.at);
    await shareLive(app, context, caller.id, sharing);
    const still = new Set((await seen(app, caller.id, context.at)).map(({ user_id }) => user_id));
    const known = new Set(before.map(({ user_id }) => user_id));
    await cueArrival(
      app,
      context,
      caller.id,
      [...still].filter((id) => !known.has(id)),
    );
    before
      .filter(({ user_id }) => !still.has(user_id))
      .forEach(tellOf(app, caller.id, context.at, sharingEnded.type, {}));
    return { sharing };
  },
});

const stop = route('DELETE /api/v1/friends/live/sharing', {
  id: 'stopLiveSharing',
  access: 'user',
  summary: 'Stop sharing your position',
  ...NO_CONTENT,
  handle: async ({ caller, context }, app) => {
    await stopSharing(app, caller.id, context.at);
    return null;
  },
});

export const liveRoutes = [listLive, publish, own, start, stop];
