/** Who may open a socket, and what ends it. */
import { randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endSession, raiseTokenVersion } from '../../infra/sessions.ts';
import { signAccessToken } from '../../infra/tokens.ts';
import type { RunningHub } from '../../realtime/hub/hub.ts';
import { closeCodes } from '../../realtime/hub/protocol.ts';
import { quickest } from '../kit/quickest.ts';
import { until } from '../kit/until.ts';
import { connect, overEachTransport, refusedWith, type Stage, secrets, startStage, subscribed } from './stage.ts';

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

    test('refuses a foreign, altered or malformed token, in a header as in a frame', async () => {
      const player = await stage.account();
      const foreign = await signAccessToken(
        { jwtSecret: 'also-not-a-secret-of-thirty-letters', jwtSecretPrevious: undefined },
        { accountId: player.id, sessionId: player.sessionId, role: 'admin', tokenVersion: 0 },
      );
      for (const token of ['x', 'a.b.c', `${player.token}x`, foreign]) {
        expect(await connect(hub.port, token).closed()).toBe(closeCodes.bad_token.code);
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
      // A busy machine may need longer for it than the token is good for.
      const kept = await until(async () => {
        const socket = connect(hub.port, await shortLived(player.token));
        const answer = await socket.ask({ type: 'auth', token: player.token }).catch(() => undefined);
        return answer?.type === 'ready' && socket;
      });
      // Its first token has expired, too, when a later one has.
      const left = connect(hub.port, await shortLived(player.token));
      expect(await left.closed()).toBe(closeCodes.token_expired.code);
      expect(await kept.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
    });

    test('refuses a replacement token of another account or a bad one, and keeps the socket', async () => {
      const [player, other] = [await stage.account(), await stage.account()];
      const listening = await subscribed(hub.port, player.token, player.channel);
      expect(await listening.ask({ type: 'auth', token: other.token })).toMatchObject({ code: 'other_account' });
      expect(await listening.ask({ type: 'auth', token: 'x' })).toMatchObject({ code: 'bad_token' });
      await stage.write(player.channel);
      await listening.first('booking.updated');
    });

    test('ends the subscriptions that the role of a new token does not allow', async () => {
      const admin = await stage.account('admin');
      const provider = randomUUID();
      const listening = await subscribed(hub.port, admin.token, `provider_${provider}`);
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
});
