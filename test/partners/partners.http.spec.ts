/** API keys: creation, scopes, domains, rotation and revocation; conditional requests. */
import { beforeAll, describe, expect, it } from 'vitest';
import { caller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const HOTELS = 'GET /ota/v1/hotels?per_page=1';
const scopes = ['hotels:read', 'rooms:read', 'availability:read'];

let admin: string;
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
});

const createKey = async (changes: object = {}) => {
  const body = { name: 'Test partner', scopes, ...changes };
  return (await call('POST /api/v1/admin/api-keys', { token: admin, body })).body;
};
const statusWith = async (key: string, headers: Record<string, string> = {}, request = HOTELS) =>
  (await call(request, { apiKey: key, headers })).status;

describe('a key', () => {
  it('is shown once and works at once', async () => {
    const issued = await createKey();
    expect(issued.key).toMatch(/^rk_live_[0-9a-f]{32}_[0-9a-f]{64}$/);
    expect(await statusWith(issued.key)).toBe(200);
    const listed = await call('GET /api/v1/admin/api-keys?per_page=100', { token: admin });
    const [row] = listed.body.data.filter((one: { id: string }) => one.id === issued.id);
    expect(row).toMatchObject({ name: 'Test partner', revoked_at: null, last_used_at: expect.any(String) });
    expect(JSON.stringify(listed.body)).not.toContain(issued.key.slice(-64));
  });

  it.each([
    ['none', ''],
    ['nonsense', 'rk_live_nonsense'],
    ['an unknown one', `rk_live_${'0'.repeat(32)}_${'0'.repeat(64)}`],
  ])('is needed: %s is 401', async (_, key) => {
    const { status, headers } = await call(HOTELS, key ? { apiKey: key } : {});
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^ApiKey/);
  });

  it('requires its own secret', async () => {
    const issued = await createKey();
    expect(await statusWith(issued.key.slice(0, -1) + (issued.key.endsWith('0') ? '1' : '0'))).toBe(401);
  });

  it('gives access to its scopes only', async () => {
    const { key } = await createKey({ scopes: ['hotels:read'] });
    const { body } = await call(HOTELS, { apiKey: key });
    expect(await statusWith(key, {}, `GET /ota/v1/hotels/${body.data[0].id}`)).toBe(200);
    expect(await statusWith(key, {}, `GET /ota/v1/hotels/${body.data[0].id}/rooms`)).toBe(403);
  });

  it('works in browsers on its domains only, and on servers anywhere', async () => {
    const { key } = await createKey({ allowed_domains: ['partner.test', '*.partner.test'] });
    expect(await statusWith(key)).toBe(200);
    expect(await statusWith(key, { origin: 'https://partner.test' })).toBe(200);
    expect(await statusWith(key, { origin: 'https://www.partner.test:8443' })).toBe(200);
    expect(await statusWith(key, { referer: 'https://www.partner.test/rooms?x=1' })).toBe(200);
    expect(await statusWith(key, { origin: 'https://evilpartner.test' })).toBe(403);
    expect(await statusWith(key, { referer: 'https://partner.test.evil.test/' })).toBe(403);
    expect(await statusWith(key, { origin: 'null' })).toBe(403);
  });

  it('rotates without a gap: the previous secret stays valid, an older one does not', async () => {
    const first = await createKey();
    const rotate = async () => (await call(`POST /api/v1/admin/api-keys/${first.id}/rotate`, { token: admin })).body;
    const second = await rotate();
    expect(await Promise.all([statusWith(first.key), statusWith(second.key)])).toEqual([200, 200]);
    const third = await rotate();
    expect(await statusWith(third.key)).toBe(200);
    expect(await statusWith(second.key)).toBe(200);
    expect(await statusWith(first.key)).toBe(401);
  });

  it('stops working once revoked', async () => {
    const { id, key } = await createKey();
    expect(await statusWith(key)).toBe(200);
    expect((await call(`DELETE /api/v1/admin/api-keys/${id}`, { token: admin })).status).toBe(204);
    expect(await statusWith(key)).toBe(401);
    expect((await call(`POST /api/v1/admin/api-keys/${id}/rotate`, { token: admin })).status).toBe(409);
  });

  it.each([
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['hotels:write'] }],
    ['a domain that is none', { allowed_domains: ['https://partner.test'] }],
    ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }],
  ])('cannot have %s', async (_, changes) => {
    const body = { name: 'Test partner', scopes, ...changes };
    expect((await call('POST /api/v1/admin/api-keys', { token: admin, body })).status).toBe(422);
  });
});

describe('a conditional request', () => {
  it('is 304 while nothing has changed', async () => {
    const apiKey = demo.partner_key;
    const { body } = await call(HOTELS, { apiKey });
    const request = `GET /ota/v1/hotels/${body.data[0].id}`;
    const first = await call(request, { apiKey });
    expect(first.headers.get('cache-control')).toBe('private, max-age=60');
    const etag = first.headers.get('etag') ?? '';
    const again = await call(request, { apiKey, headers: { 'if-none-match': etag } });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await call(request, { apiKey, headers: { 'if-none-match': `"other", W/${etag}` } })).status).toBe(304);
    expect((await call(request, { apiKey, headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});
