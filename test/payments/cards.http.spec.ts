/** Saved payment methods over HTTP: saved on the page of the provider, chosen as default, removed. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { createPool } from '../../infra/postgres.ts';
import { caller, once, signIn } from '../kit/http.ts';
import { freeRooms } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const PASSWORD = 'correct horse battery';
const METHODS = '/api/v1/payments/methods';

let admin: string;
/** A tourist of this file alone. */
let me: { id: string; token: string };
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  const email = `${randomUUID()}@example.test`;
  const body = { role: 'tourist', email, password: PASSWORD };
  const opened = await call('POST /api/v1/admin/accounts', { token: admin, body });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  const signedIn = await call('POST /auth/login', { body: { identifier: email, password: PASSWORD } });
  me = { id: opened.body.id, token: signedIn.body.access_token };
});

const add = (body: object = {}, headers: Record<string, string> = once()) =>
  call(`POST ${METHODS}`, { token: me.token, headers, body: { method: 'card', provider: 'yookassa', ...body } });
const get = async (id: string) => (await call(`GET ${METHODS}/${id}`, { token: me.token })).body;
const list = async () => (await call(`GET ${METHODS}`, { token: me.token })).body.data;
const fill = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
/** On the provider's page, the bank's question included where the card has one. */
const enter = async (url: string, card_number: string, answer?: 'approve' | 'decline'): Promise<void> => {
  await fill(url, { action: 'pay', card_number, expiry: '12/40', cvc: '123' });
  if (answer) await fill(url, { action: answer });
};
const saved = async (card_number: string, answer?: 'approve', provider = 'yookassa'): Promise<string> => {
  const { status, body } = await add({ provider });
  expect(status, JSON.stringify(body)).toBe(201);
  await enter(body.redirect_url, card_number, answer);
  await until(async () => (await get(body.id)).status === 'active');
  return body.id;
};

describe('saving a card', () => {
  it('redirects the user to the provider, once for one key, and shows the card masked afterwards', async () => {
    const headers = once();
    const { status, body } = await add({}, headers);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({
      user_id: me.id,
      status: 'requires_action',
      default: false,
      brand: null,
      token: body.id,
    });
    expect((await add({}, headers)).body).toEqual(body);
    expect(await get(body.id)).toEqual(body);

    await enter(body.redirect_url, '2200 0000 0000 0004', 'approve');
    const shown = { brand: 'Mir', last4: '0004', exp: '12/40', default: true, status: 'active', redirect_url: null };
    expect(await get(body.id)).toEqual({ ...body, ...shown });
    const { redirect_url, ...row } = { ...body, ...shown };
    await until(async () => (await list()).length === 1);
    expect(await list()).toEqual([row]);
  });

  it('completes with the notification of the provider', async () => {
    const { body } = await add();
    await enter(body.redirect_url, '4111111111111111');
    const listed = async () => (await list()).find((each: { id: string }) => each.id === body.id)?.status;
    await until(async () => (await listed()) === 'active');
  });

  it('that the bank declines fails and is not listed', async () => {
    const { body } = await add();
    await enter(body.redirect_url, '2200 0000 0000 0004', undefined);
    await fill(body.redirect_url, { action: 'decline' });
    expect(await get(body.id)).toMatchObject({ status: 'failed', failure_code: 'not_confirmed', redirect_url: null });
    await until(async () => !(await list()).some((each: { id: string }) => each.id === body.id));
  });

  it.each([
    ['an unknown method', { method: 'cash' }, {}, 422],
    ['a card number', { card_number: '2200000000000004' }, {}, 422],
    ['a provider that is not there', { provider: 'nobody' }, {}, 422],
    ['a return address of a stranger', {}, { 'x-return-url': 'https://evil.test/' }, 422],
  ])('refuses %s', async (_, body, headers: Record<string, string>, status) => {
    const reply = await add(body, headers);
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    expect(reply.body.detail).toEqual(expect.any(String));
  });
});

it('saves a card with a provider that sends no notification: its state is requested on return', async () => {
  const { status, body } = await add({ provider: 'tbank' });
  expect(status, JSON.stringify(body)).toBe(201);
  await enter(body.redirect_url, '2200 0000 0000 0004', 'approve');
  expect(await get(body.id)).toMatchObject({ provider: 'tbank', status: 'active', last4: '0004', exp: '12/40' });
});

it('stores a wallet as a preference, once', async () => {
  const { status, body } = await add({ method: 'wallet' });
  expect(status).toBe(201);
  expect(body).toMatchObject({ method: 'wallet', provider: null, status: 'active', redirect_url: null });
  expect((await add({ method: 'wallet' })).body.id).toBe(body.id);
});

it('changes the default, and passes it on when the default is removed', async () => {
  const [first, second] = [await saved('5555555555554444'), await saved('5555 5555 5555 4477', 'approve')];
  const makeDefault = await call(`POST ${METHODS}/${first}/default`, { token: me.token });
  expect(makeDefault.status).toBe(200);
  expect(makeDefault.body).toMatchObject({ id: first, default: true });
  expect((await list()).map((each: { default: boolean }) => each.default).slice(0, 2)).toEqual([true, false]);

  for (const _ of ['once', 'again'])
    expect((await call(`DELETE ${METHODS}/${first}`, { token: me.token })).status).toBe(204);
  expect((await list())[0]).toMatchObject({ id: second, default: true });
  expect((await call(`GET ${METHODS}/${first}`, { token: me.token })).status).toBe(404);
  expect((await call(`POST ${METHODS}/${first}/default`, { token: me.token })).status).toBe(404);
});

describe('paying with a saved card', () => {
  let stay: { item_id: string; check_in: string; check_out: string };
  beforeAll(async () => {
    // One with places for all the bookings of these tests, whatever other files have booked.
    for await (const { roomId, roomsLeft, checkIn, checkOut } of freeRooms(call, demo, 1, 1, 33)) {
      stay = { item_id: roomId, check_in: checkIn, check_out: checkOut };
      if (roomsLeft >= 6) break;
    }
  });
  const book = async (): Promise<string> => {
    const input = { type: 'hotel', ...stay, guests: 1 };
    const { status, body } = await call('POST /api/v1/bookings/create', {
      token: me.token,
      headers: once(),
      body: input,
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  };
  const payBy = (payment_method_id: string, booking_id: string) =>
    call('POST /api/v1/payments/process', {
      token: me.token,
      headers: once(),
      body: { booking_id, payment_method_id },
    });

  it.each(['yookassa', 'tbank'])('needs no payment page with %s', async (provider) => {
    const card = await saved('2200 0000 0000 0004', 'approve', provider);
    const booking = await book();
    const { status, body } = await payBy(card, booking);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ status: 'succeeded', redirect_url: null, method: 'card', provider });
    await until(
      async () => (await call(`GET /api/v1/bookings/${booking}`, { token: me.token })).body.status === 'paid',
    );
  });

  it('fails without funds, and another method can be used', async () => {
    const [empty, full] = [await saved('5555555555554600'), await saved('5555555555554444')];
    const booking = await book();
    const { body } = await payBy(empty, booking);
    expect(body).toMatchObject({ status: 'failed', redirect_url: null });
    expect((await payBy(full, booking)).body).toMatchObject({ status: 'succeeded' });
  });

  it('is refused for removed, unconfirmed and foreign cards', async () => {
    const [removed, mine] = [await saved('5555555555554444'), await saved('5555555555554444')];
    const booking = await book();
    await call(`DELETE ${METHODS}/${removed}`, { token: me.token });
    expect((await payBy(removed, booking)).status).toBe(404);
    expect((await payBy((await add()).body.id, booking)).status).toBe(409);
    const token = await signIn(call, demo, 'tourist2');
    const body = { booking_id: booking, payment_method_id: mine };
    expect((await call('POST /api/v1/payments/process', { token, body })).status).toBe(404);
  });
});

it('hides saved methods from other users', async () => {
  const id = await saved('2202474301322987');
  const other = await signIn(call, demo, 'tourist2');
  for (const request of [`GET ${METHODS}/${id}`, `POST ${METHODS}/${id}/default`, `DELETE ${METHODS}/${id}`])
    expect((await call(request, { token: other })).status, request).toBe(404);
  expect((await call(`GET ${METHODS}/me`, { token: me.token })).status).toBe(422);
});

it('stores no token of a provider in any table', async () => {
  const { body } = await add();
  const token = new URL(body.redirect_url).pathname.split('/').at(-1) ?? '';
  expect(token).toMatch(/^[0-9a-f-]{36}$/);
  await enter(body.redirect_url, '4111111111111111');
  await until(async () => (await get(body.id)).status === 'active');
  const pool = createPool(runtime.databaseUrl, {
    max: 1,
    applicationName: 'test',
    log: createLogger({ level: 'silent' }),
  });
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('ops', 'read')`,
  );
  const holding: string[] = [];
  for (const { name } of rows) {
    const found = await pool.query(`select 1 from ${name} t where t::text like $1 limit 1`, [`%${token}%`]);
    if (found.rowCount) holding.push(name);
  }
  await pool.end();
  expect(rows.length).toBeGreaterThan(20);
  expect(holding).toEqual([]);
});

it('shows auditors the event without the token', async () => {
  const { body } = await call(`GET /api/v1/audit/streams/savedMethods-${me.id}`, { token: admin });
  const text = JSON.stringify(body);
  expect(text).toContain('PaymentMethodActivated');
  const headers = { 'x-reason': 'a test of cards' };
  const state = await call(`GET /api/v1/audit/streams/savedMethods-${me.id}/state`, { token: admin, headers });
  expect(state.body.state.methods[0]).toMatchObject({ last4: '0004', tokenSecret: '[hidden]' });
});
