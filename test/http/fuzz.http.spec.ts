/** Malformed input of every kind at every operation: a clear 4xx with a `detail`, never a 5xx. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../api/http/access.ts';
import type { Route } from '../../api/http/route.ts';
import { routes } from '../../api/modules.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { type Call, caller, endsCaller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

/** Per operation: what all have in common is tried by all of them together. */
const ROUNDS = 8;
const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let privileged: Call;

beforeAll(async () => {
  privileged = {
    token: await signIn(call, demo, 'admin'),
    apiKey: demo.partner_key,
    headers: { 'x-admin-token': 'dev-only-admin-token' },
  };
});

/** A number that fits may have become the commission of everybody. */
afterAll(() => call('DELETE /api/v1/admin/commissions/global', privileged));

const NASTY = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  "' or 1=1 --",
  '%00',
  '%E0%A4%A',
  'null',
  '-1',
  '1e999',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '0001-01-01',
  '9999-12-31',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  'é'.repeat(300),
];
const nastyText = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.uuid(),
  fc.date().map(String),
);
const anything = fc.oneof(
  fc.jsonValue(),
  nastyText,
  fc.double(),
  fc.bigInt().map(Number),
  fc.array(nastyText, { maxLength: 5 }),
);

/** Bodies that know the field names, so that they get past the first check. */
const bodyFor = (route: Route): fc.Arbitrary<unknown> => {
  type Shape = { readonly properties?: object; readonly oneOf?: readonly Shape[] };
  const body = (route.spec.body ?? {}) as Shape;
  const fields = [body, ...(body.oneOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties));
  const known = fc.record(Object.fromEntries(fields.map((name) => [name, anything])), { requiredKeys: [] });
  return fc.oneof(known, fc.object(), anything);
};

const valueFor = (name: string) => (name === 'provider' ? fc.constantFrom('yookassa', 'nobody') : nastyText);

const requestFor = (
  route: Route,
): fc.Arbitrary<{ request: string; body: unknown; headers: Record<string, string> }> => {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const queries = Object.keys(route.spec.query?.properties ?? {});
  return fc.record({
    request: fc
      .tuple(
        fc.tuple(...names.map(valueFor)),
        fc.dictionary(fc.constantFrom(...queries, 'zzz'), nastyText, { maxKeys: 4 }),
      )
      .map(([values, query]) => {
        const text = (value: unknown) => encodeURIComponent(String(value).toWellFormed()) || '%20';
        const path = names.reduce((filled, name, i) => filled.replace(`:${name}`, text(values[i])), route.path);
        const search = Object.entries(query)
          .map(([k, v]) => `${k}=${text(v)}`)
          .join('&');
        return `${route.method} ${path}${search && `?${search}`}`;
      }),
    body: bodyFor(route),
    headers: fc.constantFrom<Record<string, string>>(
      {},
      { 'idempotency-key': 'x' },
      { 'x-min-position': 'nowhere' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=latin1' },
    ),
  });
};

const sound = (reply: { status: number; headers: Headers; body: { detail?: unknown } }, what: string) => {
  expect(reply.status, `${what} → ${JSON.stringify(reply.body)}`).toBeLessThan(500);
  expect(reply.headers.get('x-service'), what).toBeTruthy();
  expect(Number(reply.headers.get('x-response-time-ms'))).not.toBeNaN();
  if (reply.status < 400) return;
  expect(reply.headers.get('content-type'), what).toContain('application/problem+json');
  expect(typeof reply.body.detail, what).toBe('string');
};

/** Without its own session the rest of the run would be 401s. */
const fuzzed = routes.filter(({ key }) => !endsCaller.includes(key));

describe('malformed input', () => {
  it.each(services)('at the operations of the service %s', async (service) => {
    const tryOut = (route: Route) =>
      fc.assert(
        fc.asyncProperty(requestFor(route), async ({ request, body, headers }) => {
          const sent = { ...privileged, headers: { ...privileged.headers, ...headers } };
          const reply = await call(request, { ...sent, ...(route.method !== 'GET' && { body }) });
          sound(reply, `${request} ${JSON.stringify(body)}`);
        }),
        { numRuns: ROUNDS, endOnFailure: true },
      );
    const those = fuzzed.filter((route) => route.service === service);
    expect(those).not.toEqual([]);
    await concurrentEach(those, 5, tryOut);
  });

  const target = 'POST /api/v1/bookings/create';
  it.each([
    ['broken JSON', '{"type":', 400],
    ['nested too deep', `{"type":${'['.repeat(50)}${']'.repeat(50)}}`, 422],
    ['nested absurdly deep', '['.repeat(200_000), 400],
    ['a very long text', JSON.stringify({ notes: 'x'.repeat(100_000) }), 422],
    ['very many items', JSON.stringify({ notes: Array(20_000).fill(0) }), 422],
    ['more than 1 MiB', JSON.stringify({ notes: 'x'.repeat(1024 * 1024) }), 413],
    ['a field nobody knows', '{"tpye":"hotel"}', 422],
    ['__proto__', '{"__proto__":{"admin":true}}', 422],
    ['__proto__, inside', '{"guests":{"__proto__":{"admin":true}}}', 422],
  ])('%s', async (_, body, status) => {
    const reply = await call(target, { ...privileged, body });
    sound(reply, target);
    expect(reply.status).toBe(status);
  });

  it.each(['1e999', '-1e999', '1e400'])('refuses %s as a number of a query', async (number) => {
    expect((await call(`GET /api/v1/hotels?page=${number}`)).status).toBe(422);
  });

  it('answers unknown paths, methods and content types', async () => {
    expect((await call('GET /nowhere')).status).toBe(404);
    const wrongMethod = await call('DELETE /api/v1/hotels');
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get('allow')).toContain('GET');
    const form = await call(target, {
      ...privileged,
      body: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status).toBe(415);
    for (const reply of [await call('GET /nowhere'), wrongMethod, form]) sound(reply, 'unknown');
  });
});
