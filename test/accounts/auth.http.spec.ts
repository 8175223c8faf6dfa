/** The account interface over HTTP: sign-in, tokens, sign-out, SMS codes, profile, password and administration. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { provedFor } from '../../api/http/harm.ts';
import { routes } from '../../api/modules.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { createLogger } from '../../infra/log.ts';
import { createPool } from '../../infra/postgres.ts';
import { caller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';
import { codeSentTo, newPhone } from './sms.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const PASSWORD = 'correct horse battery';
const seedTool = { headers: { 'x-admin-token': 'dev-only-admin-token' } };

interface Person {
  readonly id: string;
  readonly email: string;
}

const newPerson = async (more: object = {}): Promise<Person> => {
  const email = `${randomUUID()}@example.test`;
  const { status, body } = await call('POST /api/v1/admin/accounts', {
    ...seedTool,
    body: { role: 'tourist', email, first_name: 'Anna', last_name: 'Orlova', password: PASSWORD, ...more },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const login = (identifier: string, password = PASSWORD) => call('POST /auth/login', { body: { identifier, password } });
const tokensOf = async (person: Person) => (await login(person.email)).body as Tokens;
interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}
const statusOf = async (token: string) => (await call('GET /auth/me', { token })).status;
const refresh = (body: object) => call('POST /auth/refresh', { body });

describe('signing in', () => {
  it('returns tokens and the user, and the access token works for /auth/me', async () => {
    const person = await newPerson();
    const { status, headers, body } = await login(`  ${person.email.toUpperCase()} `);
    expect(status).toBe(200);
    expect(headers.get('x-service')).toBe('auth');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      device_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3_600,
      user: {
        id: person.id,
        email: person.email,
        phone: null,
        role: 'tourist',
        first_name: 'Anna',
        last_name: 'Orlova',
        language: 'en',
      },
    });
    const me = await call('GET /api/v1/auth/me', { token: body.access_token });
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({ ...body.user, has_password: true });
  });

  it('accepts a phone number in any notation', async () => {
    const phone = newPhone();
    const person = await newPerson({ phone });
    const spelled = `${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`;
    expect((await login(spelled)).body.user).toMatchObject({ id: person.id, phone });
  });

  it('answers an unknown identifier, a wrong password and malformed data alike', async () => {
    const person = await newPerson();
    const wrong = await login(person.email, 'wrong password');
    expect(wrong.status).toBe(422);
    expect(wrong.body.detail).toEqual(expect.any(String));
    const { request_id, ...answer } = wrong.body;
    for (const identifier of [`${randomUUID()}@example.test`, newPhone(), `nonsense ${randomUUID()}`]) {
      const { status, body } = await login(identifier);
      expect(status).toBe(422);
      expect(body).toEqual({ ...answer, request_id: expect.any(String) });
    }
  });

  it('locks an identifier after five failures, even for the right password, and no other identifier', async () => {
    const [attacked, other] = [await newPerson(), await newPerson()];
    for (let i = 0; i < 5; i += 1) expect((await login(attacked.email, `guess ${i}`)).status).toBe(422);
    const refused = await login(attacked.email);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    expect((await login(other.email)).status).toBe(200);
  });

  it('checks at most five of fifty concurrent guesses', async () => {
    const { email } = await newPerson();
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => (await login(email, `g${i}`)).status),
    );
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  });
});

describe('tokens', () => {
  it('are refused when missing, altered or signed with another key', async () => {
    const { access_token: token } = await tokensOf(await newPerson());
    const [head, claims] = token.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const bad of ['', 'x', `${head}.${claims}.AAAA`, `${none}.${claims}.`]) {
      const { status, headers, body } = await call('GET /auth/me', { token: bad });
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(body.detail).toEqual(expect.any(String));
    }
  });

  it('can be refreshed repeatedly with the refresh token', async () => {
    const { refresh_token } = await tokensOf(await newPerson());
    for (let i = 0; i < 2; i += 1) {
      const { status, body } = await refresh({ refresh_token });
      expect(status).toBe(200);
      expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 3_600 });
      expect(await statusOf(body.access_token)).toBe(200);
    }
    expect((await refresh({ refresh_token: 'never given' })).status).toBe(401);
  });

  it('rotate on request; reuse of the old refresh token ends the session', async () => {
    const person = await newPerson();
    const [mine, elsewhere] = [await tokensOf(person), await tokensOf(person)];
    const first = await refresh({ refresh_token: mine.refresh_token, rotate: true });
    expect(first.body.refresh_token).toEqual(expect.any(String));
    expect(first.body.refresh_token).not.toBe(mine.refresh_token);

    expect((await refresh({ refresh_token: mine.refresh_token })).status).toBe(401);
    expect((await refresh({ refresh_token: first.body.refresh_token })).status).toBe(401);
    expect(await statusOf(first.body.access_token)).toBe(401);
    expect(await statusOf(elsewhere.access_token)).toBe(200);
  });

  it('rotate once for two concurrent requests', async () => {
    const { refresh_token } = await tokensOf(await newPerson());
    const both = await Promise.all([0, 1].map(() => refresh({ refresh_token, rotate: true })));
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

describe('signing out', () => {
  it('ends every session of the user and no other', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const [here, there, others] = [await tokensOf(person), await tokensOf(person), await tokensOf(other)];
    expect((await call('POST /auth/logout', { token: here.access_token })).status).toBe(204);
    for (const { access_token, refresh_token } of [here, there]) {
      expect(await statusOf(access_token)).toBe(401);
      expect((await refresh({ refresh_token })).status).toBe(401);
    }
    expect(await statusOf(others.access_token)).toBe(200);
    expect(await statusOf((await tokensOf(person)).access_token)).toBe(200);
  });

  it('ends only the current session with scope=session', async () => {
    const person = await newPerson();
    const [here, there] = [await tokensOf(person), await tokensOf(person)];
    expect((await call('POST /auth/logout?scope=session', { token: here.access_token })).status).toBe(204);
    expect(await statusOf(here.access_token)).toBe(401);
    expect((await refresh({ refresh_token: here.refresh_token })).status).toBe(401);
    expect(await statusOf(there.access_token)).toBe(200);
  });

  it('requires a token', async () => {
    expect((await call('POST /auth/logout')).status).toBe(401);
  });
});

describe('one-time codes', () => {
  const send = (phone: string) => call('POST /auth/sms/send-code', { body: { phone } });
  const verify = (phone: string, code: string) => call('POST /auth/sms/verify-code', { body: { phone, code } });
  const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('create a tourist account once and sign in to it later', async () => {
    const phone = newPhone();
    const sent = await send(phone);
    expect(sent.status).toBe(200);
    expect(sent.body).toEqual({
      request_id: expect.any(String),
      can_send_in_s: 60,
      code_active: true,
      attempts_left: 5,
    });
    const first = await verify(phone, await codeSentTo(runtime, phone));
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3_600,
      created: true,
      user: { role: 'tourist', phone, email: null },
    });
    const me = await call('GET /auth/me', { token: first.body.access_token });
    expect(me.body).toMatchObject({ ...first.body.user, has_password: false });
  });

  it('do not reveal whether an account exists', async () => {
    const phone = newPhone();
    await newPerson({ phone });
    const [known, unknown] = [await send(phone), await send(newPhone())];
    const { request_id, ...rest } = known.body;
    expect(unknown.body).toEqual({ ...rest, request_id: expect.any(String) });
    const signedIn = await verify(phone, await codeSentTo(runtime, phone));
    expect(signedIn.body.created).toBe(false);
  });

  it('work once and only for their phone number', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    await send(phone);
    const code = await codeSentTo(runtime, phone);
    expect((await verify(other, code)).status).toBe(422);
    const both = await Promise.all([verify(phone, code), verify(phone, code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  it('become invalid after five wrong attempts', async () => {
    const phone = newPhone();
    const { body: sent } = await send(phone);
    const code = await codeSentTo(runtime, phone);
    const status = async () => (await call(`GET /auth/sms/status?request_id=${sent.request_id}`)).body;
    for (let left = 4; left >= 0; left -= 1) {
      expect((await verify(phone, otherThan(code))).status).toBe(422);
      expect(await status()).toMatchObject({ attempts_left: left, code_active: left > 0 });
    }
    expect((await verify(phone, code)).status).toBe(422);
  });

  it('are not sent again within 60 s', async () => {
    const phone = newPhone();
    const begun = performance.now();
    await send(phone);
    const again = await send(phone);
    const passedS = (performance.now() - begun) / 1_000;
    expect(again.status).toBe(429);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThanOrEqual(60 - Math.ceil(passedS));
  });

  it('refuse invalid phone numbers, and report no active code for an unknown request', async () => {
    expect((await send('12345')).status).toBe(422);
    const { status, body } = await call(`GET /auth/sms/status?request_id=${randomUUID()}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ can_send_in_s: 0, code_active: false, attempts_left: 0 });
    expect((await call('GET /auth/sms/status')).status).toBe(422);
  });
});

describe('the profile', () => {
  const change = (token: string, body: object) => call('PUT /api/v1/users/me', { token, body });

  it('updates the given fields and shows them at once', async () => {
    const { access_token: token } = await tokensOf(await newPerson());
    const changed = await change(token, { first_name: 'Anya', language: 'ru' });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ first_name: 'Anya', last_name: 'Orlova', language: 'ru' });
    expect(changed.headers.get('x-projected')).toBeNull();
    expect((await call('GET /auth/me', { token })).body).toMatchObject({ first_name: 'Anya', language: 'ru' });
  });

  it('releases the old e-mail address on a change and refuses one in use', async () => {
    const [anna, boris] = [await newPerson(), await newPerson()];
    const { access_token: token } = await tokensOf(anna);
    expect((await change(token, { email: boris.email })).status).toBe(409);
    expect((await change(token, { email: 'not an address' })).status).toBe(422);
    const next = `${randomUUID()}@example.test`;
    expect((await change(token, { email: next.toUpperCase() })).body.email).toBe(next);
    expect((await login(next)).body.user.id).toBe(anna.id);
    expect((await login(anna.email)).status).toBe(422);

    const successor = await newPerson({ email: anna.email });
    expect(successor.id).not.toBe(anna.id);
    expect((await login(anna.email)).body.user.id).toBe(successor.id);
  });

  it('accepts a phone number only with a code that was sent to it', async () => {
    const { access_token: token } = await tokensOf(await newPerson());
    const phone = newPhone();
    expect((await change(token, { phone })).status).toBe(422);
    await call('POST /auth/sms/send-code', { body: { phone } });
    const changed = await change(token, { phone, phone_code: await codeSentTo(runtime, phone) });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body.phone).toBe(phone);
    expect((await login(phone)).status).toBe(200);
  });

  it('refuses to remove the last way to sign in', async () => {
    const { access_token: token } = await tokensOf(await newPerson());
    expect((await change(token, { email: null })).status).toBe(422);
  });

  it('refuses unknown fields and an empty body', async () => {
    const { access_token: token } = await tokensOf(await newPerson());
    for (const body of [{ role: 'admin' }, {}, { first_name: 7 }]) expect((await change(token, body)).status).toBe(422);
    expect((await call('PUT /api/v1/users/me', { body: { first_name: 'X' } })).status).toBe(401);
  });

  it('gives an address to one of two concurrent requests', async () => {
    const people = await Promise.all([0, 1, 2, 3].map(async () => tokensOf(await newPerson())));
    const email = `${randomUUID()}@example.test`;
    const replies = await Promise.all(people.map(({ access_token }) => change(access_token, { email })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });
});

describe('the password', () => {
  const change = (token: string, body: object) => call('POST /api/v1/users/password', { token, body });

  it('changes at once, revokes old tokens and returns new ones', async () => {
    const person = await newPerson();
    const [here, there] = [await tokensOf(person), await tokensOf(person)];
    const changed = await change(here.access_token, { current_password: PASSWORD, new_password: 'another one 2' });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    for (const { access_token, refresh_token } of [here, there]) {
      expect(await statusOf(access_token)).toBe(401);
      expect((await refresh({ refresh_token })).status).toBe(401);
    }
    expect(await statusOf(changed.body.access_token)).toBe(200);
    expect((await refresh({ refresh_token: changed.body.refresh_token })).status).toBe(200);
    expect((await login(person.email)).status).toBe(422);
    expect((await login(person.email, 'another one 2')).status).toBe(200);
  });

  it('does not change when the current one is wrong or the new one is too short', async () => {
    const { access_token: token } = await tokensOf(await newPerson());
    const wrong = await change(token, { current_password: 'wrong', new_password: 'another one 2' });
    expect(wrong.status).toBe(422);
    expect(wrong.body.code).toBe('wrong_credentials');
    expect((await change(token, { new_password: 'another one 2' })).status).toBe(422);
    expect((await change(token, { current_password: PASSWORD, new_password: 'short' })).status).toBe(422);
    expect(await statusOf(token)).toBe(200);
  });

  it('can be set first with a valid SMS code', async () => {
    const phone = newPhone();
    await call('POST /auth/sms/send-code', { body: { phone } });
    const { body } = await call('POST /auth/sms/verify-code', {
      body: { phone, code: await codeSentTo(runtime, phone) },
    });
    expect((await change(body.access_token, { phone_code: '000000', new_password: PASSWORD })).status).toBe(422);
    expect((await login(phone)).status).toBe(422);
  });
});

describe('a session whose proof is old', () => {
  const age = async (token: string) => {
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const pool = createPool(runtime.databaseUrl, {
      max: 1,
      applicationName: 'test',
      log: createLogger({ level: 'silent' }),
    });
    await pool.query(`update ops.sessions set started_at = now() - interval '6 minutes' where id = $1`, [sid]);
    await pool.end();
  };
  const harmful = routes.filter(({ harm }) => provedFor(harm) && !provedFor(harm)?.fields);
  let old: string;
  beforeAll(async () => {
    const { accounts, password } = demo;
    old = (await login(accounts.admin.email, password)).body.access_token;
    await age(old);
  });

  it.each(harmful.map(({ key }) => key))('may not %s', async (key) => {
    const request = key.replace(/:\w+/g, randomUUID());
    const { status, body } = await call(request, { token: old, ...(!key.startsWith('GET') && { body: {} }) });
    expect(status, JSON.stringify(body)).toBe(403);
    expect(body).toMatchObject({ code: 'fresh_proof_required', detail: expect.stringContaining('/auth/confirm') });
  });

  it('may do everything else, and the rest after it was confirmed', async () => {
    const { access_token: token } = await tokensOf(await newPerson());
    await age(token);
    const change = (body: object) => call('PUT /api/v1/users/me', { token, body });
    expect((await change({ first_name: 'Nina' })).status).toBe(200);
    const email = `${randomUUID()}@example.test`;
    expect((await change({ email })).body.code).toBe('fresh_proof_required');
    expect((await call('POST /auth/confirm', { token, body: { password: 'wrong password' } })).status).toBe(422);
    expect((await change({ email })).status).toBe(403);
    const confirmed = await call('POST /auth/confirm', { token, body: { password: PASSWORD } });
    expect(confirmed.status).toBe(200);
    expect(Date.parse(confirmed.body.fresh_until)).toBeGreaterThan(Date.now() + 4 * MINUTE_MS);
    expect((await change({ email })).status).toBe(200);
  });
});

describe('administration of accounts', () => {
  it('creates accounts with any role, and refuses an address in use', async () => {
    const person = await newPerson({ role: 'hotelier' });
    const again = await call('POST /api/v1/admin/accounts', {
      ...seedTool,
      body: { role: 'tourist', email: person.email.toUpperCase(), password: PASSWORD },
    });
    expect(again.status).toBe(409);
    expect(again.body.code).toBe('identity_taken');
    const nameless = await call('POST /api/v1/admin/accounts', { ...seedTool, body: { role: 'tourist' } });
    expect(nameless.status).toBe(422);
  });

  it('changes a role: tokens of the former role end at once, a refresh gives one of the new role', async () => {
    const person = await newPerson();
    const { access_token: token, refresh_token } = await tokensOf(person);
    const admin = { token: await signIn(call, demo, 'admin'), body: { role: 'admin' } };
    expect((await call(`PUT /api/v1/admin/accounts/${randomUUID()}/role`, admin)).status).toBe(404);
    expect((await call(`PUT /api/v1/admin/accounts/${person.id}/role`, admin)).body.role).toBe('admin');
    expect((await call('GET /api/v1/admin/accounts', { token })).status).toBe(401);
    const { body } = await refresh({ refresh_token });
    expect((await call('GET /api/v1/admin/accounts', { token: body.access_token })).status).toBe(200);
  });

  it('lists accounts newest first, by role and page', async () => {
    const person = await newPerson({ role: 'instructor' });
    const token = await signIn(call, demo, 'admin');
    const { status, body } = await call('GET /api/v1/admin/accounts?role=instructor&per_page=1', { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ page: 1, per_page: 1, data: [{ id: person.id, role: 'instructor' }] });
    expect((await call('GET /api/v1/admin/accounts?page=999999', { token })).body.data).toEqual([]);
    expect((await call('GET /api/v1/admin/accounts?per_page=101', { token })).status).toBe(422);
    expect((await call('GET /api/v1/admin/accounts', { token: await signIn(call, demo, 'tourist') })).status).toBe(403);
  });
});
