/** The ways to sign in to one's account over HTTP: which addresses there can be, listed, added and removed. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { caller, newTourist, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { allow, oauthOf } from './oauth.ts';
import { newPhone } from './sms.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const { signInAs } = oauthOf(call);
const PASSWORD = 'correct horse battery';
const seedTool = { 'x-admin-token': 'dev-only-admin-token' };

const newPerson = async (more: object = {}) => {
  const body = { role: 'tourist', email: `${randomUUID()}@example.test`, password: PASSWORD, ...more };
  const opened = await call('POST /api/v1/admin/accounts', { headers: seedTool, body });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  const identifier = opened.body.email ?? opened.body.phone;
  const login = () => call('POST /auth/login', { body: { identifier, password: PASSWORD } });
  return { ...opened.body, login, token: (await login()).body.access_token } as {
    readonly id: string;
    readonly email: string;
    readonly token: string;
    readonly login: typeof login;
  };
};

describe('an address that can be taken for the one of somebody else', () => {
  /** In which other software sees `hostel-k…@demo.test`. */
  const alike = (email: string): string[] => [
    email.replace('h', '\uff48'),
    email.replace('s', '\u017f'),
    email.replace('k', '\u212a'),
    email.replace('demo', '\uff44emo'),
    email.replace('.test', '\u3002test'),
    email.replace('demo', 'de\u00admo'),
    email.replace('@', '\u200b@'),
  ];

  it('is refused by every way in, and opens no account', async () => {
    const email = `hostel-k${randomUUID()}@demo.test`;
    const owner = await newPerson({ email });
    const other = await newTourist(call, await signIn(call, demo, 'admin'), 'Boris');
    for (const text of alike(email)) {
      const refused = {
        opened: await call('POST /api/v1/admin/accounts', {
          headers: seedTool,
          body: { role: 'tourist', email: text, password: PASSWORD },
        }),
        entered: await call('PUT /api/v1/users/me', { token: other.token, body: { email: text } }),
        codeSent: await call('POST /auth/email/send-code', { token: other.token, body: { email: text } }),
        invited: await call('POST /api/v1/friends/invite', { token: other.token, body: { email: text } }),
        vouched: await signInAs('vk', { email: text, subject: randomUUID(), email_verified: 'true' }),
        signedIn: await call('POST /auth/login', { body: { identifier: text, password: PASSWORD } }),
      };
      for (const [way, { status, body }] of Object.entries(refused))
        expect(status, `${way} ${JSON.stringify(text)} ${JSON.stringify(body)}`).toBe(422);
    }
    expect((await owner.login()).status).toBe(200);
    const { data } = (await call('GET /api/v1/me/sign-in-methods', { token: owner.token })).body;
    expect(data.map(({ kind }: { kind: string }) => kind)).toEqual(expect.not.arrayContaining(['provider']));
  });

  it('is a phone number of ASCII digits only', async () => {
    for (const phone of ['\uff0b79990000001', '+7\uff19990000001', '+7\u0669990000001'])
      expect((await call('POST /auth/sms/send-code', { body: { phone } })).status, phone).toBe(422);
  });
});

describe('the ways to sign in', () => {
  const listOf = async (token: string) => {
    const { status, body } = await call('GET /api/v1/me/sign-in-methods', { token });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data as { id: string; kind: string; provider: string | null; removable: boolean }[];
  };
  const remove = (token: string, id: string) => call(`DELETE /api/v1/me/sign-in-methods/${id}`, { token });

  it('are listed, oldest first, and removed, but not the last', async () => {
    const { email, token, login } = await newPerson();
    expect(await listOf(token)).toMatchObject([
      { id: 'password', kind: 'password', value: null, removable: false },
      { id: 'email', kind: 'email', value: email, verified: true, removable: false },
    ]);
    expect(await remove(token, 'email')).toMatchObject({ status: 409, body: { code: 'last_way_in' } });
    expect((await remove(token, randomUUID())).status).toBe(404);

    const anna = { email: '', subject: randomUUID() };
    const begun = await call('POST /api/v1/me/sign-in-methods/links', { token, body: { provider: 'yandex' } });
    const answer = Object.fromEntries((await allow(begun, anna)).searchParams);
    const stranger = await newPerson();
    const stolen = { token: stranger.token, body: { provider: 'yandex', answer } };
    expect((await call('POST /api/v1/me/sign-in-methods', stolen)).status).toBe(422);
    const asSignIn = new URLSearchParams(answer);
    expect((await call(`GET /api/v1/auth/oauth/yandex/callback?${asSignIn}`)).status).toBe(422);
    const linked = await call('POST /api/v1/me/sign-in-methods', { token, body: { provider: 'yandex', answer } });
    expect(linked.body.data).toMatchObject([{}, {}, { kind: 'provider', provider: 'yandex', removable: true }]);
    const id = linked.body.data[2].id;
    expect((await signInAs('yandex', anna)).status).toBe(200);

    expect((await remove(token, 'password')).status).toBe(204);
    expect((await login()).status).toBe(422);
    expect((await call('GET /auth/me', { token })).body).toMatchObject({ has_password: false });
    expect(await remove(token, id)).toMatchObject({ status: 409, body: { code: 'last_way_in' } });
    expect((await remove(token, 'email')).status).toBe(204);
    expect(await listOf(token)).toMatchObject([{ id, removable: false }]);
  });

  it('an identity that was removed signs in to another account, and can be linked again', async () => {
    const { id: accountId, email, token } = await newPerson();
    const anna = { email, subject: randomUUID(), email_verified: 'true' };
    expect((await signInAs('vk', anna)).body.user.id).toBe(accountId);
    const id = (await listOf(token)).find(({ kind }) => kind === 'provider')?.id ?? '';
    expect((await remove(token, id)).status).toBe(204);
    const elsewhere = await signInAs('vk', { ...anna, email: '' });
    expect(elsewhere.body.user.id).not.toBe(accountId);
    const begun = await call('POST /api/v1/me/sign-in-methods/links', { token, body: { provider: 'vk' } });
    const answer = Object.fromEntries((await allow(begun, anna)).searchParams);
    const taken = await call('POST /api/v1/me/sign-in-methods', { token, body: { provider: 'vk', answer } });
    expect(taken).toMatchObject({ status: 409, body: { code: 'identity_taken' } });
  });

  it('that somebody else may have added end with a new password, if the person wants that', async () => {
    const { id, email, token } = await newPerson();
    const thief = { email, subject: randomUUID(), email_verified: 'true' };
    expect((await signInAs('yandex', thief)).body.user.id).toBe(id);
    const changed = await call('POST /api/v1/users/password', {
      token,
      body: {
        current_password: PASSWORD,
        new_password: 'another long password',
        unlink_providers: true,
      },
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    const kinds = changed.body.sign_in_methods.map(({ kind }: { kind: string }) => kind);
    expect(kinds.toSorted()).toEqual(['email', 'password']);
    expect((await signInAs('yandex', { ...thief, email: '' })).body.user.id).not.toBe(id);
  });
});

describe('an address that another account has entered and not proved', () => {
  const codeTo = async (email: string): Promise<string> => {
    const mails = async () => {
      const response = await fetch(`${runtime.sandbox}/mails?to=${encodeURIComponent(email)}`);
      return ((await response.json()) as { mails: { code: string | null }[] }).mails;
    };
    // An address may get other e-mails, too.
    return until(async () => (await mails()).find(({ code }) => code)?.code);
  };

  it('is given to the account that proves it; the other keeps its sessions and can prove another', async () => {
    const [loser, owner] = [await newPerson({ phone: newPhone() }), await newPerson()];
    const email = `${randomUUID()}@example.test`;
    const enter = (token: string, body: object) => call('PUT /api/v1/users/me', { token, body });
    expect((await enter(loser.token, { email })).status).toBe(200);
    const refused = await enter(owner.token, { email });
    expect(refused).toMatchObject({ status: 409, body: { code: 'identity_taken' } });
    expect(refused.body.detail).toContain('email_code');
    expect((await call('POST /auth/email/send-code', { token: owner.token, body: { email } })).status).toBe(200);
    const email_code = await codeTo(email);
    const wrong = email_code === '000000' ? '000001' : '000000';
    expect((await enter(owner.token, { email, email_code: wrong })).body.code).toBe('wrong_credentials');
    const proved = await enter(owner.token, { email, email_code });
    expect(proved.status, JSON.stringify(proved.body)).toBe(200);
    expect((await call('GET /auth/me', { token: owner.token })).body).toMatchObject({ email, email_verified: true });

    expect((await call('GET /auth/me', { token: loser.token })).body).toMatchObject({ id: loser.id, email: null });
    expect((await enter(loser.token, { email })).status).toBe(409);
    expect(
      (await call('POST /auth/email/send-code', { token: loser.token, body: { email: `x${email}` } })).status,
    ).toBe(200);
    const other = { email: `x${email}`, email_code: await codeTo(`x${email}`) };
    expect((await enter(loser.token, other)).body.email).toBe(other.email);
  });
});
