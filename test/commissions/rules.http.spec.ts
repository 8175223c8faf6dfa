/** Commission rules and payment settings over HTTP. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caller, once, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const PASSWORD = 'correct horse battery';

let admin: string;
let tourist: string;
/** A hotelier of this file alone. */
let owner: { id: string; token: string };

beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  tourist = await signIn(call, demo, 'tourist');
  const email = `${randomUUID()}@example.test`;
  const opened = await call('POST /api/v1/admin/accounts', {
    token: admin,
    body: { role: 'hotelier', email, password: PASSWORD },
  });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  const { body } = await call('POST /auth/login', { body: { identifier: email, password: PASSWORD } });
  owner = { id: opened.body.id, token: body.access_token };
});

/** 200, and the body. */
const ok = async (request: string, body?: object, token = admin) => {
  const reply = await call(request, { token, ...(body && { body }) });
  expect(reply.status, `${request}: ${JSON.stringify(reply.body)}`).toBe(200);
  return reply.body;
};
const status = async (request: string, body?: object, token = admin) =>
  (await call(request, { token, ...(body && { body }) })).status;

const roomOfOwner = async (): Promise<string> => {
  const hotelId = await newHotel(call, owner.token);
  return newRoom(call, owner.token, { hotelId, units: 9, price: 100 });
};
const book = async (roomId: string) => {
  const { body } = await call('POST /api/v1/bookings/create', {
    token: tourist,
    headers: once(),
    body: { type: 'hotel', item_id: roomId, check_in: day(20), check_out: day(21), guests: 1 },
  });
  return body as { id: string };
};

describe('commissions', () => {
  const path = '/api/v1/admin/commissions';
  const ofOwner = () => `${path}/owners/${owner.id}`;
  afterAll(async () => {
    await call(`DELETE ${path}/global`, { token: admin });
    await call(`PUT ${path}/roles`, { token: admin, body: { rates: [] } });
  });

  it('follow the first rule that exists, and a booking keeps its own', async () => {
    const preview = () => ok(`GET ${path}/preview?owner_id=${owner.id}&type=hotel&total=100.01`);
    expect(await preview()).toMatchObject({ rule: 'default', rate_bps: 1_000, rate_percent: 10 });
    expect(await ok(`GET ${path}/global`)).toEqual({ rule: 'default', rate_bps: 1_000, rate_percent: 10 });

    await ok(`PUT ${path}/global`, { rate_percent: 9.5 });
    expect(await preview()).toMatchObject({ rule: 'global', rate_bps: 950 });
    const rates = [
      { role: 'hotelier', rate_bps: 800 },
      { role: 'restaurateur', type: 'restaurant', rate_percent: 5 },
    ];
    const roles = await ok(`PUT ${path}/roles`, { rates });
    expect(roles.rates[1]).toEqual({ role: 'restaurant', type: 'restaurant', rate_bps: 500, rate_percent: 5 });
    expect(await ok(`GET ${path}/roles`)).toEqual(roles);
    expect(await preview()).toMatchObject({ rule: 'role', rate_bps: 800 });
    await ok(`PUT ${path}/roles`, { rates: [...roles.rates, { role: 'hotelier', type: 'hotel', rate_bps: 700 }] });
    expect(await preview()).toMatchObject({ rule: 'type_role', rate_bps: 700 });

    const own = { owner_id: owner.id, rule: 'owner', rate_bps: 1_234, rate_percent: 12.34 };
    expect(await ok(`PUT ${ofOwner()}`, { rate_percent: 12.34 })).toEqual(own);
    expect(await ok(`GET ${ofOwner()}`)).toEqual(own);
    expect(await preview()).toEqual({
      rule: 'owner',
      rate_bps: 1_234,
      rate_percent: 12.34,
      total: 100.01,
      total_minor: 10_001,
      commission: 12.34,
      commission_minor: 1_234,
      provider: 87.67,
      provider_minor: 8_767,
      currency: 'RUB',
    });

    const room = await roomOfOwner();
    const first = await book(room);
    const shares = { commission: 12.34, commission_minor: 1_234, provider: 87.66, provider_minor: 8_766 };
    const kept = { rule: 'owner', rate_bps: 1_234, ...shares };
    const commissionOf = async ({ id }: { id: string }) =>
      (await ok(`GET /api/v1/bookings/${id}`, undefined, owner.token)).commission;
    expect(await commissionOf(first)).toEqual(kept);
    expect(await status(`DELETE ${ofOwner()}`)).toBe(204);
    expect(await status(`GET ${ofOwner()}`)).toBe(404);
    expect(await commissionOf(await book(room))).toMatchObject({ rule: 'type_role', rate_bps: 700 });
    expect(await commissionOf(first)).toEqual(kept);
  });

  it('are listed with their history', async () => {
    const { data, total, history, ...rest } = await ok(`GET ${path}?per_page=2`);
    expect(rest).toEqual({ page: 1, per_page: 2, default: { rule: 'default', rate_bps: 1_000, rate_percent: 10 } });
    expect(total).toBe(4);
    const by = { updated_by: demo.accounts.admin.id, updated_at: expect.any(String) };
    expect(data).toEqual([
      { rule: 'global', owner_id: null, role: null, type: null, rate_bps: 950, rate_percent: 9.5, ...by },
      { rule: 'role', owner_id: null, role: 'hotelier', type: null, rate_bps: 800, rate_percent: 8, ...by },
    ]);
    const change = { actor_id: demo.accounts.admin.id, actor_role: 'admin', rule: 'owner', owner_id: owner.id };
    expect(history.slice(0, 2)).toMatchObject([
      { ...change, rate_bps: null, rate_percent: null },
      { ...change, rate_bps: 1_234, rate_percent: 12.34 },
    ]);
  });

  it.each([
    ['no rate', {}, 422],
    ['two that differ', { rate_bps: 100, rate_percent: 2 }, 422],
    ['two that agree', { rate_bps: 1_000, rate_percent: 10 }, 200],
    ['a thousandth of a percent', { rate_percent: 1.001 }, 422],
    ['more than all', { rate_bps: 10_001 }, 422],
    ['less than nothing', { rate_percent: -1 }, 422],
  ])('%s', async (_, body, expected) => expect(await status(`PUT ${path}/global`, body)).toBe(expected));

  it('are refused for unknown owners and for roles that do not sell', async () => {
    expect(await status(`PUT ${path}/owners/${randomUUID()}`, { rate_bps: 1 })).toBe(404);
    expect(await status(`GET ${path}/preview?owner_id=${randomUUID()}&type=hotel&total=1`)).toBe(404);
    expect(await status(`GET ${path}/preview?owner_id=${owner.id}&type=hotel&total=1.001`)).toBe(422);
    expect(await status(`PUT ${path}/roles`, { rates: [{ role: 'tourist', rate_bps: 1 }] })).toBe(422);
    const twice = {
      rates: [
        { role: 'hotelier', rate_bps: 1 },
        { role: 'hotelier', rate_bps: 2 },
      ],
    };
    expect(await status(`PUT ${path}/roles`, twice)).toBe(422);
  });
});

describe('payment settings', () => {
  const path = '/api/v1/admin/payment-settings';
  const NUMBER = '40702810900000002851';
  const account = {
    nominal_account_bik: '044030827',
    nominal_account_number: NUMBER,
    nominal_account_holder: 'Rule House LLC',
  };
  const shown = { provider: null, tax: null, ...account, nominal_account_number: '****************2851' };
  afterAll(() => call(`PUT ${path}`, { token: admin, body: { payment_provider_default: null } }));

  it('show the default provider and all providers', async () => {
    const before = await ok(`GET ${path}`);
    expect(before).toMatchObject({ payment_provider_default: 'yookassa', provider: 'yookassa' });
    expect(before.providers.map(({ name }: { name: string }) => name)).toEqual(['yookassa', 'tbank']);
    const after = await ok(`PUT ${path}`, { payment_provider_default: 'yookassa' });
    expect(after).toEqual(before);
    expect(await ok(`GET ${path}`)).toEqual(after);
    // null: the provider of the configuration, whose name is shown.
    expect(await ok(`PUT ${path}`, { payment_provider_default: null })).toEqual(before);
    expect(await status(`PUT ${path}`, { payment_provider_default: 'paypal' })).toBe(422);
  });

  it('of an owner can be changed by the owner and by admins, and hide the account number', async () => {
    const own = '/api/v1/provider/payment-settings';
    expect(await ok(`PUT ${own}`, account, owner.token)).toEqual({ owner_id: owner.id, ...shown });
    expect(await ok(`GET ${own}`, undefined, owner.token)).toEqual({ owner_id: owner.id, ...shown });
    const chosen = { owner_id: owner.id, ...shown, provider: 'yookassa' };
    expect(await ok(`PUT ${path}/owners/${owner.id}`, { provider: 'yookassa' })).toEqual(chosen);
    expect(await ok(`GET ${path}/owners/${owner.id}`)).toEqual(chosen);
    for (const part of ['', '/state']) {
      const { body: history } = await call(`GET /api/v1/audit/streams/paymentSettings-${owner.id}${part}`, {
        token: admin,
        headers: { 'x-reason': 'a test of the settings' },
      });
      expect(JSON.stringify(history)).toContain('Rule House LLC');
      expect(JSON.stringify(history)).not.toContain(NUMBER);
    }
    const removed = await ok(
      `PUT ${own}`,
      Object.fromEntries(Object.keys(account).map((name) => [name, null])),
      owner.token,
    );
    expect(removed).toMatchObject({ provider: 'yookassa', nominal_account_bik: null, nominal_account_number: null });
  });

  it('apply to new payments only', async () => {
    const room = await roomOfOwner();
    const choose = (provider: string) => ok(`PUT ${path}/owners/${owner.id}`, { provider });
    const pay = async (): Promise<{ payment_id: string; redirect_url: string }> =>
      ok('POST /api/v1/payments/process', { booking_id: (await book(room)).id, method: 'card' }, tourist);
    const payment = (id: string) => ok(`GET /api/v1/payments/${id}`, undefined, owner.token);
    await choose('tbank');
    const first = await pay();
    await choose('yookassa');
    const second = await pay();
    expect(await payment(second.payment_id)).toMatchObject({ provider: 'yookassa', provider_reason: 'owner' });

    const body = new URLSearchParams({ action: 'approve' });
    await fetch(first.redirect_url, { method: 'POST', body, redirect: 'manual' });
    await until(async () => (await payment(first.payment_id)).status === 'succeeded');
    const refund = await call(`POST /api/v1/payments/${first.payment_id}/refund`, { token: owner.token, body: {} });
    expect(refund.status, JSON.stringify(refund.body)).toBe(202);
    await until(async () => (await payment(first.payment_id)).refunds[0]?.status === 'succeeded');
    expect(await payment(first.payment_id)).toMatchObject({ provider: 'tbank', provider_reason: 'owner' });
  });

  it.each([
    ['nothing', {}],
    ['half an account', { nominal_account_bik: '044030827' }],
    ['an account of another bank', { ...account, nominal_account_bik: '044525225' }],
    ['a number that is none', { ...account, nominal_account_number: '4070281090000000285X' }],
    ['a provider that nobody knows', { provider: 'paypal' }],
  ])('refuse %s', async (_, body) => {
    const reply = await call(`PUT ${path}/owners/${owner.id}`, { token: admin, body });
    expect(reply.status, JSON.stringify(reply.body)).toBe(422);
    expect(JSON.stringify(reply.body)).not.toContain('4070281');
  });

  it('are 404 for an unknown owner', async () => {
    expect(await status(`GET ${path}/owners/${randomUUID()}`)).toBe(404);
    expect(await status(`PUT ${path}/owners/${randomUUID()}`, { provider: 'yookassa' })).toBe(404);
  });
});
