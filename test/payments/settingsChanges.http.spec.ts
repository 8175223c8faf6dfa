/** Over HTTP: a seller who changes where their money goes is told by SMS, and admins see the change. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { newPhone } from '../accounts/sms.ts';
import { caller, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const REVIEW = 'GET /api/v1/admin/payments/review';
const OWN = '/api/v1/provider/payment-settings';
const seller = { id: '', token: '', phone: newPhone() };
let admin: string;

beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  const email = `${randomUUID()}@example.test`;
  const password = 'correct horse battery';
  const { phone } = seller;
  const body = { role: 'hotelier', email, phone, password, first_name: 'Anna', last_name: 'Orlova' };
  const opened = await call('POST /api/v1/admin/accounts', { token: admin, headers: once(), body });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  seller.id = opened.body.id;
  seller.token = (await call('POST /auth/login', { body: { identifier: email, password } })).body.access_token;
});

const change = async (body: object): Promise<void> => {
  const reply = await call(`PUT ${OWN}`, { token: seller.token, body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
};
const listed = async (): Promise<{ id: string; changed: string }[]> => {
  const { status, body } = await call(REVIEW, { token: admin });
  expect(status).toBe(200);
  return body.settings_changes.filter(({ owner_id }: { owner_id: string }) => owner_id === seller.id);
};
const told = async (): Promise<string[]> => {
  const response = await fetch(`${runtime.sandbox}/sms?phone=${encodeURIComponent(seller.phone)}`);
  const { messages } = (await response.json()) as { messages: { text: string }[] };
  return messages.map(({ text }) => text);
};

it('a change of the payment provider and of the bank account', async () => {
  await change({ provider: 'tbank' });
  await change({ provider: 'tbank' });
  const account = { nominal_account_bik: '044030827', nominal_account_number: '40702810900000002851' };
  await change({ ...account, nominal_account_holder: 'Anna Orlova' });

  const changes = await until(async () => {
    const found = await listed();
    return found.length >= 2 && found;
  });
  expect(changes.map(({ changed }) => changed)).toEqual(['bank_account', 'provider']);
  expect(changes[0]).toMatchObject({ changed_by: { kind: 'user', id: seller.id, role: 'hotelier' } });

  const texts = await until(async () => {
    const found = await told();
    return found.length >= 2 && found;
  });
  expect(texts).toHaveLength(2);
  expect(texts).toContainEqual(expect.stringContaining('Another payment provider for your sales'));
  expect(texts).toContainEqual(expect.stringContaining('Another bank account for your payouts'));
  expect(texts.join()).not.toContain('2851');
});

it('tax details are set as a whole, with right check digits, and removed', async () => {
  const tax = { inn: '7707083893', name: 'Anna Orlova', phone: '+78005553535', vat: 'none' };
  const put = (body: object) => call(`PUT ${OWN}`, { token: seller.token, body });
  expect((await put({ tax })).body.tax).toEqual(tax);
  expect((await call(`GET ${OWN}`, { token: seller.token })).body.tax).toEqual(tax);
  for (const wrong of [{ ...tax, inn: '7707083892' }, { inn: tax.inn }])
    expect((await put({ tax: wrong })).status).toBe(422);
  expect((await put({ tax: null })).body.tax).toBeNull();
});

it('is shown to admins only', async () => {
  expect((await call(REVIEW, { token: seller.token })).status).toBe(403);
  expect((await call(REVIEW)).status).toBe(401);
});
