/** Channels: who may subscribe, what they send, and from where on. What else a hub answers over HTTP. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunningHub } from '../../realtime/hub/hub.ts';
import { until } from '../kit/until.ts';
import { connect, overEachTransport, range, type Stage, startStage, subscribed } from './stage.ts';

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

  test('a second hub on the port of another one is refused: they would divide its clients', async () => {
    await expect(stage.startHub({}, { port: hub.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
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
      for (const name of ['x', 'provider_1', `realtime:user_${player.id}x`, `x${player.channel}`, 'realtime:user_*'])
        expect(await answerTo(player.token, name)).toBe('unknown_channel');
    });

    test('send changes in the declared envelope, under the name that the client used', async () => {
      const player = await stage.account('hotelier');
      const alias = `realtime:provider:${player.id}`;
      const listening = await subscribed(hub.port, player.token, alias);
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
      const listening = await subscribed(hub.port, player.token, player.channel);
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
