/** From tourist to seller over HTTP: asked for, answered, in effect at the next refresh. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { caller, once, type Reply, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const PASSWORD = 'correct horse battery';
let admin: string;
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
});

const newTourist = async () => {
  const email = `${randomUUID()}@example.test`;
  const body = { role: 'tourist', email, password: PASSWORD };
  expect((await call('POST /api/v1/admin/accounts', { token: admin, body })).status).toBe(201);
  const signedIn = await call('POST /auth/login', { body: { identifier: email, password: PASSWORD } });
  const { access_token: token, refresh_token, user } = signedIn.body;
  return { token, refresh_token, id: user.id };
};
const input = {
  role: 'restaurateur',
  company_name: 'Larch LLC',
  documents: [{ name: 'Licence', url: 'https://files.test/licence.pdf' }],
  comment: 'We open in December.',
};
const ask = (token: string, more: object = {}, headers = once()): Promise<Reply> =>
  call('POST /api/v1/role-requests', { token, headers, body: { ...input, ...more } });
const answer = (id: string, how: 'approve' | 'reject', body: object = {}) =>
  call(`POST /api/v1/admin/role-requests/${id}/${how}`, { token: admin, body });

describe('a role request', () => {
  it('is approved, ends the token of the former role, and takes effect at the next refresh', async () => {
    const { token, refresh_token, id } = await newTourist();
    const headers = once();
    const asked = await ask(token, {}, headers);
    expect(asked.status, JSON.stringify(asked.body)).toBe(201);
    const request = {
      ...input,
      id: asked.body.id,
      account_id: id,
      role: 'restaurant',
      status: 'pending',
      reason: null,
      decided_by: null,
      decided_at: null,
      created_at: expect.any(String),
    };
    expect(asked.body).toEqual(request);
    expect((await ask(token, {}, headers)).body).toEqual(asked.body);
    expect((await ask(token)).body).toMatchObject({ status: 409, code: 'conflict', role_request_id: asked.body.id });
    expect((await call('GET /api/v1/role-requests/me', { token })).body).toMatchObject({ data: [request], total: 1 });
    const listed = await call('GET /api/v1/admin/role-requests?status=pending&per_page=1', { token: admin });
    expect(listed.body.data).toEqual([asked.body]);

    const approved = await answer(asked.body.id, 'approve');
    expect(approved.status, JSON.stringify(approved.body)).toBe(200);
    expect(approved.body).toMatchObject({ status: 'approved', decided_by: demo.accounts.admin.id });
    expect((await answer(asked.body.id, 'approve')).body).toEqual(approved.body);
    expect((await answer(asked.body.id, 'reject', { reason: 'Too late' })).status).toBe(409);

    const sells = async (as: string) => (await call('GET /api/v1/provider/restaurants', { token: as })).status;
    expect(await sells(token)).toBe(401);
    const { body: renewed } = await call('POST /auth/refresh', { body: { refresh_token } });
    expect(await sells(renewed.access_token)).toBe(200);
    expect((await call('GET /auth/me', { token: renewed.access_token })).body.role).toBe('restaurant');
    const own = await call('GET /api/v1/role-requests/me?status=approved', { token: renewed.access_token });
    expect(own.body.data).toEqual([approved.body]);
  });

  it('is rejected with a reason, withdrawn and created again', async () => {
    const { token } = await newTourist();
    const withdraw = async () => (await call('DELETE /api/v1/role-requests/me', { token })).status;
    expect(await withdraw()).toBe(404);
    const first = await ask(token, { documents: undefined, comment: undefined });
    expect((await answer(first.body.id, 'reject')).status).toBe(422);
    const rejected = await answer(first.body.id, 'reject', { reason: 'No licence' });
    expect(rejected.body).toMatchObject({ status: 'rejected', reason: 'No licence', documents: [], comment: null });
    expect(await withdraw()).toBe(409);
    const second = await ask(token);
    expect(second.status).toBe(201);
    expect([await withdraw(), await withdraw()]).toEqual([204, 204]);
    expect((await answer(second.body.id, 'approve')).status).toBe(409);
    const { body } = await call('GET /api/v1/role-requests/me', { token });
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['withdrawn', 'rejected']);
  });

  it.each([
    ['a role that sells nothing', { role: 'tourist' }],
    ['more power than that', { role: 'admin' }],
    ['no company', { company_name: '' }],
    ['a document on an open line', { documents: [{ name: 'x', url: 'http://files.test/x' }] }],
    ['a document that is none', { documents: [{ name: 'x', url: 'javascript:alert(1)' }] }],
  ])('is refused for %s', async (_, wrong) => {
    const token = await signIn(call, demo, 'tourist');
    const reply = await ask(token, wrong);
    expect(reply.status, JSON.stringify(reply.body)).toBe(422);
  });

  it('is refused for users who have the role, and 404 when there is none to answer', async () => {
    expect((await ask(admin)).status).toBe(409);
    expect((await answer(randomUUID(), 'approve')).status).toBe(404);
  });
});

it('accepts the role name of restaurants', async () => {
  const { id } = await newTourist();
  const reply = await call(`PUT /api/v1/admin/accounts/${id}/role`, { token: admin, body: { role: 'restaurateur' } });
  expect(reply.body.role).toBe('restaurant');
});
