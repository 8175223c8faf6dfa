/** Conventions of every response and every address. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../api/http/access.ts';
import { addressesOf } from '../../api/http/route.ts';
import { routes } from '../../api/modules.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

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
  it.each(services)('of the service %s answer, with and without a slash at the end', async (service) => {
    const addresses = routes
      .filter((route) => route.service === service)
      .flatMap((route) =>
        addressesOf(route).flatMap((address) => [address, `${address}/`].map((at) => ({ at, route }))),
      );
    const wrong: string[] = [];
    await concurrentEach(addresses, 5, async ({ at, route: { key, method } }) => {
      const path = at.replace(/:(\w+)/g, (_, name) => (name === 'provider' ? 'yookassa' : 'x'));
      const body = method === 'GET' ? {} : { body: { nobody_knows: 1 } };
      const reply = await call(`${method} ${path}`, body);
      const isThere = reply.headers.get('x-service') === service && reply.body.code !== 'no_such_path';
      if (!isThere || reply.status === 405) wrong.push(`${key} at ${path}: ${reply.status}`);
    });
    expect(wrong).toEqual([]);
  });

  it('lists bookings with and without the trailing slash', async () => {
    // What follows on the bookings of other specs may come between the two.
    await until(async () => {
      const [bare, slash] = [
        await call('GET /api/v1/bookings', { token }),
        await call('GET /api/v1/bookings/', { token }),
      ];
      expect(bare.status).toBe(200);
      return isDeepStrictEqual(bare.body, slash.body);
    });
  });

  it('repeats the first reply at every address of an operation, for the same object', async () => {
    const headers = once();
    const addresses = [
      '/api/v1/bookings/<id>/cancel',
      '/api/v1/bookings/<id>/cancel/',
      '/api/v1/bookings/bookings/<id>/cancel',
    ];
    const cancel = (address: string, id: string) =>
      call(`POST ${address.replace('<id>', id)}`, { token, headers, body: {} });
    const id = randomUUID();
    for (const address of addresses) expect(await cancel(address, id)).toMatchObject({ status: 404 });
    for (const address of addresses) expect((await cancel(address, randomUUID())).body.code).toBe('key_reused');
  });

  it.each([
    ['GET /api/v1/payments', 404, 'bookings'],
    ['GET /api/v1/payments/x/y/z', 404, 'bookings'],
    ['GET /api/v1/admin/payments/nothing', 404, 'bookings'],
    ['GET /api/v1/tour-bookings/x', 404, 'bookings'],
    ['GET /api/v1/purchases', 404, 'bookings'],
    ['GET /api/v1/tours/x/nothing', 404, 'catalog'],
    ['GET /api/v1/provider/tours/nothing', 404, 'catalog'],
    ['GET /ota/v1/nothing', 404, 'catalog'],
    ['GET /api/v1/ski-pass', 404, 'pass'],
    ['GET /api/v1/users', 404, 'auth'],
    ['GET /auth/nothing', 404, 'auth'],
    ['GET /api/v1/chats/x/y/z', 404, 'chat'],
    ['GET /api/v1/p2p-chats/x/y/z', 404, 'chat'],
    ['GET /api/v1/sos/request', 405, 'calls'],
    ['PUT /api/v1/sos/request', 405, 'calls'],
    ['GET /api/v1/resort/nothing', 404, 'resort'],
    ['GET /api/v1/nowhere', 404, 'platform'],
    ['GET /', 404, 'platform'],
    ['PUT /api/v1/tours', 405, 'catalog'],
    ['GET /api/v1/transfers/bookings', 405, 'bookings'],
    ['PUT /api/v1/transfers/bookings', 405, 'bookings'],
    ['DELETE /api/v1/bookings', 405, 'bookings'],
    ['POST /api/v1/pass/tariffs', 405, 'pass'],
    ['PUT /auth/login', 405, 'auth'],
  ])('%s is %i of the service %s', async (request, status, service) => {
    const reply = await call(request, { token });
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    expect(reply.headers.get('x-service')).toBe(service);
  });

  it('answers 404 for an unknown path and 405 with Allow for an unsupported method', async () => {
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
  it('are served: OpenAPI and its page; the names of other files and of properties are not', async () => {
    expect((await call('GET /openapi.json')).body.openapi).toBe('3.1.0');
    const page = await call('GET /docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    for (const [, asset] of page.body.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g))
      expect((await call(`GET ${asset}`)).status).toBe(200);
    expect(page.body).not.toMatch(/https?:\/\//);
    for (const name of ['constructor', 'toString', '__proto__', '..%2fpackage.json'])
      expect((await call(`GET /docs/${name}`)).status, name).toBe(404);
  });

  it('leave metrics to a port of their own, which reports all roles', async () => {
    expect((await call('GET /metrics')).status).toBe(404);
    const text = async () => (await fetch(runtime.metrics)).text();
    // A process that is busy is left out.
    for (const role of ['api', 'worker', 'realtime'])
      await expect.poll(text).toMatch(new RegExp(`_seconds.*role="${role}"`));
  });
});

describe('browsers', () => {
  it.each(['GET /api/v1/hotels', 'GET /nowhere', 'GET /health', 'GET /openapi.json', 'POST /auth/login'])(
    'are told to guess no type, show no frame and load nothing from %s',
    async (request) => {
      const { headers } = await call(request);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toMatch(/^default-src '(none|self)';.*frame-ancestors 'none'/);
    },
  );

  it('load only our own scripts on the page of the documents', async () => {
    const { headers } = await call('GET /docs');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('content-security-policy')).not.toMatch(/script-src|unsafe-eval/);
  });

  it('may call from other origins', async () => {
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
  it('makes a reply wait for its projection, unless the client prefers not to', async () => {
    const person = await newTourist(call, await signIn(call, demo, 'admin'), 'Anna');
    // On a busy machine a projection may take longer than a reply waits for it.
    let times = 0;
    const written = await until(async () => {
      times += 1;
      const body = { first_name: `Maria ${'I'.repeat(times)}` };
      const reply = await call('PUT /api/v1/users/me', { token: person.token, body });
      return reply.headers.get('x-projected') === null && reply;
    });
    expect(written.headers.get('x-event-position')).toMatch(/^\d+\/\d+$/);
    const { body: shown } = await call('GET /auth/me', { token: person.token });
    expect(shown.first_name).toBe(written.body.first_name);
    const quick = await call('PUT /api/v1/users/me', {
      token: person.token,
      body: { first_name: 'Darya' },
      headers: { prefer: 'respond-async' },
    });
    const position = quick.headers.get('x-event-position') ?? '';
    expect((await call('GET /auth/me', { token: person.token, headers: { 'x-min-position': position } })).status).toBe(
      200,
    );
  });

  it('answers x-projected: false when a position is not reached within 2 s', async () => {
    const reply = await call('GET /auth/me', { token, headers: { 'x-min-position': '99999999999999/99999999999999' } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-projected')).toBe('false');
  });
});

describe('snapshots', () => {
  const prefer = { headers: { prefer: 'channel-offset' } };
  const listed = routes
    .filter(({ spec, path, access }) => spec.channel && access === 'user' && !path.includes(':'))
    .map(({ key }) => key);
  const placeOf = ({ headers }: { headers: Headers }) => headers.get('x-channel-offset');

  it.each(listed)('%s says its place in a channel of the caller, when that is preferred', async (key) => {
    const place = placeOf(await call(key, { token, ...prefer }));
    expect(place).toMatch(/^"[\w:]+_[\w-]{36}";epoch="[\w-]{36}";offset=\d+$/);
    expect(place).toContain(demo.accounts.tourist.id);
    expect(placeOf(await call(key, { token }))).toBeNull();
  });

  it('of a queue of all agents has its place in the channel of the queue', async () => {
    const admin = await signIn(call, demo, 'admin');
    const place = placeOf(await call('GET /api/v1/admin/support/tickets', { token: admin, ...prefer }));
    expect(place).toMatch(/^"support_queue";epoch="[\w-]{36}";offset=\d+$/);
  });

  it('of the bookings of all sellers have no place', async () => {
    const admin = await signIn(call, demo, 'admin');
    const reply = await call('GET /api/v1/bookings/provider', { token: admin, ...prefer });
    expect([reply.status, placeOf(reply)]).toEqual([200, null]);
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
