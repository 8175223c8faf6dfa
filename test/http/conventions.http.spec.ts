/** What holds for every response and every address. */
import { beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../api/http/access.ts';
import { addressesOf } from '../../api/http/route.ts';
import { routes } from '../../api/modules.ts';
import { caller, signIn } from '../kit/http.ts';
import { sharedWorld, startWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let token: string;
beforeAll(async () => {
  token = await signIn(call, demo, 'tourist');
});

describe('health', () => {
  it.each(['/health', ...services.map((service) => `/api/v1/${service}/health`)])('GET and HEAD %s', async (path) => {
    const get = await call(`GET ${path}`);
    expect(get.status).toBe(200);
    expect(get.body).toEqual({ service: expect.any(String), version: expect.any(String), status: 'ok' });
    expect(get.headers.get('x-service')).toBe(get.body.service);
    const head = await call(`HEAD ${path}`);
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers.get('x-service')).toBe(get.body.service);
    expect(Number(head.headers.get('x-response-time-ms'))).toBeGreaterThanOrEqual(0);
  });
});

describe('addresses', () => {
  it.each(routes.flatMap((route) => addressesOf(route).map((address) => [route.key, address] as const)))(
    '%s answers at %s',
    async (key, address) => {
      const [method = 'GET'] = key.split(' ');
      const path = address.replace(/:(\w+)/g, (_, name) => (name === 'provider' ? 'yookassa' : 'x'));
      const reply = await call(`${method} ${path}`, { ...(method !== 'GET' && { body: { nobody_knows: 1 } }) });
      expect(reply.headers.get('x-service')).toBe(routes.find((route) => route.key === key)?.service);
      expect(reply.body.code, JSON.stringify(reply.body)).not.toBe('no_such_path');
      expect(reply.status).not.toBe(405);
    },
  );

  it('what is not there is 404, what is there but not so is 405', async () => {
    expect((await call('GET /api/v1/nowhere')).body).toMatchObject({
      code: 'no_such_path',
      detail: expect.any(String),
    });
    const wrong = await call('PUT /auth/login', { body: {} });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('POST');
  });
});

describe('documents', () => {
  it('OpenAPI, a page for people, metrics', async () => {
    expect((await call('GET /openapi.json')).body.openapi).toBe('3.1.0');
    const page = await call('GET /docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    for (const [, asset] of page.body.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g))
      expect((await call(`GET ${asset}`)).status).toBe(200);
    expect(page.body).not.toMatch(/https?:\/\//);
    expect((await call('GET /metrics')).body).toContain('http_request_seconds');
  });
});

describe('browsers', () => {
  it('may call from elsewhere', async () => {
    const preflight = await call('OPTIONS /api/v1/hotels', {
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
  });
});

describe('read your writes', () => {
  it('a reply waits for its projection, unless told not to', async () => {
    const written = await call('PUT /api/v1/users/me', { token, body: { first_name: `Anna ${Date.now()}` } });
    expect(written.headers.get('x-event-position')).toMatch(/^\d+\/\d+$/);
    expect(written.headers.get('x-projected')).toBeNull();
    const quick = await call('PUT /api/v1/users/me', {
      token,
      body: { first_name: `Anna ${Date.now() + 1}` },
      headers: { prefer: 'respond-async' },
    });
    const position = quick.headers.get('x-event-position') ?? '';
    expect((await call('GET /auth/me', { token, headers: { 'x-min-position': position } })).status).toBe(200);
  });

  it('a position that is not there yet is said to be missing, after 2 s', async () => {
    const reply = await call('GET /auth/me', { token, headers: { 'x-min-position': '99999999999999/99999999999999' } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-projected')).toBe('false');
  });
});

describe('identifiers', () => {
  it.each(['GET /api/v1/bookings/not-a-uuid', 'GET /api/v1/hotels/1', 'GET /api/v1/payments/abc'])(
    '%s is 422 with a detail',
    async (request) => {
      const { status, body } = await call(request, { token });
      expect(status).toBe(422);
      expect(body.detail).toContain('uuid');
      expect(body.errors[0].pointer).toBe('/path/id');
    },
  );
});

describe('limits', () => {
  it('are said before they are met, and answered with 429 and when to come back', async () => {
    const limited = await startWorld({ RATE_LIMITS: '1' });
    try {
      const ask = caller((await limited.runtime()).api);
      const first = await ask('GET /api/v1/hotels');
      expect(first.headers.get('ratelimit-policy')).toBe('"anonymous";q=60;w=60');
      expect(first.headers.get('ratelimit')).toMatch(/^"anonymous";r=\d+;t=\d+$/);
      let last = first;
      for (let asked = 1; asked <= 60 && last.status === 200; asked += 1) last = await ask('GET /api/v1/hotels');
      expect(last.status).toBe(429);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(last.body.code).toBe('rate_limited');
    } finally {
      await limited.stop();
    }
  }, 120_000);
});
