import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { registry } from '../../infra/metrics.ts';
import { endSession, raiseTokenVersion } from '../../infra/sessions.ts';
import { signAccessToken } from '../../infra/tokens.ts';
import type { RunningHub } from '../../realtime/hub/hub.ts';
import { closeCodes } from '../../realtime/hub/protocol.ts';
import { quickest } from '../kit/quickest.ts';
import { until } from '../kit/until.ts';
import { connect, overEachTransport, range, refusedWith, type Stage, secrets, startStage } from './stage.ts';

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

  /** The same token, good for two seconds. */
  const shortLived = (token: string): Promise<string> =>
    new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('2 s')
      .sign(Buffer.from(secrets.jwtSecret));

  const subscribed = async (token: string, channel: string) => {
    const listening = connect(hub.port, token);
    await listening.first('ready');
    listening.send({ type: 'subscribe', channel });
    await listening.first('subscribed');
    return listening;
  };

  describe('authentication', () => {
    test('accepts a token in the Authorization header', async () => {
      const { token, id } = await stage.account('hotelier');
      const ready = await connect(hub.port, token).first('ready');
      expect(ready).toMatchObject({ user_id: id, role: 'hotelier' });
      expect(Date.parse(ready.expires_at) - Date.now()).toBeGreaterThan(3_500_000);
    });

    test('accepts a token in the first frame', async () => {
      const { token, id } = await stage.account();
      const answer = await connect(hub.port).ask({ type: 'auth', token });
      expect(answer).toMatchObject({ type: 'ready', user_id: id, id: 'ask-1' });
    });

    test('answers 400 to a token in the URL', async () => {
      const { token } = await stage.account();
      for (const name of ['token', 'access_token', 'accessToken'])
        expect(await refusedWith(hub.port, {}, `/ws?a=b&${name}=${token}`)).toBe(400);
    });

    test('refuses a foreign, altered or malformed token: 401 for a header, a close code for a frame', async () => {
      const player = await stage.account();
      const foreign = await signAccessToken(
        { jwtSecret: 'another-secret-of-thirty-two-letters', jwtSecretPrevious: undefined },
        { accountId: player.id, sessionId: player.sessionId, role: 'admin', tokenVersion: 0 },
      );
      for (const token of ['x', 'a.b.c', `${player.token}x`, foreign]) {
        expect(await refusedWith(hub.port, { authorization: `Bearer ${token}` })).toBe(401);
        const listening = connect(hub.port);
        listening.send({ type: 'auth', token });
        expect(await listening.closed()).toBe(closeCodes.bad_token.code);
      }
      expect(await refusedWith(hub.port, { authorization: 'Basic abc' })).toBe(401);
    });

    test('closes a socket whose session has ended', async () => {
      const ended = await stage.account();
      await endSession(stage.pool, ended.id, ended.sessionId);
      expect(await connect(hub.port, ended.token).closed()).toBe(closeCodes.logged_out.code);
    });

    test('handles frames that were sent before `ready` in their order', async () => {
      const player = await stage.account();
      const [byHeader, byFrame] = [connect(hub.port, player.token), connect(hub.port)];
      byFrame.send({ type: 'auth', token: player.token });
      for (const listening of [byHeader, byFrame]) {
        listening.send({ type: 'subscribe', channel: player.channel });
        await listening.first('subscribed');
        expect(listening.frames.map(({ type }) => type)).toEqual(['ready', 'subscribed']);
      }
    });

    test('closes a socket that does not authenticate in time', async () => {
      const impatient = await stage.startHub({ authMs: 50 });
      expect(await connect(impatient.port).closed()).toBe(closeCodes.auth_timeout.code);
    });

    test('refuses to subscribe before authentication', async () => {
      const player = await stage.account();
      const answer = await connect(hub.port).ask({ type: 'subscribe', channel: player.channel });
      expect(answer).toMatchObject({ type: 'error', code: 'not_authenticated' });
    });
  });

  describe('the end of a socket', () => {
    test('closes a socket when its token expires, unless it was replaced', async () => {
      const player = await stage.account();
      const left = connect(hub.port, await shortLived(player.token));
      const kept = connect(hub.port, await shortLived(player.token));
      const answer = await kept.ask({ type: 'auth', token: player.token });
      expect(answer.type).toBe('ready');
      expect(await left.closed()).toBe(closeCodes.token_expired.code);
      expect(await kept.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
    });

    test('refuses a replacement token of another account or a bad one, and keeps the socket', async () => {
      const [player, other] = [await stage.account(), await stage.account()];
      const listening = await subscribed(player.token, player.channel);
      expect(await listening.ask({ type: 'auth', token: other.token })).toMatchObject({ code: 'other_account' });
      expect(await listening.ask({ type: 'auth', token: 'x' })).toMatchObject({ code: 'bad_token' });
      await stage.write(player.channel);
      await listening.first('booking.updated');
    });

    test('ends the subscriptions that the role of a new token does not allow', async () => {
      const admin = await stage.account('admin');
      const provider = randomUUID();
      const listening = await subscribed(admin.token, `provider_${provider}`);
      await listening.ask({ type: 'auth', token: await stage.tokenOf(admin, 'tourist') });
      expect(await listening.first('unsubscribed')).toMatchObject({
        channel: `provider_${provider}`,
        reason: 'forbidden',
      });
    });

    test('closes sockets within a second of the logout of their session or account', async () => {
      const logOut = async () => {
        const [one, all, bystander] = [await stage.account(), await stage.account(), await stage.account()];
        const sockets = [one, all, bystander].map(({ token }) => connect(hub.port, token));
        await Promise.all(sockets.map((socket) => socket.first('ready')));
        const started = performance.now();
        await endSession(stage.pool, one.id, one.sessionId);
        await raiseTokenVersion(stage.pool, all.id, 1, 'end');
        expect(await sockets[0]?.closed()).toBe(closeCodes.logged_out.code);
        expect(await sockets[1]?.closed()).toBe(closeCodes.logged_out.code);
        const ms = performance.now() - started;
        expect(await sockets[2]?.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
        return ms;
      };
      expect(await quickest(1_000, logOut)).toBeLessThan(1_000);
    });

    test('closes the sockets of a former role at once, and lets their clients resume with a new token', async () => {
      const former = await stage.account('admin');
      const socket = connect(hub.port, former.token);
      await socket.first('ready');
      await raiseTokenVersion(stage.pool, former.id, 1, 'stay');
      expect(await socket.closed()).toBe(closeCodes.token_expired.code);
      const late = connect(hub.port);
      late.send({ type: 'auth', token: former.token });
      expect(await late.closed()).toBe(closeCodes.token_expired.code);
    });
  });

  describe('channels', () => {
    test('can be subscribed to only by their account, the provider channel also by admins', async () => {
      const [player, other, admin] = [
        await stage.account(),
        await stage.account('hotelier'),
        await stage.account('admin'),
      ];
      const answerTo = async (token: string, channel: string) => {
        const answer = await connect(hub.port, token).ask({ type: 'subscribe', channel });
        return answer.type === 'error' ? answer.code : answer.type;
      };
      expect(await answerTo(player.token, player.channel)).toBe('subscribed');
      expect(await answerTo(other.token, player.channel)).toBe('forbidden');
      expect(await answerTo(admin.token, player.channel)).toBe('forbidden');
      for (const name of [
        `provider_${other.id}`,
        `realtime:provider:${other.id}`,
        `PROVIDER_${other.id.toUpperCase()}`,
      ]) {
        expect(await answerTo(other.token, name)).toBe('subscribed');
        expect(await answerTo(admin.token, name)).toBe('subscribed');
        expect(await answerTo(player.token, name)).toBe('forbidden');
      }
      for (const name of ['x', 'provider_1', `realtime:user_${player.id}x`, ` ${player.channel}`, 'realtime:user_*'])
        expect(await answerTo(player.token, name)).toBe('unknown_channel');
    });

    test('send changes in the declared envelope, under the name that the client used', async () => {
      const player = await stage.account('hotelier');
      const alias = `realtime:provider:${player.id}`;
      const listening = await subscribed(player.token, alias);
      await stage.write(`provider_${player.id}`, 1, { status: 'paid', note: 'Приют "11"' });
      const { rows } = await stage.pool.query('select epoch from read.epoch');
      expect(await listening.first('booking.updated')).toEqual({
        channel: alias,
        type: 'booking.updated',
        offset: 1,
        epoch: rows[0].epoch,
        ts: expect.stringMatching(/^\d{4}-.*Z$/),
        data: { status: 'paid', note: 'Приют "11"' },
      });
      expect(await listening.ask({ type: 'subscribe', channel: `provider_${player.id}` })).toMatchObject({
        code: 'already_subscribed',
      });
    });

    test('send nothing after unsubscribe, and can be subscribed to again', async () => {
      const player = await stage.account();
      const listening = await subscribed(player.token, player.channel);
      await stage.write(player.channel);
      await until(() => listening.offsets(player.channel).length === 1);
      expect(await listening.ask({ type: 'unsubscribe', channel: player.channel })).toMatchObject({ reason: 'asked' });
      expect(await listening.ask({ type: 'unsubscribe', channel: player.channel })).toMatchObject({
        code: 'not_subscribed',
      });
      await stage.write(player.channel);
      expect(await listening.ask({ type: 'subscribe', channel: player.channel })).toMatchObject({
        offset: 2,
        recovered: false,
      });
      await stage.write(player.channel);
      await until(() => listening.offsets(player.channel).length === 2);
      expect(listening.offsets(player.channel)).toEqual([1, 3]);
    });
  });

  describe('since', () => {
    test('sends the missed changes, then new ones', async () => {
      const player = await stage.account();
      await stage.write(player.channel, 250);
      const listening = connect(hub.port, player.token);
      const { rows } = await stage.pool.query('select epoch from read.epoch');
      const since = { epoch: rows[0].epoch, offset: 3 };
      expect(await listening.ask({ type: 'subscribe', channel: player.channel, since })).toMatchObject({
        recovered: true,
        offset: 3,
      });
      await stage.write(player.channel, 5);
      await until(() => listening.offsets(player.channel).length === 252);
      expect(listening.offsets(player.channel)).toEqual(range(4, 255));
    });

    test('recovers when nothing was missed', async () => {
      const player = await stage.account();
      const { rows } = await stage.pool.query('select epoch from read.epoch');
      const answer = await connect(hub.port, player.token).ask({
        type: 'subscribe',
        channel: player.channel,
        since: { epoch: rows[0].epoch, offset: 0 },
      });
      expect(answer).toMatchObject({ recovered: true, offset: 0 });
    });

    test.each([
      ['pruned', { offset: 1 }],
      ['from the future', { offset: 99 }],
      ['of another epoch', { offset: 5, epoch: randomUUID() }],
    ])('does not recover a cursor that is %s, and starts at the current end', async (_, cursor) => {
      const player = await stage.account();
      await stage.write(player.channel, 5);
      await stage.pool.query(`delete from read.changes where channel = $1 and "offset" <= 2`, [player.channel]);
      const { rows } = await stage.pool.query('select epoch from read.epoch');
      const listening = connect(hub.port, player.token);
      const since = { epoch: rows[0].epoch, ...cursor };
      expect(await listening.ask({ type: 'subscribe', channel: player.channel, since })).toMatchObject({
        recovered: false,
        offset: 5,
      });
      await stage.write(player.channel);
      await until(() => listening.offsets(player.channel).length === 1);
      expect(listening.offsets(player.channel)).toEqual([6]);
    });
  });

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
      const tight = await stage.startHub({ queueBytes: 256 * 1024 });
      const player = await stage.account();
      const slow = connect(tight.port, player.token);
      const first = await slow.ask({ type: 'subscribe', channel: player.channel });
      slow.socket.pause();
      const steps = 60;
      for (const _ of range(1, steps)) await stage.write(player.channel, 50, { text: 'x'.repeat(4_000) });
      await until(async () => /hub_dropped_total\{reason="slow_consumer"\} [1-9]/.test(await registry.metrics()));
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

  describe('over HTTP', () => {
    test('serves health and AsyncAPI, no metrics, and answers problem+json elsewhere', async () => {
      const base = `http://127.0.0.1:${hub.port}`;
      const health = await fetch(`${base}/health`);
      expect(await health.json()).toEqual({ service: 'realtime', version: '1.2.3', status: 'ok' });
      expect(health.headers.get('x-service')).toBe('realtime');
      expect(Number(health.headers.get('x-response-time-ms'))).toBeGreaterThanOrEqual(0);
      const head = await fetch(`${base}/health`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect((await fetch(`${base}/metrics`)).status).toBe(404);
      expect(await (await fetch(`${base}/asyncapi.json`)).json()).toMatchObject({ asyncapi: '3.0.0' });
      for (const [path, status] of [
        ['/nowhere', 404],
        ['/ws', 426],
      ] as const) {
        const answer = await fetch(base + path);
        expect(answer.status).toBe(status);
        expect(answer.headers.get('content-type')).toBe('application/problem+json');
        expect(await answer.json()).toMatchObject({ status, detail: expect.any(String) });
      }
    });
  });
});
