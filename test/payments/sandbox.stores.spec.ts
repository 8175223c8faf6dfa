/** The sandbox for people and shops: payment page, notifications, restarts, text messages. */
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandboxSms, sandboxMessageMigrations } from '../../commands/accounts/sandboxSms.ts';
import { type CreatePayment, Notification, type Payment } from '../../commands/payments/yookassa/api.ts';
import { newId } from '../../infra/ids.ts';
import { createLogger } from '../../infra/log.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { createPool } from '../../infra/postgres.ts';
import { signatureFault } from '../../infra/standardWebhooks.ts';
import { validator } from '../../infra/validation.ts';
import { TEST_CARDS } from '../../ops/sandbox/payments/cards.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../ops/sandbox/server.ts';
import { freshDatabase } from '../kit/databases.ts';
import { type Recorder, startRecorder } from './recorder.ts';

const log = createLogger({ level: 'silent' });
const SECRET = 'not-a-secret-of-the-tests';
const RETURN_URL = 'https://shop.example/back?order=7&from=pay';
const SHOP = `Basic ${Buffer.from('shop:key').toString('base64')}`;
const isNotification = validator(Notification);

let shop: Recorder;
let sandbox: Sandbox;
const start = (over: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
  startSandbox({ port: 0, webhookUrl: shop.url, webhookSecret: SECRET, log, ...over });

beforeAll(async () => {
  shop = await startRecorder({ status: 200 });
  sandbox = await start();
});
beforeEach(async () => {
  shop.answer = { status: 200 };
  await control('notifications', { mode: 'normal', delay_ms: 2_000 });
});
afterAll(async () => {
  await sandbox.stop();
  await shop.stop();
});

const control = async (what: 'notifications' | 'failures', body: object, at = sandbox): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${at.address}/sandbox/${what}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return response.status;
};

const call = async (
  path: string,
  body?: object,
  at = sandbox,
  key = newId(),
): Promise<{ status: number; object: Payment }> => {
  const response = await fetch(`${at.address}/yookassa/v3${path}`, {
    headers: { authorization: SHOP, ...(body && { 'idempotence-key': key, 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, object: (await response.json()) as Payment };
};

const create = async (over: Partial<CreatePayment> = {}, at = sandbox): Promise<Payment> => {
  const { status, object } = await call(
    '/payments',
    {
      amount: { value: '54600.00', currency: 'RUB' },
      capture: true,
      description: 'Three nights',
      confirmation: { type: 'redirect', return_url: RETURN_URL },
      ...over,
    },
    at,
  );
  expect(status).toBe(200);
  return object;
};
const read = async (id: string, at = sandbox): Promise<Payment> =>
  (await call(`/payments/${id}`, undefined, at)).object;
const pageOf = (payment: Payment): string => payment.confirmation?.confirmation_url ?? '';
const post = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
const CARD = { action: 'pay', card_number: '5555 5555 5555 4477', expiry: '12/40', cvc: '123' };

/** The notifications about a payment so far, oldest first. */
const eventsOf = (id: string): string[] =>
  shop.requests
    .map(({ rawBody }) => JSON.parse(rawBody.toString()) as Notification)
    .filter(({ object }) => object.id === id || ('payment_id' in object && object.payment_id === id))
    .map(({ event }) => event);
const untilNotified = (id: string, events: string[]) => expect.poll(() => eventsOf(id)).toEqual(events);

describe('the payment page', () => {
  test('shows amount, merchant and expiry, is marked as a test, and loads nothing from elsewhere', async () => {
    const payment = await create();
    const response = await fetch(pageOf(payment));
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toContain('SANDBOX');
    expect(text).toMatch(/RUB\s54,600</);
    expect(text).toContain('Resort Booking');
    expect(text).toContain('Three nights');
    expect(text).toMatch(/Pay by <time datetime="[^"]+">\d\d:\d\d UTC/);
    expect(text).toContain('value="5555 5555 5555 4477"');
    expect(text).not.toMatch(/<script|src=|url\(|https?:/);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    // Without the shop's origin, browsers would block the redirect after the form.
    expect(policy).toContain("form-action 'self' https://shop.example;");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('escapes texts of the shop', async () => {
    const payment = await create({ description: '<script>alert("1")</script>' });
    const text = await (await fetch(pageOf(payment))).text();
    expect(text).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(text).not.toContain('<script');
  });

  test.each([
    ['approve', 'succeeded', 'payment.succeeded'],
    ['decline', 'canceled', 'payment.canceled'],
  ])('action=%s finishes it in one step', async (action, status, event) => {
    const payment = await create();
    const response = await post(pageOf(payment), { action });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(RETURN_URL);
    expect(await read(payment.id)).toMatchObject({ status });
    await untilNotified(payment.id, [event]);
  });

  test('only redirects after a second submit of a finished payment', async () => {
    const payment = await create();
    await post(pageOf(payment), { action: 'approve' });
    const after = await read(payment.id);
    for (const form of [{ action: 'approve' }, { action: 'decline' }, CARD]) {
      const response = await post(pageOf(payment), form);
      expect([response.status, response.headers.get('location')]).toEqual([303, RETURN_URL]);
    }
    expect(await read(payment.id)).toEqual(after);
    await untilNotified(payment.id, ['payment.succeeded']);
    const text = await (await fetch(pageOf(payment))).text();
    expect(text).toContain('Paid');
    expect(text).toContain('href="https://shop.example/back?order=7&amp;from=pay"');
  });

  test('finishes a payment once when it is submitted twice at the same time', async () => {
    const payment = await create();
    await Promise.all(Array.from({ length: 8 }, () => post(pageOf(payment), { action: 'approve' })));
    await untilNotified(payment.id, ['payment.succeeded']);
  });

  test('pays by a card with 3-D Secure after the approval', async () => {
    const payment = await create();
    const response = await post(pageOf(payment), CARD);
    expect([response.status, response.headers.get('location')]).toEqual([303, `/pay/${payment.id}`]);
    const text = await (await fetch(pageOf(payment))).text();
    expect(text).toContain('3-D Secure');
    expect(text).toContain('ending in 4477');
    expect(await read(payment.id)).toMatchObject({ status: 'pending', paid: false });
    expect((await post(pageOf(payment), { action: 'approve' })).headers.get('location')).toBe(RETURN_URL);
    expect(await read(payment.id)).toMatchObject({
      status: 'succeeded',
      payment_method: { type: 'bank_card', card: { first6: '555555', last4: '4477', card_type: 'MasterCard' } },
    });
  });

  test('declines a card with 3-D Secure after the refusal', async () => {
    const payment = await create();
    await post(pageOf(payment), CARD);
    await post(pageOf(payment), { action: 'decline' });
    const cancellation_details = { party: 'payment_network', reason: '3d_secure_failed' };
    expect(await read(payment.id)).toMatchObject({ status: 'canceled', cancellation_details });
  });

  test('gives every test card the documented outcome', async () => {
    for (const card of TEST_CARDS) {
      const payment = await create();
      await post(pageOf(payment), { ...CARD, card_number: card.number });
      if (card.challenge) await post(pageOf(payment), { action: 'approve' });
      const { status, cancellation_details } = await read(payment.id);
      expect([card.number, status, cancellation_details]).toEqual([
        card.number,
        card.decline ? 'canceled' : 'succeeded',
        card.decline,
      ]);
    }
  });

  test.each<[string, Record<string, string>]>([
    ['any other card', { ...CARD, card_number: '4242424242424242' }],
    ['a month that is over', { ...CARD, expiry: '01/20' }],
    ['no month', { ...CARD, expiry: '13/40' }],
    ['no security code', { ...CARD, cvc: '' }],
    ['no action', {}],
    ['another action', { action: 'steal' }],
  ])('says what is wrong: %s', async (_, form) => {
    const payment = await create();
    const response = await post(pageOf(payment), form);
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text).toContain('role="alert"');
    expect(text).not.toContain('4242424242424242');
    expect(await read(payment.id)).toMatchObject({ status: 'pending' });
  });

  test.each([
    ['sbp', 'Fast payment system'],
    ['yoo_money', 'Wallet'],
  ] as const)('%s has no card form', async (type, title) => {
    const payment = await create({ payment_method_data: { type } });
    const text = await (await fetch(pageOf(payment))).text();
    expect(text).toContain(title);
    expect(text).not.toContain('card_number');
    await post(pageOf(payment), { action: 'approve' });
    expect(await read(payment.id)).toMatchObject({ status: 'succeeded', payment_method: { type } });
  });

  test('answers 404 for an unknown payment, to GET and POST', async () => {
    for (const response of [
      await fetch(`${sandbox.address}/pay/${newId()}`),
      await post(`${sandbox.address}/pay/${newId()}`, { action: 'approve' }),
    ]) {
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toContain('text/html');
    }
  });

  test('charges a saved card without the payer', async () => {
    const first = await create({ save_payment_method: true });
    await post(pageOf(first), { action: 'approve' });
    const again = await create({ payment_method_id: first.id });
    expect(again).toMatchObject({ status: 'succeeded', payment_method: { id: first.id, saved: true } });
    const other = { amount: { value: '1.00', currency: 'RUB' }, payment_method_id: again.id };
    expect((await call('/payments', other)).status).toBe(400);
  });

  test('shows an expired payment after its time', async () => {
    const hasty = await start({ confirmWithinMs: 1 });
    const payment = await create({}, hasty);
    await untilNotified(payment.id, ['payment.canceled']);
    const response = await post(pageOf(payment), { action: 'approve' });
    expect(response.headers.get('location')).toBe(RETURN_URL);
    expect(await read(payment.id, hasty)).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'yoo_money', reason: 'expired_on_confirmation' },
    });
    await hasty.stop();
  });
});

describe('the API', () => {
  const good = {
    amount: { value: '1.00', currency: 'RUB' },
    confirmation: { type: 'redirect', return_url: RETURN_URL },
  };
  test.each<[string, object, string]>([
    ['no amount', { ...good, amount: undefined }, 'amount'],
    ['no confirmation', { ...good, confirmation: undefined }, 'confirmation'],
    ['nothing to pay', { ...good, amount: { value: '0.00', currency: 'RUB' } }, 'amount.value'],
    ['an amount as a number', { ...good, amount: { value: 1, currency: 'RUB' } }, 'amount.value'],
    ['a long description', { ...good, description: 'x'.repeat(129) }, 'description'],
    [
      'a relative return address',
      { ...good, confirmation: { type: 'redirect', return_url: '/x' } },
      'confirmation.return_url',
    ],
    [
      'a script as return address',
      { ...good, confirmation: { type: 'redirect', return_url: 'javascript:alert(1)' } },
      'confirmation.return_url',
    ],
    ['a card of nobody', { ...good, payment_method_id: newId() }, 'payment_method_id'],
  ])('refuses %s', async (_, body, parameter) => {
    const { status, object } = await call('/payments', body);
    expect(status).toBe(400);
    expect(object).toMatchObject({ type: 'error', code: 'invalid_request', parameter });
  });

  test('separates shops', async () => {
    const payment = await create();
    const authorization = `Basic ${Buffer.from('other:key').toString('base64')}`;
    const response = await fetch(`${sandbox.address}/yookassa/v3/payments/${payment.id}`, {
      headers: { authorization },
    });
    expect(response.status).toBe(404);
  });

  test.each([
    ['no key', {}, 401],
    ['no idempotence key', { authorization: SHOP }, 400],
    ['one that is too long', { authorization: SHOP, 'idempotence-key': 'x'.repeat(65) }, 400],
    ['a form', { authorization: SHOP, 'idempotence-key': 'f', 'content-type': 'text/plain' }, 415],
    ['broken JSON', { authorization: SHOP, 'idempotence-key': 'j', 'content-type': 'application/json' }, 400],
  ])('answers %s in its own words', async (_, headers: Record<string, string>, status) => {
    const response = await fetch(`${sandbox.address}/yookassa/v3/payments`, { method: 'POST', headers, body: '{"a' });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: 'error' });
  });

  test('captures a part, up to the reserved amount', async () => {
    const payment = await create({ capture: false });
    await post(pageOf(payment), { action: 'approve' });
    const capture = (value: string) => call(`/payments/${payment.id}/capture`, { amount: { value, currency: 'RUB' } });
    expect((await capture('54600.01')).status).toBe(400);
    expect((await capture('600.00')).object).toMatchObject({ status: 'succeeded', amount: { value: '600.00' } });
    await untilNotified(payment.id, ['payment.waiting_for_capture', 'payment.succeeded']);
  });
});

describe('notifications', () => {
  const paid = async (): Promise<Payment> => {
    const payment = await create();
    await post(pageOf(payment), { action: 'approve' });
    return payment;
  };

  test('are signed and complete', async () => {
    const { id } = await paid();
    await untilNotified(id, ['payment.succeeded']);
    const request = shop.requests.find(({ rawBody }) => rawBody.includes(id));
    expect(signatureFault(SECRET, request?.headers ?? {}, request?.rawBody ?? Buffer.of())).toBeUndefined();
    const body: unknown = JSON.parse(request?.rawBody.toString() ?? '');
    expect(isNotification(body)).toBe(true);
    expect(body).toMatchObject({ object: await read(id) });
  });

  test('are repeated until the reply is 200', async () => {
    shop.answer = { status: 503 };
    const { id } = await paid();
    await expect.poll(() => eventsOf(id).length).toBeGreaterThanOrEqual(2);
    shop.answer = { status: 200 };
    await expect.poll(async () => await waiting()).toBe(0);
    expect(new Set(eventsOf(id))).toEqual(new Set(['payment.succeeded']));
    const ids = shop.requests.filter(({ rawBody }) => rawBody.includes(id)).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
  });

  test('are sent twice in the mode doubled', async () => {
    await control('notifications', { mode: 'doubled' });
    const { id } = await paid();
    await untilNotified(id, ['payment.succeeded', 'payment.succeeded']);
  });

  test('are never sent in the mode lost', async () => {
    await control('notifications', { mode: 'lost' });
    const { id } = await paid();
    expect(await waiting()).toBe(0);
    await control('notifications', { mode: 'normal' });
    await call('/refunds', { payment_id: id, amount: { value: '1.00', currency: 'RUB' } });
    await untilNotified(id, ['refund.succeeded']);
  });

  test('are sent late in the mode delayed', async () => {
    await control('notifications', { mode: 'delayed', delay_ms: 300 });
    const before = performance.now();
    const { id } = await paid();
    await untilNotified(id, ['payment.succeeded']);
    expect(performance.now() - before).toBeGreaterThanOrEqual(299);
  });

  test('arrive in the wrong order in the mode reordered', async () => {
    await control('notifications', { mode: 'reordered', delay_ms: 60_000 });
    const { id } = await paid();
    await call('/refunds', { payment_id: id, amount: { value: '1.00', currency: 'RUB' } });
    await untilNotified(id, ['refund.succeeded', 'payment.succeeded']);
  });

  test('cannot be controlled by unknown values or forms', async () => {
    expect(await control('notifications', { mode: 'sideways' })).toBe(400);
    expect(await control('failures', { count: -1 })).toBe(400);
    expect((await post(`${sandbox.address}/sandbox/failures`, { count: '1' })).status).toBe(415);
  });

  const waiting = async (): Promise<number> => {
    const response = await fetch(`${sandbox.address}/sandbox/notifications`);
    return ((await response.json()) as { waiting: number }).waiting;
  };
});

describe('a restart', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  test('loses no payment, key or notification, even after a truncated line', async () => {
    const first = await start({ dataDir });
    shop.answer = { status: 503 };
    const body = {
      amount: { value: '5.00', currency: 'RUB' },
      confirmation: { type: 'redirect', return_url: RETURN_URL },
    };
    const { object: pending } = await call('/payments', body, first, 'the-key');
    const paid = await create({}, first);
    await post(pageOf(paid), { action: 'approve' });
    await expect.poll(() => eventsOf(paid.id).length).toBeGreaterThan(0);
    await first.stop();
    const file = join(dataDir, 'sandbox', 'sandbox.v1.jsonl');
    await appendFile(file, '[["payments","cut-sh');

    const second = await start({ dataDir });
    shop.answer = { status: 200 };
    const before = eventsOf(paid.id).length;
    expect(await read(pending.id, second)).toEqual(pending);
    expect((await call('/payments', body, second, 'the-key')).object.id).toBe(pending.id);
    expect(await read(paid.id, second)).toMatchObject({ status: 'succeeded' });
    await expect.poll(() => eventsOf(paid.id).length).toBeGreaterThan(before);
    const page = `${second.address}/pay/${pending.id}`;
    expect((await post(page, { action: 'approve' })).headers.get('location')).toBe(RETURN_URL);
    await second.stop();
    expect(await readFile(file, 'utf8')).not.toContain('cut-sh');
  });

  test('on a taken port is an error that leaves the stored state unchanged', async () => {
    const port = Number(new URL(sandbox.address).port);
    await expect(start({ port, dataDir })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const again = await start({ dataDir });
    await again.stop();
  });
});

describe('text messages', () => {
  test('do not exist without a database, and the page explains how to get some', async () => {
    expect(await (await fetch(`${sandbox.address}/sms`)).json()).toEqual({ messages: [] });
    expect(await (await fetch(sandbox.address)).text()).toContain('Ask for a sign-in code');
  });

  test('are listed by phone, newest first, with the code', async () => {
    const database = await freshDatabase({ isEmpty: true });
    const pool = createPool(database.url, { max: 2, applicationName: 'test', log });
    const withMessages = await start({ pool });
    const at = withMessages.address;
    try {
      expect((await fetch(`${at}/sms`)).status).toBe(503);
      expect((await fetch(at)).status).toBe(200);
      await migrateOps(pool, [sandboxMessageMigrations]);
      const sms = createSandboxSms(pool, log, at);
      await sms.send('+79990000001', 'Your code: 111111');
      await sms.send('+79990000002', 'Your code: 222222 <b>');
      await sms.send('+79990000001', 'Your code: 333333');
      for (const phone of ['+79990000001', '%2B79990000001', '79990000001']) {
        const { messages } = (await (await fetch(`${at}/sms?phone=${phone}`)).json()) as {
          messages: { code: string }[];
        };
        expect(messages.map(({ code }) => code)).toEqual(['333333', '111111']);
      }
      expect(await (await fetch(`${at}/sms?phone=7999`)).json()).toEqual({ messages: [] });
      expect((await fetch(`${at}/sms?phone=1&phone=2`)).status).toBe(400);
      expect(await (await fetch(at)).text()).toContain('Your code: 222222 &lt;b&gt;');
    } finally {
      await withMessages.stop();
      await pool.end();
      await database.drop();
    }
  });
});
