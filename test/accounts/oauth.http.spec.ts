/** What signing in through an identity provider opens, and what it does not. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { caller, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { allow, oauthOf } from './oauth.ts';
import { newPhone } from './sms.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const { begin, end, signInAs } = oauthOf(call);

const someone = (): { subject: string; email: string } => ({
  subject: randomUUID(),
  email: `${randomUUID()}@example.test`,
});
const newAccount = async (more: object): Promise<{ id: string }> => {
  const headers = { 'x-admin-token': 'dev-only-admin-token' };
  const body = { role: 'tourist', first_name: 'Anna', last_name: 'Orlova', ...more };
  return (await call('POST /api/v1/admin/accounts', { headers, body })).body;
};

it('creates a tourist account once for each provider and signs in to it later', async () => {
  const anna = { ...someone(), first_name: 'Anna', last_name: 'Orlova', email_verified: 'true' };
  const begun = await begin('yandex');
  expect(begun).toMatchObject({ status: 302, body: { expires_in: 600 } });
  const asked = new URL(begun.headers.get('location') ?? '');
  expect(asked.href).toBe(begun.body.authorization_url);
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: expect.stringMatching(/\/api\/v1\/auth\/oauth\/yandex\/callback$/),
  });

  const first = await end('yandex', await allow(begun, anna));
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  expect(first.body).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    device_token: expect.any(String),
    token_type: 'bearer',
    expires_in: 3_600,
    user: {
      id: expect.any(String),
      email: anna.email,
      phone: null,
      role: 'tourist',
      first_name: 'Anna',
      last_name: 'Orlova',
      language: 'en',
    },
  });
  const me = await call('GET /auth/me', { token: first.body.access_token });
  expect(me.body).toMatchObject({ ...first.body.user, has_password: false });

  const again = await signInAs('yandex', { ...anna, email: someone().email });
  expect(again.body.user).toEqual(first.body.user);
  const elsewhere = await signInAs('vk', { ...anna, email: '' });
  expect(elsewhere.body.user).toMatchObject({ email: null });
  expect(elsewhere.body.user.id).not.toBe(first.body.user.id);
});

it('links the account that was created with the verified e-mail address', async () => {
  const { email, subject } = someone();
  const { id } = await newAccount({ email, password: 'correct horse battery' });
  const unverified = await signInAs('vk', { email, subject: randomUUID(), email_verified: 'false' });
  expect(unverified.body.user).toMatchObject({ email: null });
  expect(unverified.body.user.id).not.toBe(id);
  const verified = await signInAs('vk', { email: email.toUpperCase(), subject, email_verified: 'true' });
  expect(verified.body.user).toMatchObject({ id, email });
  expect((await signInAs('vk', { email: '', subject })).body.user.id).toBe(id);
});

it('gives an address that was entered and not proved to who proves it; the other account stays, and is told', async () => {
  const { email, subject } = someone();
  const phone = newPhone();
  const { id } = await newAccount({ phone, password: 'correct horse battery' });
  const login = { identifier: phone, password: 'correct horse battery' };
  const { access_token: token } = (await call('POST /auth/login', { body: login })).body;
  expect((await call('PUT /api/v1/users/me', { token, body: { email } })).status).toBe(200);
  const { status, body } = await signInAs('yandex', { email, subject, email_verified: 'true' });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.user).toMatchObject({ email });
  expect(body.user.id).not.toBe(id);

  expect((await call('GET /auth/me', { token })).body).toMatchObject({ id, email: null, phone });
  const told = 'Somebody else has proved that your e-mail address is theirs, and it was removed';
  await until(async () => {
    const { data } = (await call('GET /api/v1/notifications', { token })).body;
    return data.some(({ title }: { title: string }) => title === told);
  });
  const other = someone();
  expect((await call('PUT /api/v1/users/me', { token, body: { email: other.email } })).body.email).toBe(other.email);
  expect((await call('POST /auth/login', { body: { ...login, identifier: email } })).status).toBe(422);
});

it.each(['admin', 'hotelier'] as const)(
  'never opens an account with the role %s by the word of a provider',
  async (role) => {
    const { email, subject } = someone();
    const password = 'correct horse battery';
    const { id } = await newAccount({ email, password, role });
    const vouched = { email, subject, email_verified: 'true' };
    expect(await signInAs('vk', vouched)).toMatchObject({ status: 403, body: { code: 'sign_in_to_link' } });
    const { access_token: token } = (await call('POST /auth/login', { body: { identifier: email, password } })).body;
    const begun = await call('POST /api/v1/me/sign-in-methods/links', { token, body: { provider: 'vk' } });
    const answer = Object.fromEntries((await allow(begun, vouched)).searchParams);
    const linked = await call('POST /api/v1/me/sign-in-methods', { token, body: { provider: 'vk', answer } });
    expect(linked.status, JSON.stringify(linked.body)).toBe(200);
    expect((await signInAs('vk', vouched)).body.user).toMatchObject({ id, role });
  },
);

it('stops opening an account that was linked by its address once it gets a role that can harm others', async () => {
  const { email, subject } = someone();
  const { id } = await newAccount({ email, password: 'correct horse battery' });
  const vouched = { email, subject, email_verified: 'true' };
  expect((await signInAs('yandex', vouched)).body.user).toMatchObject({ id });
  const admin = { token: await signIn(call, demo, 'admin'), body: { role: 'hotelier' } };
  expect((await call(`PUT /api/v1/admin/accounts/${id}/role`, admin)).status).toBe(200);
  expect(await signInAs('yandex', vouched)).toMatchObject({ status: 403, body: { code: 'sign_in_to_link' } });
});

it('accepts a callback once, only for its own provider, and only with a valid code', async () => {
  const anna = { ...someone(), email_verified: 'true' };
  const answer = await allow(await begin('yandex'), anna);
  const refused = async (provider: string, search: string) => {
    const { status, body } = await end(provider, { search });
    expect(status, search).toBe(422);
    expect(body).toMatchObject({ code: 'wrong_credentials', detail: expect.any(String) });
  };
  await refused('vk', answer.search);
  expect((await end('yandex', answer)).status).toBe(200);
  await refused('yandex', answer.search);

  const stateOf = async () => new URL((await begin('yandex')).body.authorization_url).searchParams.get('state');
  await refused('yandex', `?code=forged&state=${await stateOf()}`);
  await refused('yandex', `?state=${await stateOf()}`);
  await refused('yandex', '?code=x&state=never-begun');
  await refused('yandex', '');
  await refused('yandex', (await allow(await begin('yandex'), { ...anna, action: 'refuse' })).search);
  // A code of somebody else's flow does not fit the verifier of this one.
  const stolen = (await allow(await begin('yandex'), anna)).searchParams.get('code');
  await refused('yandex', `?code=${stolen}&state=${await stateOf()}`);
});

it('accepts only allowed return URLs and known providers', async () => {
  for (const bad of ['https://evil.test/', 'nonsense', `${runtime.api}/signed-in?next=1`])
    expect((await begin('yandex', `?return_url=${encodeURIComponent(bad)}`)).status, bad).toBe(422);
  const page = `${runtime.api}/signed-in`;
  const back = await allow(await begin('vk', `?return_url=${encodeURIComponent(page)}`), someone());
  expect(back.href.startsWith(`${page}?`)).toBe(true);
  expect((await end('vk', back)).status).toBe(200);
  for (const path of ['', '/callback?code=x&state=y']) {
    const { status, body } = await call(`GET /auth/oauth/nobody${path}`);
    expect(status).toBe(404);
    expect(body.detail).toContain('provider');
  }
});
