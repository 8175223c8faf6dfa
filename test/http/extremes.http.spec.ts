/** What no operation may take, sent to all of them: bodies in other encodings, no body, unknown fields, other methods. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addressesOf, type Route } from '../../api/http/route.ts';
import { createRouting } from '../../api/http/routing.ts';
import { routes } from '../../api/modules.ts';
import { type Call, caller, endsCaller, newTourist, once, type Reply, signIn } from '../kit/http.ts';
import { day } from '../kit/stays.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let privileged: Call;
beforeAll(async () => {
  privileged = {
    token: await signIn(call, demo, 'admin'),
    headers: { 'x-admin-token': 'dev-only-admin-token' },
  };
});

const ID = '0190a0e4-0000-7000-8000-000000000000';
const VALUES: Readonly<Record<string, string>> = { provider: 'yookassa', purpose: 'marketing', type: 'hotel' };
const filled = (path: string): string => path.replaceAll(/:(\w+)/g, (_, name) => VALUES[name] ?? ID);
/** Without what only keys of other partners may do. */
const all = routes.filter(({ key, access }) => !endsCaller.includes(key) && !access.startsWith('scope:'));
const withBody = all.filter(({ spec, access }) => spec.body !== undefined && access !== 'emergency');

/** Asks all operations at once; those whose answer is another one than expected, with that answer. */
const wrongAnswers = async (
  of: readonly Route[],
  ask: (route: Route) => Promise<Reply>,
  isRight: (reply: Reply, route: Route) => boolean,
): Promise<string[]> => {
  const answers = await Promise.all(of.map(async (route) => ({ route, reply: await ask(route) })));
  return answers
    .filter(
      ({ route, reply }) => !isRight(reply, route) || reply.headers.get('content-type') !== 'application/problem+json',
    )
    .map(({ route, reply }) => `${route.key} → ${reply.status} ${JSON.stringify(reply.body)}`);
};

const send = (route: Route, body: unknown, headers: Record<string, string>) =>
  call(`${route.method} ${filled(route.path)}`, {
    ...privileged,
    headers: { ...privileged.headers, ...headers },
    ...(body !== undefined && { body }),
  });
const latin1 = { 'content-type': 'application/json; charset=iso-8859-1' };

describe('every operation', () => {
  it('takes a body in UTF-8 only', async () => {
    const isRefused = ({ status, body }: Reply) => status === 415 && body.code === 'unsupported_media_type';
    expect(await wrongAnswers(withBody, (route) => send(route, '{}', latin1), isRefused)).toEqual([]);
  });

  it('takes no Content-Encoding, and says so', async () => {
    const isRefused = ({ status, headers }: Reply) => status === 415 && headers.get('accept-encoding') === 'identity';
    expect(
      await wrongAnswers(withBody, (route) => send(route, '{}', { 'content-encoding': 'gzip' }), isRefused),
    ).toEqual([]);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const bytes = Buffer.from('{"caf\xe9":"caf\xe9"}', 'latin1');
    const ask = async (route: Route): Promise<Reply> => {
      const response = await fetch(runtime.api + filled(route.path), {
        method: route.method,
        headers: {
          authorization: `Bearer ${privileged.token}`,
          'content-type': 'application/json',
          ...privileged.headers,
        },
        body: bytes,
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    expect(
      await wrongAnswers(withBody, ask, ({ status, body }) => status === 400 && /UTF-8/.test(body.detail)),
    ).toEqual([]);
  });

  it('names a missing body where it needs one, and a PUT always needs one', async () => {
    const needy = withBody.filter(
      ({ method, spec }) => method === 'PUT' || (spec.body?.required as string[])?.length > 0,
    );
    expect(needy.length).toBeGreaterThan(100);
    const isNamed = ({ status, body }: Reply, { method }: Route) =>
      method === 'PUT'
        ? status === 400 && /missing/.test(body.detail)
        : status === 422 && body.errors[0].pointer === '/body';
    expect(await wrongAnswers(needy, (route) => send(route, undefined, {}), isNamed)).toEqual([]);
  });

  it('refuses a field of the query that it does not know, or declares why not', async () => {
    const [open, closed] = [all.filter(({ spec }) => spec.openQuery), all.filter(({ spec }) => !spec.openQuery)];
    expect(open.map(({ key }) => key).sort()).toEqual([
      'GET /api/v1/auth/oauth/:provider/callback',
      'GET /api/v1/mail/unsubscribe',
      'POST /api/v1/forums/voice/webhook',
      'POST /api/v1/mail/unsubscribe',
      'POST /api/v1/payments/webhooks/:provider',
      'POST /api/v1/sos/:id/positions',
      'POST /api/v1/sos/request',
      'POST /api/v1/webhooks/email',
    ]);
    const ask = ({ method, path }: Route) => call(`${method} ${filled(path)}?nobody_knows=1`, privileged);
    const isRefused = ({ status, body }: Reply, { spec }: Route) =>
      status === 422 && (body.errors[0].pointer.startsWith('/query/') || spec.params !== undefined);
    expect(await wrongAnswers(closed, ask, isRefused)).toEqual([]);
    const wrong = await call('GET /api/v1/hotels?city=%E9');
    expect(wrong).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  });

  it('answers other methods with 405 and the methods of its path', async () => {
    const routing = createRouting<string>();
    for (const route of routes)
      for (const address of addressesOf(route)) routing.mount(address, route.method, route.key);
    const isRight = ({ status, headers }: Reply, { path }: Route) =>
      status === 405 && headers.get('allow') === routing.find(filled(path), 'GET')?.methods.join(', ');
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const others = all.filter(({ path }) => !routing.find(filled(path), method)?.run);
      expect(await wrongAnswers(others, ({ path }) => call(`${method} ${filled(path)}`, privileged), isRight)).toEqual(
        [],
      );
    }
  });
});

describe('an amount', () => {
  const currency = 'RUB';
  const of = { timezone: 'Europe/Moscow', currency };
  const tariff = { ...of, name: 'Day', age_group: 'adult', duration: { unit: 'day', count: 1 }, within_days: 1 };
  const season = { season: { from: day(30), to: day(120) } };
  it.each([
    ['POST /api/v1/admin/ledger/settlements', { currency, provider: 'yookassa', reference: 'far' }, 'amount'],
    ['POST /api/v1/admin/ledger/settlements', { currency, provider: 'yookassa', reference: 'far', amount: 1 }, 'fee'],
    ['POST /api/v1/admin/ledger/corrections', { currency, debit: 'bank', credit: 'fees', reason: 'x' }, 'amount'],
    ['POST /api/v1/admin/payouts', { currency, owner_id: ID }, 'amount'],
    ['POST /api/v1/admin/ski-pass/tariffs', { ...tariff, ...season }, 'price'],
    ['POST /api/v1/admin/promo-codes', { code: 'FARFAR', currency, borne_by: 'platform', uses: 1 }, 'discount'],
  ])('that could not be stored exactly is refused: %s', async (request, body, field) => {
    for (const amount of [10_000_000_000.01, 9e13, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e300]) {
      const sent = { ...privileged, headers: { ...privileged.headers, ...once() }, body: { ...body, [field]: amount } };
      const { status, body: answer } = await call(request, sent);
      expect({ amount, status, pointer: answer.errors?.[0].pointer }).toEqual({
        amount,
        status: 422,
        pointer: `/body/${field}`,
      });
    }
  });

  it('of a room is refused in the same way', async () => {
    const token = await signIn(call, demo, 'hotelier');
    const { body: own } = await call('GET /api/v1/provider/hotels', { token });
    const body = { name: 'Far', capacity: 2, units: 1, price_per_night: 10_000_000_000.01 };
    const reply = await call(`POST /api/v1/hotels/${own.data[0].id}/rooms`, { token, body });
    expect(reply).toMatchObject({ status: 422, body: { errors: [{ pointer: '/body/price_per_night' }] } });
  });
});

it('names the fields of a rule across fields', async () => {
  const { token } = await newTourist(call, privileged.token as string, 'Rule');
  const stay = { type: 'hotel', item_id: ID, check_in: day(60), check_out: day(60), guests: 2 };
  const pointers = async (request: string, body: object) =>
    (await call(request, { token, body })).body.errors.map((error: { pointer: string }) => error.pointer);
  expect(await pointers('POST /api/v1/bookings/quote', stay)).toEqual(['/body/check_out']);
  expect(await pointers('POST /api/v1/trip-booking/aggregate', { items: [stay] })).toEqual(['/body/items/0/check_out']);
  expect(await pointers('POST /api/v1/payments/process', { method: 'card' })).toContain('/body/booking_id');
  expect(await pointers('POST /auth/sms/send-code', { phone: '12' })).toEqual(['/body/phone']);
  expect(await pointers('POST /auth/login', { identifier: 'a@b.test', password: 'x' })).toEqual([
    '/body/identifier',
    '/body/password',
  ]);
});
