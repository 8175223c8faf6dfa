/** Rate limits: who a request is counted against, and how a client learns of it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from '../../commands/payments/tbank/api.ts';
import { freePort } from '../../ops/ports.ts';
import { type CallApi, caller, newTourist, type Reply, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { healthy, sharedWorld, startRole } from '../kit/world.ts';

/** A process of its own on the shared stores, because the shared one does not limit. */
let limited: ReturnType<typeof startRole>;
let call: CallApi;
let token: string;
beforeAll(async () => {
  const { demo, runtime } = sharedWorld();
  const port = await freePort('127.0.0.1');
  limited = startRole('api', runtime, { RATE_LIMITS: '1', PORT: String(port) });
  await healthy(port);
  call = caller(`http://127.0.0.1:${port}`);
  const unlimited = caller(runtime.api);
  ({ token } = await newTourist(unlimited, await signIn(unlimited, demo, 'admin'), 'Lim'));
});
afterAll(() => limited.stop());

const policyOf = ({ headers }: Reply) => headers.get('ratelimit-policy');

describe('a request is counted', () => {
  it('against the user, also at a public operation', async () => {
    expect(policyOf(await call('GET /auth/me', { token }))).toBe('"user";q=300;w=60');
    expect(policyOf(await call('GET /api/v1/hotels', { token }))).toBe('"user";q=300;w=60');
  });

  it('against the address without a token, or with an invalid one', async () => {
    for (const sent of [{}, { token: 'invalid' }, { token: `${token.slice(0, -6)}AAAAAA` }]) {
      const reply = await call('GET /api/v1/hotels', sent);
      expect(reply.status).toBe(200);
      expect(policyOf(reply)).toBe('"anonymous";q=60;w=60');
    }
    expect((await call('GET /auth/me', { token: 'invalid' })).status).toBe(401);
  });

  it('against the address when signing in, whatever token is sent', async () => {
    const body = { identifier: 'nobody@example.test', password: 'wrong password' };
    expect(policyOf(await call('POST /auth/login', { token, body }))).toBe('"login";q=10;w=60');
  });

  it('against the limit on money when booking', async () => {
    for (const operation of ['POST /api/v1/bookings/create', 'POST /api/v1/trip-booking/aggregate'])
      expect(policyOf(await call(operation, { token, body: {} }))).toBe('"money";q=20;w=60');
  });

  it('against a limit of its own when refreshing', async () => {
    const refreshed = await call('POST /auth/refresh', { body: { refresh_token: 'unknown' } });
    expect(refreshed.status).toBe(401);
    expect(policyOf(refreshed)).toBe('"refresh";q=120;w=60');
  });

  it('against the sender, once a notification is verified', async () => {
    const webhook = 'POST /api/v1/payments/webhooks/tbank';
    const fields = { TerminalKey: 'sandbox', OrderId: randomUUID(), Success: true, Status: 'CONFIRMED', PaymentId: 9 };
    const notification = { ...fields, ErrorCode: '0', Amount: 100 };
    const signed = await call(webhook, { body: { ...notification, Token: tokenOf(notification, 'sandbox') } });
    expect(signed.status).toBe(200);
    expect(policyOf(signed)).toBe('"notification";q=1200;w=60');
    const forged = await call(webhook, { body: { ...notification, Token: tokenOf(notification, 'wrong') } });
    expect(forged.status).toBe(403);
    expect(policyOf(forged)).toBe('"sender";q=1200;w=60');
  });

  it('not against strangers, however many notifications come from one address', async () => {
    const webhook = 'POST /api/v1/payments/webhooks/tbank';
    const replies = await Promise.all(Array.from({ length: 100 }, () => call(webhook, { body: {} })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([403]));
  });
});

it('lets people behind one address sign in, and counts documents apart', async () => {
  for (let i = 0; i < 30; i += 1) {
    const body = { identifier: `guest-${i}@example.test`, password: 'wrong password' };
    expect((await call('POST /auth/login', { body })).status).toBe(422);
  }
  expect(policyOf(await call('GET /openapi.json'))).toBe('"documents";q=120;w=60');
});

it('takes no notification of more than 64 KiB', async () => {
  const body = JSON.stringify({ padding: 'x'.repeat(65 * 1024) });
  const reply = await call('POST /api/v1/payments/webhooks/yookassa', { body });
  expect(reply.status).toBe(413);
  expect(reply.body.detail).toContain('64 KiB');
});

it('refuses with 429 past the limit, and says when to try again', async () => {
  const first = await call('GET /api/v1/tours');
  expect(first.headers.get('ratelimit')).toMatch(/^"anonymous";r=\d+;t=\d+$/);
  let last = first;
  // A minute may begin anew in between.
  for (let asked = 1; asked <= 120 && last.status === 200; asked += 1) last = await call('GET /api/v1/tours');
  expect(last.status).toBe(429);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(last.body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('Try again in') });
  expect((await call('GET /api/v1/tours', { token })).status).toBe(200);
});

it('never refuses an SOS request, also of somebody who has no request left', async () => {
  await until(async () => {
    const replies = await Promise.all(Array.from({ length: 310 }, () => call('GET /api/v1/calls', { token })));
    return replies.some(({ status }) => status === 429);
  });
  for (let asked = 0; asked < 3; asked += 1) {
    const alarm = await call('POST /api/v1/sos/request', { token, body: {} });
    expect(alarm.status).toBe(asked === 0 ? 201 : 200);
    expect(policyOf(alarm)).toBeNull();
  }
});
