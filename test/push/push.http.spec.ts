/** Push messages over HTTP: registered, tried, sent to a segment, and stopped. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { caller, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const received = async (token: string): Promise<{ title: string }[]> => {
  const reply = await fetch(`${runtime.sandbox}/sandbox/push?token=${encodeURIComponent(token)}`);
  return ((await reply.json()) as { messages: { title: string }[] }).messages;
};

it('a person registers devices and tries them', async () => {
  const token = await signIn(call, demo, 'tourist2');
  const device = `device:${randomUUID()}`;
  const body = { platform: 'android', token: device, app_version: '1.4.0', language: 'en' };
  const registered = await call('POST /api/v1/push/register', { token, body });
  expect([registered.status, registered.body]).toMatchObject([200, { platform: 'android', environment: 'production' }]);
  expect(JSON.stringify(registered.body)).not.toContain(device);

  const { body: key } = await call('GET /api/v1/push/key');
  expect(key.public_key).toMatch(/^[A-Za-z0-9_-]{87}$/);
  const name = randomUUID();
  const reply = await fetch(`${runtime.sandbox}/sandbox/push/subscription?name=${name}`);
  const subscription = (await reply.json()) as { endpoint: string };
  expect((await call('POST /api/v1/push/subscribe', { token, body: subscription })).status).toBe(200);
  const inside = { ...subscription, endpoint: 'https://169.254.169.254/latest/meta-data' };
  const refused = await call('POST /api/v1/push/subscribe', { token, body: inside });
  expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('known push service')]);

  const listed = (await call('GET /api/v1/push/devices', { token })).body.data;
  expect(listed.length).toBeGreaterThanOrEqual(2);
  const tried = await call('POST /api/v1/push/test', { token });
  expect([tried.status, tried.body]).toEqual([202, { devices: listed.length }]);
  for (const each of [device, name])
    await until(async () => (await received(each)).some(({ title }) => title === 'Test'));

  expect((await call('DELETE /api/v1/push/register', { token, body: { token: device } })).status).toBe(204);
  const left = (await call('GET /api/v1/push/devices', { token })).body.data;
  expect(left.map(({ id }: { id: string }) => id)).not.toContain(registered.body.id);
  expect((await call('DELETE /api/v1/push/register', { token })).status).toBe(204);
  expect((await call('GET /api/v1/push/devices', { token })).body.data).toEqual([]);
});

it('an admin counts, sends, watches and stops a message to a segment', async () => {
  const [token, admin] = [await signIn(call, demo, 'tourist2'), await signIn(call, demo, 'admin')];
  const device = `device:${randomUUID()}`;
  await call('POST /api/v1/push/register', { token, body: { platform: 'android', token: device, language: 'ru' } });
  const user_ids = [demo.accounts.tourist2.id];
  const texts = { ru: { title: `Ветер ${device}`, body: 'Канатка закрыта' } };
  const dry = await call('POST /api/v1/push/send', {
    token: admin,
    body: { segment: { user_ids }, texts, dry_run: true },
  });
  expect([dry.status, dry.body.people]).toEqual([200, 1]);
  const sent = await call('POST /api/v1/push/send', { token: admin, body: { segment: { user_ids }, texts } });
  expect([sent.status, sent.body.status, sent.body.kind]).toEqual([202, 'scheduled', 'system']);
  const { id } = sent.body;
  const done = await until(async () => {
    const { body } = await call(`GET /api/v1/push/broadcasts/${id}`, { token: admin });
    return body.status === 'finished' && body;
  });
  expect(done.counts).toMatchObject({ devices: dry.body.devices, waiting: 0 });
  // The person may get other messages meanwhile.
  expect((await received(device)).filter(({ title }) => title === texts.ru.title)).toHaveLength(1);
  const results = await call(`GET /api/v1/push/broadcasts/${id}/deliveries?outcome=delivered`, { token: admin });
  expect(results.body.data[0]).toMatchObject({ user_id: user_ids[0], outcome: 'delivered', attempts: 1 });

  const later = { segment: { user_ids }, texts, send_at: instantOf(Date.now() + HOUR_MS) };
  const { body: waiting } = await call('POST /api/v1/push/send', { token: admin, body: later });
  for (const [verb, status] of [
    ['pause', 'paused'],
    ['resume', 'scheduled'],
    ['cancel', 'cancelled'],
  ]) {
    const moved = await call(`POST /api/v1/push/broadcasts/${waiting.id}/${verb}`, { token: admin });
    expect([moved.status, moved.body.status], verb).toEqual([200, status]);
  }
  expect((await call(`POST /api/v1/push/broadcasts/${waiting.id}/resume`, { token: admin })).status).toBe(409);
  expect((await call('POST /api/v1/push/send', { token: admin, body: { texts } })).status).toBe(422);
  const empty = { segment: { user_ids }, texts, expires_at: '2020-01-01T00:00:00Z' };
  for (const dry_run of [false, true]) {
    const refused = await call('POST /api/v1/push/send', { token: admin, body: { ...empty, dry_run } });
    expect([refused.status, refused.body.detail]).toEqual([422, 'expires_at must be in the future and after send_at.']);
  }
  expect((await call(`GET /api/v1/push/broadcasts/${randomUUID()}`, { token: admin })).status).toBe(404);
  await call('DELETE /api/v1/push/register', { token, body: { token: device } });
});
