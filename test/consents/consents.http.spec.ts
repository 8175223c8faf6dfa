/** Consents over HTTP: asked, given, withdrawn, and asked again. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { caller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);

it('a person answers for each purpose, and is asked again about a new version', async () => {
  const admin = await signIn(call, demo, 'admin');
  const [email, password] = [`${randomUUID()}@example.test`, 'correct horse battery'];
  const account = { role: 'tourist', email, password, first_name: 'Anna', last_name: 'Orlova' };
  expect((await call('POST /api/v1/admin/accounts', { token: admin, body: account })).status).toBe(201);
  const token = (await call('POST /auth/login', { body: { identifier: email, password } })).body.access_token;
  const required = async () =>
    (await call('GET /auth/me', { token })).body.consent_required.map(({ purpose }: { purpose: string }) => purpose);
  const marketing = async () =>
    (await call('GET /api/v1/me/consents', { token })).body.consents.find(
      ({ purpose }: { purpose: string }) => purpose === 'marketing',
    );
  const answer = (granted: boolean, policy_version: string) =>
    call('POST /api/v1/me/consent', {
      token,
      body: { purpose: 'marketing', policy_version, granted },
      headers: { 'user-agent': 'App/1' },
    });

  expect(await required()).toEqual(['data_processing', 'marketing', 'analytics', 'recommendations']);
  const first = (await marketing()).policy_version;
  expect((await answer(true, first)).body).toMatchObject({ granted: true, policy_version: first });
  expect(await marketing()).toMatchObject({ granted: true, must_ask: false });
  expect(await required()).not.toContain('marketing');
  const toldOffers = async () => (await call('GET /api/v1/push/preferences', { token })).body.marketing_consent;
  expect(await toldOffers()).toBe(true);
  expect((await answer(false, first)).status).toBe(201);
  expect(await toldOffers()).toBe(false);
  expect(await marketing()).toMatchObject({ granted: false, must_ask: false });
  expect((await answer(true, first)).status).toBe(201);

  const next = `v-${randomUUID().slice(0, 8)}`;
  const url = 'https://resort.test/marketing';
  const policy = { policy_version: next, url };
  const published = await call('PUT /api/v1/admin/consent-policies/marketing', { token: admin, body: policy });
  expect(published.body).toEqual({ purpose: 'marketing', voluntary: true, ...policy });
  expect((await call('GET /api/v1/consent-policies')).body.data).toContainEqual(published.body);
  expect(await required()).toContain('marketing');
  expect(await marketing()).toMatchObject({ granted: false, answered_version: first, must_ask: true });
  const outdated = await answer(true, first === 'x' ? 'y' : 'x');
  expect([outdated.status, outdated.body.policy_version]).toEqual([409, next]);
  expect((await answer(true, next)).status).toBe(201);

  const { body } = await call('GET /api/v1/me/consents?per_page=2', { token });
  expect(body.total).toBe(4);
  expect(body.data).toMatchObject([
    { purpose: 'marketing', granted: true, policy_version: next, user_agent: 'App/1', ip: expect.any(String) },
    { granted: true, policy_version: first },
  ]);
  expect(
    (await call('POST /api/v1/me/consent', { token, body: { purpose: 'x', policy_version: '1', granted: true } }))
      .status,
  ).toBe(422);
});
