/** A live track: who sees it, from when, and that nobody sees it any longer. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pointRoutes } from '../../api/tracking/points.ts';
import { block } from '../../commands/friends/friends.ts';
import { discardSession, finishSession } from '../../commands/tracking/sessions.ts';
import { revokeShare, shareTrack } from '../../commands/tracking/shares.ts';
import { uploadPoints } from '../../commands/tracking/upload.ts';
import { HOUR_MS, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import type { TrackPoint } from '../../domain/tracking/point.ts';
import { trackingSession } from '../../domain/tracking/session.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { signAccessToken } from '../../infra/tokens.ts';
import { ephemeralSender } from '../../projections/engine/ephemeral.ts';
import { type RunningHub, startHub } from '../../realtime/hub/hub.ts';
import type { EphemeralFrame } from '../../realtime/hub/protocol.ts';
import { channels } from '../../realtime/modules.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { connect, type Listening } from '../realtime/stage.ts';
import { createStage, start } from './stage.ts';

const secrets = { jwtSecret: 'not-a-secret-of-thirty-two-letters', jwtSecretPrevious: undefined };
let stores: Stores;
let stage: Awaited<ReturnType<typeof createStage>>;
let pools: Pool[];
let hubs: RunningHub[];
beforeAll(async () => {
  stores = await freshStores();
  stage = await createStage(stores);
  const { log, databaseUrl } = stores;
  pools = [1, 2].map(() => createPool(databaseUrl, { max: 5, applicationName: 'hub', log }));
  hubs = await Promise.all(
    pools.map((pool) =>
      startHub({
        port: 0,
        host: '127.0.0.1',
        pool,
        databaseUrl,
        secrets,
        version: '1.2.3',
        channels,
        payloads: [],
        transport: 'ws',
        trustProxy: 0,
        log,
      }),
    ),
  );
});
afterAll(async () => {
  for (const hub of hubs) await hub.stop();
  for (const pool of pools) await pool.end();
});

/** A person with a socket at one of the hubs. */
type Person = Awaited<ReturnType<typeof aPerson>>;
const aPerson = async (n: number) => {
  const [id, sessionId] = [randomUUID(), randomUUID()];
  await stores.pool.query(
    `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
     values ($1, $2, 0, now(), now() + interval '1 day')`,
    [sessionId, id],
  );
  const token = await signAccessToken(secrets, { accountId: id, sessionId, role: 'tourist', tokenVersion: 0 });
  return { id, socket: connect(hubs[n % hubs.length]?.port ?? 0, token) };
};

/** A session that began a minute ago, of a person who is watched by another one. */
const stageTrack = async (viewers = 1) => {
  const { node } = stage;
  const owner = await aPerson(0);
  const sessionId = await start(node, owner.id, instantOf(Date.now() - MINUTE_MS));
  await stage.projected();
  const of = { accountId: owner.id, sessionId };
  const channel = `tracking_${sessionId}`;
  const tell = ephemeralSender(stores.pool, stores.log);
  const upload = pointRoutes.find(({ id }) => id === 'uploadTrackPoints');
  let seq = 0;
  return {
    of,
    channel,
    owner,
    viewers: await Promise.all(Array.from({ length: viewers }, (_, n) => aPerson(n + 1))),
    share: async (viewerId: string, ms = HOUR_MS) => {
      const expiresAt = instantOf(Date.now() + ms);
      await shareTrack(node, contextOf(owner.id), of, { viewerId, expiresAt });
      await stage.projected();
    },
    subscribe: ({ socket }: { readonly socket: Listening }) => socket.ask({ type: 'subscribe', channel }),
    /** Sends one fix from so many seconds ago, as a request does. */
    move: async (secondsAgo: number, number = seq): Promise<void> => {
      seq = Math.max(seq, number + 1);
      const t = instantOf(Date.now() - secondsAgo * 1_000);
      const point: TrackPoint = { seq: number, t, lat: 43.6 + number / 1_000, lon: 40.2, alt: 2_000, acc: 5 };
      const input = {
        params: { id: sessionId },
        body: { points: [point] },
        caller: { id: owner.id },
        context: contextOf(owner.id),
      };
      await upload?.handle(input, { ...node, tell } as never);
    },
    /** The numbers of the fixes that a socket was told of. */
    seenBy: ({ socket }: { readonly socket: Listening }): number[] =>
      socket.frames.flatMap((frame) =>
        frame.type === 'position.moved'
          ? [Math.round(((frame as EphemeralFrame).data.lat as number) * 1_000 - 43_600)]
          : [],
      ),
  };
};

it('a track is shown to whom it is shared with, from then on, and to nobody else', async () => {
  const track = await stageTrack(2);
  const [viewer, stranger] = track.viewers as [Person, Person];
  expect(await track.subscribe(viewer)).toMatchObject({ code: 'forbidden' });
  expect(await track.subscribe(track.owner)).toMatchObject({ type: 'subscribed' });
  await track.move(50);
  await track.share(viewer.id);
  expect(await track.subscribe(viewer)).toMatchObject({ type: 'subscribed' });
  expect(await track.subscribe(stranger)).toMatchObject({ code: 'forbidden' });
  // Another process may have believed for two seconds that nobody watches.
  await until(async () => (await track.move(0)) === undefined && track.seenBy(viewer).length > 0);
  expect(track.seenBy(viewer)).not.toContain(0);
  await until(() => track.seenBy(track.owner).length > 0);
  expect(track.seenBy(stranger)).toEqual([]);
  // A viewer cannot pass it on, or move the marker.
  const context = contextOf(viewer.id);
  const expiresAt = instantOf(Date.now() + MINUTE_MS);
  const passOn = shareTrack(
    stage.node,
    context,
    { ...track.of, accountId: viewer.id },
    { viewerId: stranger.id, expiresAt },
  );
  await expect(passOn).rejects.toThrow('does not exist');
  const publish = { type: 'publish', channel: track.channel, event: 'position.moved', data: {} };
  expect(await viewer.socket.ask(publish)).toMatchObject({ code: 'not_publishable' });
});

it('only the newest fix moves the marker: not one of before, of minutes ago, or the same again', async () => {
  const track = await stageTrack();
  const [viewer] = track.viewers as [Person];
  await track.share(viewer.id);
  await track.subscribe(viewer);
  await track.move(5, 10);
  await track.move(20, 9);
  await track.move(5, 10);
  await track.move(0, 11);
  await until(() => track.seenBy(viewer).includes(11));
  // The first one may be lost, as ephemeral messages may.
  expect([[10, 11], [11]]).toContainEqual(track.seenBy(viewer));
  const context = contextOf(track.of.accountId);
  const history = await uploadPoints(stage.node, { ...context, at: instantOf(Date.now() + 3 * MINUTE_MS) }, track.of, [
    { seq: 12, t: new Date().toISOString(), lat: 43.6, lon: 40.2, alt: 2_000, acc: 5 },
  ]);
  expect(history).toMatchObject({ accepted: 1, moved: null });
});

const blocks = (by: string, other: string) => block(stage.node, contextOf(by), { by, other });

it('a track cannot be shared with whom one has blocked, or is blocked by', async () => {
  const track = await stageTrack(2);
  const [one, other] = track.viewers as [Person, Person];
  await blocks(track.owner.id, one.id);
  await blocks(other.id, track.owner.id);
  for (const { id } of [one, other]) await expect(track.share(id)).rejects.toThrow('cannot share');
});

it.each<[string, (track: Awaited<ReturnType<typeof stageTrack>>, viewer: string) => Promise<unknown>]>([
  ['is revoked', ({ of }, viewer) => revokeShare(stage.node, contextOf(of.accountId), of, viewer)],
  ['expires', ({ share }, viewer) => share(viewer, 300)],
  [
    'ends with the session',
    ({ of }) => finishSession(stage.node, contextOf(of.accountId), of, new Date().toISOString()),
  ],
  ['ends with a block by its owner', ({ of }, viewer) => blocks(of.accountId, viewer)],
  ['ends with a block by its viewer', ({ of }, viewer) => blocks(viewer, of.accountId)],
  ['ends with a discarded session', ({ of }) => discardSession(stage.node, contextOf(of.accountId), of)],
])('a share that %s ends the subscription, and nothing comes after it', async (_, end) => {
  const track = await stageTrack();
  const [viewer] = track.viewers as [Person];
  await track.share(viewer.id);
  await track.subscribe(viewer);
  await track.move(3);
  await until(() => track.seenBy(viewer).length === 1);
  await end(track, viewer.id);
  await viewer.socket.first('unsubscribed');
  expect(viewer.socket.frames.at(-1)).toMatchObject({ channel: track.channel, reason: 'forbidden' });
  await track.move(0).catch(() => undefined);
  await viewer.socket.ask({ type: 'ping' });
  expect(track.seenBy(viewer)).toHaveLength(1);
  await stage.projected();
  expect(await track.subscribe(viewer)).toMatchObject({ code: 'forbidden' });
});

it.each<[string, (owner: string, viewer: string) => Promise<unknown>]>([
  ['its owner', (owner, viewer) => blocks(owner, viewer)],
  ['its viewer', (owner, viewer) => blocks(viewer, owner)],
])('a block by %s ends a share of a session without points', async (_, end) => {
  const track = await stageTrack();
  const [viewer] = track.viewers as [Person];
  await track.share(viewer.id);
  await track.subscribe(viewer);
  await end(track.owner.id, viewer.id);
  await viewer.socket.first('unsubscribed');
});

it('a share that is recorded while one of the two blocks the other ends', async () => {
  const track = await stageTrack();
  const [viewer] = track.viewers as [Person];
  await blocks(viewer.id, track.owner.id);
  const expiresAt = instantOf(Date.now() + HOUR_MS);
  const command = { type: 'ShareTrack', viewerId: viewer.id, expiresAt, at: new Date().toISOString() } as const;
  const { aggregates } = stage.node;
  await aggregates.handle(trackingSession, track.of.sessionId, command, contextOf(track.owner.id));
  await until(async () => {
    const { state } = await aggregates.load(trackingSession, track.of.sessionId);
    return state.status === 'open' && state.shares.length === 0;
  });
});

it('points end the shares whose time is over, although the job that does so is late', async () => {
  const track = await stageTrack(2);
  const [short, long] = track.viewers as [Person, Person];
  await track.share(short.id, 60_000);
  await track.share(long.id);
  const at = instantOf(Date.now() + 90_000);
  const point = { seq: 1, t: at, lat: 43.6, lon: 40.2, alt: 2_000, acc: 5 };
  const uploaded = await uploadPoints(stage.node, { ...contextOf(track.of.accountId), at }, track.of, [point]);
  expect(uploaded.moved).toEqual(point);
  await stage.projected();
  expect(await track.subscribe(short)).toMatchObject({ code: 'forbidden' });
  expect(await track.subscribe(long)).toMatchObject({ type: 'subscribed' });
});
