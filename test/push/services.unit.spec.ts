/** What each push service is sent, and what its answers mean. */
import { createPublicKey } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { apnsBody, apnsHeaders, apnsOutcome, apnsToken } from '../../commands/push/apns.ts';
import { createCircuit } from '../../commands/push/circuit.ts';
import { versionRank } from '../../commands/push/devices.ts';
import { fcmAssertion, fcmMessage, fcmOutcome } from '../../commands/push/fcm.ts';
import { sandboxApns, sandboxFcm } from '../../commands/push/sandboxKeys.ts';
import { type Device, retryAfterMs, type ServiceMessage } from '../../commands/push/service.ts';
import { shortened } from '../../commands/push/shortenedText.ts';
import { topicOf, webPushOutcome, webPushRequest } from '../../commands/push/webPush.ts';
import { addressProblem, areKeys } from '../../commands/push/webPushAddress.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { subscriptionOf } from '../../ops/sandbox/push/webPush.ts';

const NOW = Date.now();
const message: ServiceMessage = {
  id: 'a5f9c1de-7d5c-5a41-9d1f-0f6d2b8f4a10',
  kind: 'booking',
  title: 'Подтверждено',
  body: 'Номер 4',
  link: '/bookings/1',
  urgency: 'high',
  collapseKey: 'booking 1',
  expiresAt: instantOf(NOW + 90_000),
};
/** An answer of a service: JSON, or a text as it is. */
const answer = (status: number, body: object | string, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers: { ...(typeof body === 'object' && { 'content-type': 'application/json' }), ...headers },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const iphone: Device = { platform: 'ios', environment: 'production', token: 'ab'.repeat(32), keys: null };

describe('FCM', () => {
  it('signs a claim that lasts an hour', async () => {
    const account = sandboxFcm('http://sandbox.test');
    const key = createPublicKey(account.private_key);
    const { payload } = await jwtVerify(await fcmAssertion(account, NOW), key, {
      issuer: account.client_email,
      audience: account.token_uri,
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600);
    expect(payload.scope).toBe('https://www.googleapis.com/auth/firebase.messaging');
  });

  it('is sent texts, a lifetime and a tag', () => {
    expect(fcmMessage('token', message, NOW)).toEqual({
      message: {
        token: 'token',
        notification: { title: 'Подтверждено', body: 'Номер 4' },
        data: { id: message.id, kind: 'booking', link: '/bookings/1' },
        android: { priority: 'HIGH', ttl: '90s', notification: { tag: 'booking 1' } },
        webpush: { headers: { TTL: '90', Urgency: 'high' }, notification: { tag: 'booking 1' } },
      },
    });
  });

  it.each([
    [404, 'UNREGISTERED', 'dead'],
    [404, 'NOT_FOUND', 'refused'],
    [400, 'INVALID_ARGUMENT', 'refused'],
    [403, 'SENDER_ID_MISMATCH', 'refused'],
    [403, 'PERMISSION_DENIED', 'later'],
    [401, 'UNAUTHENTICATED', 'later'],
    [429, 'QUOTA_EXCEEDED', 'later'],
    [503, 'UNAVAILABLE', 'later'],
  ])('answers %i %s: %s', (status, errorCode, kind) => {
    const body = { error: { status: 'NOT_FOUND', details: [{ errorCode }] } };
    const outcome = fcmOutcome(answer(status, body, { 'retry-after': '7' }), NOW);
    expect(outcome).toMatchObject({ kind, ...(kind === 'later' && { afterMs: 7_000 }) });
  });

  it('has taken a message over when it names it', () => {
    const name = 'projects/resort/messages/1';
    expect(fcmOutcome(answer(200, { name }), NOW)).toEqual({ kind: 'delivered' });
    expect(fcmOutcome(answer(200, {}), NOW).kind).toBe('later');
  });
});

describe('APNs', () => {
  it('signs with the key of the team', async () => {
    const token = await apnsToken(sandboxApns, NOW);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: sandboxApns.keyId });
    const { payload } = await jwtVerify(token, createPublicKey(sandboxApns.privateKey), { issuer: sandboxApns.teamId });
    expect(payload.iat).toBe(Math.floor(NOW / 1_000));
  });

  it('is sent a topic, a time and a collapse id of at most 64 bytes', () => {
    const headers = apnsHeaders('app.resort', iphone, message);
    expect(headers).toMatchObject({
      'apns-topic': 'app.resort',
      'apns-push-type': 'alert',
      'apns-collapse-id': 'booking 1',
      'apns-expiration': String(Math.floor((NOW + 90_000) / 1_000)),
      'apns-priority': '10',
    });
    expect(apnsHeaders('app.resort', iphone, message)).toEqual(headers);
    const long = apnsHeaders('app.resort', iphone, { ...message, urgency: 'normal', collapseKey: 'я'.repeat(33) });
    expect(Buffer.byteLength(long['apns-collapse-id'] ?? '')).toBeLessThanOrEqual(64);
    expect(long['apns-priority']).toBe('5');
    expect(apnsBody(message)).toMatchObject({
      aps: { alert: { title: 'Подтверждено', body: 'Номер 4' } },
      link: '/bookings/1',
    });
  });

  it('has taken a message over when it repeats its id', () => {
    const taken = (id: string) => apnsOutcome(answer(200, '', { 'apns-id': id }), 'a1-b2', NOW).kind;
    expect([taken('A1-B2'), taken('another')]).toEqual(['delivered', 'later']);
  });

  it.each([
    [410, 'Unregistered', { kind: 'dead', since: '2026-11-01T00:00:00.000Z' }],
    [400, 'BadDeviceToken', { kind: 'dead' }],
    [400, 'TopicDisallowed', { kind: 'refused' }],
    [413, 'PayloadTooLarge', { kind: 'refused' }],
    [403, 'ExpiredProviderToken', { kind: 'later', isAway: true }],
    [429, 'TooManyRequests', { kind: 'later', isAway: false }],
    [503, 'ServiceUnavailable', { kind: 'later', isAway: true }],
  ])('answers %i %s', (status, reason, outcome) => {
    const timestamp = status === 410 ? Date.parse('2026-11-01T00:00:00Z') : undefined;
    expect(apnsOutcome(answer(status, { reason, timestamp }), 'id', NOW)).toMatchObject(outcome);
  });
});

describe('Web Push', () => {
  const subscription = subscriptionOf('http://sandbox.test', 'anna');

  it('is sent a lifetime, an urgency, a short topic and a message of at most 4 KiB', () => {
    const long = { ...message, title: 'Ж'.repeat(100), body: 'Ж'.repeat(900), link: 'x'.repeat(500) };
    const { headers, body } = webPushRequest(subscription.keys, long, NOW);
    expect(headers).toMatchObject({ TTL: '90', Urgency: 'high', 'Content-Encoding': 'aes128gcm' });
    expect(headers.Topic).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(body.length).toBeLessThan(4_096);
    expect(topicOf('a')).not.toBe(topicOf('b'));
  });

  const doubtful = { kind: 'dead', isDoubtful: true };
  it.each([
    [201, '', {}, { kind: 'delivered' }],
    [202, '', {}, { kind: 'delivered' }],
    [200, '', {}, { kind: 'later' }],
    [404, '', {}, doubtful],
    [410, '', {}, doubtful],
    [410, 'push subscription has unsubscribed or expired.\n', {}, { kind: 'dead' }],
    [410, { code: 410, errno: 106, error: 'Gone' }, {}, { kind: 'dead' }],
    [410, { reason: 'Unregistered' }, {}, { kind: 'dead' }],
    [410, '', { 'x-wns-status': 'dropped' }, { kind: 'dead' }],
    [400, { reason: 'VapidPkHashMismatch' }, {}, { kind: 'refused' }],
    [413, { code: 413, errno: 104 }, {}, { kind: 'refused' }],
    [400, '', {}, { kind: 'later', isAway: false }],
    [429, '', {}, { kind: 'later', isAway: true }],
    [500, '', {}, { kind: 'later', isAway: true }],
  ])('answers %i %j %j', (status, body, headers, outcome) => {
    const said = webPushOutcome(answer(status, body, headers), NOW);
    expect(said).toMatchObject(outcome);
    expect('isDoubtful' in said).toBe('isDoubtful' in outcome);
  });

  it('accepts only addresses of known services, and keys that are some', () => {
    const settings = { webPushHosts: ['fcm.googleapis.com', '*.push.apple.com'], pushSandbox: 'http://localhost:8082' };
    const problem = (endpoint: string) => addressProblem(endpoint, settings);
    for (const good of [
      'https://fcm.googleapis.com/fcm/send/x',
      'https://web.push.apple.com/x',
      'http://localhost:8082/push/web/anna',
    ])
      expect(problem(good), good).toBeUndefined();
    for (const bad of [
      'http://fcm.googleapis.com/x',
      'https://fcm.googleapis.com:8443/x',
      'https://fcm.googleapis.com.evil.test/x',
      'https://user:pw@fcm.googleapis.com/x',
      'https://push.apple.com.evil.test/x',
      'https://evilpush.apple.com.test/',
      'https://169.254.169.254/latest',
      'https://localhost/x',
      'http://localhost:8082/sandbox/push',
      'nonsense',
    ])
      expect(problem(bad), bad).toBeDefined();
    expect(addressProblem('http://localhost:8082/push/web/anna', { ...settings, pushSandbox: null })).toBeDefined();
    expect(areKeys(subscription.keys)).toBe(true);
    const point = Buffer.from(subscription.keys.p256dh, 'base64url');
    point[40] = (point[40] ?? 0) ^ 1;
    expect(areKeys({ ...subscription.keys, p256dh: point.toString('base64url') })).toBe(false);
    expect(areKeys({ ...subscription.keys, auth: 'AAAA' })).toBe(false);
  });
});

it('asks a service that is away again after a while, with few requests at first', () => {
  let now = 0;
  const circuit = createCircuit(() => now);
  expect(circuit.waitMs('a')).toBe(0);
  circuit.isAway('a', undefined);
  circuit.isAway('a', undefined);
  expect(circuit.waitMs('a')).toBeGreaterThan(0);
  expect(circuit.waitMs('b')).toBe(0);
  now += 500;
  const asked = Array.from({ length: 10 }, () => circuit.waitMs('a')).filter((ms) => ms === 0);
  expect(asked).toHaveLength(4);
  circuit.isAway('a', 60_000);
  now += 59_000;
  expect(circuit.waitMs('a')).toBeGreaterThan(0);
  now += 1_001;
  expect(circuit.waitMs('a')).toBe(0);
  circuit.isBack('a');
  expect(circuit.waitMs('a')).toBe(0);
});

it('reads how long a service wants to be left alone', () => {
  expect(retryAfterMs('120', NOW)).toBe(120_000);
  expect(retryAfterMs(new Date(NOW + 5_000).toUTCString(), NOW)).toBeLessThanOrEqual(5_000);
  expect(retryAfterMs('soon', NOW)).toBeUndefined();
  expect(retryAfterMs(undefined, NOW)).toBeUndefined();
});

it('compares versions, and shortens texts by bytes', () => {
  expect(versionRank('2.4')).toEqual([2, 4, 0, 1]);
  expect(versionRank('2.4.1-beta.2')).toEqual([2, 4, 1, 0]);
  expect(shortened('short', 10)).toBe('short');
  expect(shortened('Ж'.repeat(100), 21)).toBe(`${'Ж'.repeat(9)}…`);
  expect(shortened('👩‍🚒'.repeat(10), 20)).not.toContain('\uFFFD');
});
