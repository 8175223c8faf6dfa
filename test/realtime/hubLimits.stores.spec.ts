/** What a hub takes from its clients, and what is too much. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { registry } from '../../infra/metrics.ts';
import type { RunningHub } from '../../realtime/hub/hub.ts';
import { closeCodes } from '../../realtime/hub/protocol.ts';
import { until } from '../kit/until.ts';
import { connect, overEachTransport, range, refusedWith, type Stage, startStage } from './stage.ts';

await overEachTransport((transport) => {
  let stage: Stage;
  let hub: RunningHub;
  beforeAll(async () => {
    stage = await startStage(transport);
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    hub = await stage.startHub();
  });
  afterEach(() => hub.stop());

  describe('limits', () => {
    test('bound the sockets of an account, the sockets of an address and the subscriptions of a socket', async () => {
      const tight = await stage.startHub({ socketsPerAccount: 2, socketsPerAddress: 3, subscriptions: 1 });
      const [player, other] = [await stage.account('admin'), await stage.account()];
      const sockets = [connect(tight.port, player.token), connect(tight.port, player.token)];
      await Promise.all(sockets.map((socket) => socket.first('ready')));
      expect(await connect(tight.port, player.token).closed()).toBe(closeCodes.too_many_sockets.code);

      await connect(tight.port, other.token).first('ready');
      expect(await refusedWith(tight.port, {})).toBe(429);
      sockets[0]?.socket.close();
      await sockets[0]?.closed();
      await connect(tight.port, player.token).first('ready');

      const [, second] = sockets;
      expect(await second?.ask({ type: 'subscribe', channel: player.channel })).toMatchObject({ type: 'subscribed' });
      expect(await second?.ask({ type: 'subscribe', channel: `provider_${player.id}` })).toMatchObject({
        code: 'too_many_subscriptions',
      });
    });

    test('let a socket give way that has not said who it is, the oldest first; one that has said it stays', async () => {
      const tight = await stage.startHub({ socketsPerAddress: 3 });
      const { token } = await stage.account();
      const open = async (bearer?: string) => {
        const listening = connect(tight.port, bearer);
        await new Promise((resolve) => listening.socket.once('open', resolve));
        return listening;
      };
      const [first, second, later] = [await open(), await open(), await open()];
      later.send({ type: 'auth', token });
      await later.first('ready');
      const signedIn = [later, await open(token)];
      expect(await first.closed()).toBe(closeCodes.crowded.code);
      expect(second.code).toBeUndefined();
      signedIn.push(await open(token));
      expect(await second.closed()).toBe(closeCodes.crowded.code);
      await Promise.all(signedIn.map((socket) => socket.first('ready')));
      expect(await refusedWith(tight.port, {})).toBe(429);
      expect(signedIn.map(({ code }) => code)).toEqual([undefined, undefined, undefined]);
    });

    test('let a socket of any address give way when the hub is full', async () => {
      const tight = await stage.startHub({ sockets: 2 }, { trustProxy: 1 });
      const { token } = await stage.account();
      const from = (client: string, headers = {}) =>
        new WebSocket(`ws://127.0.0.1:${tight.port}/ws`, { headers: { 'x-forwarded-for': client, ...headers } });
      const opened = (socket: WebSocket) => new Promise((resolve) => socket.once('open', resolve));
      const idle = from('192.0.2.1');
      const closed = new Promise((resolve) => idle.once('close', resolve));
      await opened(idle);
      for (const client of ['192.0.2.2', '192.0.2.3']) await opened(from(client, { authorization: `Bearer ${token}` }));
      expect(await closed).toBe(closeCodes.crowded.code);
      expect(await refusedWith(tight.port, { 'x-forwarded-for': '192.0.2.4' })).toBe(429);
    });

    test('count a client by every X-Forwarded-For header that proxies have sent', async () => {
      const strict = await stage.startHub({ socketsPerAddress: 1 }, { trustProxy: 2 });
      const { token } = await stage.account();
      const from = (client: string) => {
        const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': [client, '198.51.100.1'] };
        return new WebSocket(`ws://127.0.0.1:${strict.port}/ws`, { headers } as never);
      };
      const outcome = (socket: WebSocket) =>
        new Promise((resolve) => {
          socket.once('open', () => resolve('open'));
          socket.once('unexpected-response', (_, response) => resolve(response.statusCode));
        });
      const sockets = ['192.0.2.1', '192.0.2.2', '192.0.2.1'].map(from);
      const outcomes = [];
      for (const socket of sockets) outcomes.push(await outcome(socket));
      expect(outcomes).toEqual(['open', 'open', 429]);
      for (const socket of sockets) if (socket.readyState === socket.OPEN) socket.terminate();
    });

    test('bound the size and the rate of frames', async () => {
      const tight = await stage.startHub({ frameBurst: 5, framesPerSecond: 0.001 });
      const { token } = await stage.account();
      const large = connect(tight.port, token);
      await large.first('ready');
      large.socket.send('x'.repeat(16 * 1024 + 1));
      expect(await large.closed()).toBe(closeCodes.frame_too_large.code);
      const busy = connect(tight.port, token);
      await busy.first('ready');
      for (const _ of range(1, 6)) busy.send({ type: 'ping' });
      expect(await busy.closed()).toBe(closeCodes.rate_limited.code);
      expect(busy.frames.filter(({ type }) => type === 'pong')).toHaveLength(5);
    });

    test('drop a client that no longer answers pings, and keep one that does', async () => {
      const brisk = await stage.startHub({ idleSeconds: 8 });
      const { token } = await stage.account();
      // Of all hubs in this process: earlier tests may have left sockets open at theirs.
      const openSockets = async () => Number(/^hub_sockets (\d+)/m.exec(await registry.metrics())?.[1]);
      const before = await openSockets();
      const [alive, dead] = [connect(brisk.port, token), connect(brisk.port, token)];
      await Promise.all([alive.first('ready'), dead.first('ready')]);
      expect(await openSockets()).toBe(before + 2);
      dead.socket.pause();
      const pinged = new Promise((resolve) => alive.socket.once('ping', resolve));
      await until(async () => (await openSockets()) === before + 1);
      await pinged;
      expect(alive.code).toBeUndefined();
      expect(await alive.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
    });

    test('close a client that reads too slowly, which then resumes without loss', async () => {
      // Of all hubs in this process.
      const dropped = async () =>
        Number(/hub_dropped_total\{reason="slow_consumer"\} (\d+)/.exec(await registry.metrics())?.[1] ?? 0);
      const before = await dropped();
      const tight = await stage.startHub({ queueBytes: 256 * 1024 });
      const player = await stage.account();
      const slow = connect(tight.port, player.token);
      const first = await slow.ask({ type: 'subscribe', channel: player.channel });
      slow.socket.pause();
      const steps = 60;
      for (const _ of range(1, steps)) await stage.write(player.channel, 50, { text: 'x'.repeat(4_000) });
      await until(async () => (await dropped()) > before);
      slow.socket.resume();
      expect(await slow.closed()).toBe(closeCodes.slow_consumer.code);
      const got = slow.offsets(player.channel);
      expect(got).toEqual(range(1, got.length));
      expect(got.length).toBeLessThan(steps * 50);

      const back = connect(tight.port, player.token);
      if (first.type !== 'subscribed') throw new Error(first.type);
      back.send({ type: 'subscribe', channel: player.channel, since: { epoch: first.epoch, offset: got.length } });
      await until(() => back.offsets(player.channel).at(-1) === steps * 50);
      expect(back.offsets(player.channel)).toEqual(range(got.length + 1, steps * 50));
    });
  });

  describe('frames', () => {
    test('that are invalid are refused with their id and a reason; the socket stays open', async () => {
      const { token } = await stage.account();
      const listening = connect(hub.port, token);
      await listening.first('ready');
      expect(await listening.ask({ type: 'subscribe' })).toMatchObject({
        code: 'bad_frame',
        detail: expect.stringMatching(/channel/),
      });
      expect(await listening.ask({ type: 'subscribe', channel: 'x', extra: 1 })).toMatchObject({ code: 'bad_frame' });
      expect(await listening.ask({ type: 'dance' })).toMatchObject({
        code: 'bad_frame',
        detail: expect.stringMatching(/subscribe/),
      });
      expect(await listening.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
    });

    test('of any content never end the process', async () => {
      const generous = await stage.startHub({ frameBurst: 1e6, framesPerSecond: 1e6, socketsPerAccount: 1e6 });
      const { token } = await stage.account();
      const text = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.json(),
        fc
          .record(
            {
              type: fc.oneof(
                fc.constantFrom('auth', 'subscribe', 'unsubscribe', 'ping', '__proto__', 'constructor'),
                fc.jsonValue(),
              ),
              channel: fc.oneof(fc.string(), fc.jsonValue()),
              token: fc.oneof(fc.string(), fc.jsonValue()),
              since: fc.oneof(
                fc.record({ epoch: fc.oneof(fc.uuid(), fc.string()), offset: fc.oneof(fc.integer(), fc.double()) }),
                fc.jsonValue(),
              ),
              id: fc.jsonValue(),
            },
            { requiredKeys: [] },
          )
          .map((frame) => JSON.stringify(frame)),
      );
      const frame = fc.oneof(text, fc.uint8Array({ maxLength: 300 }));
      const scripts = fc.sample(fc.record({ frames: fc.array(frame, { maxLength: 20 }), signedIn: fc.boolean() }), 100);
      for (const { frames, signedIn } of scripts) {
        const listening = connect(generous.port, signedIn ? token : undefined);
        await new Promise((resolve) => listening.socket.once('open', resolve));
        for (const each of frames) listening.socket.send(each);
        listening.socket.close();
      }
      expect(await connect(generous.port, token).ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
    });
  });
});
