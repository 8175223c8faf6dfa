/** Flags, configuration and parts of the product over HTTP, and what apps are told of changes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { caller, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect } from '../realtime/stage.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const sockets: { close(): void }[] = [];
let [admin, tourist, cook] = ['', '', ''];
beforeAll(async () => {
  [admin, tourist, cook] = await Promise.all([
    signIn(call, demo, 'admin'),
    signIn(call, demo, 'tourist'),
    signIn(call, demo, 'restaurant'),
  ]);
});
afterAll(() => {
  for (const socket of sockets) socket.close();
});

const asAdmin = (request: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(request, { token: admin, headers, ...(body !== undefined && { body }) });
const newKey = () => `test.${randomUUID()}`;
const stateFor = async (token: string, key: string, query = '') =>
  (await call(`GET /api/v1/platform/me${query}`, { token })).body.flags[key];

it('a flag is created, switched, explained and deleted, and every app is told', async () => {
  const listening = connect(Number(new URL(runtime.api).port), tourist);
  sockets.push(listening.socket);
  expect(await listening.ask({ type: 'subscribe', channel: 'realtime:platform' })).toMatchObject({
    type: 'subscribed',
  });

  const key = newKey();
  const flag = {
    key,
    description: 'Sellers see the new calendar',
    condition: {
      strategies: [
        {
          name: 'role',
          roles: ['restaurant'],
          constraints: [{ context: 'platform', operator: 'IN', values: ['ios'] }],
        },
      ],
    },
    payload: { variants: [{ name: 'blue', weight: 1, payload: { type: 'json', value: '{"days":7}' } }] },
    expires: '2026-01-01',
  };
  const created = await asAdmin('POST /api/v1/admin/flags', flag);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ ...flag, enabled: false, expired: true });
  expect((await asAdmin('POST /api/v1/admin/flags', { ...flag, description: '' })).status).toBe(409);
  const notice = await until(() =>
    listening.frames.find(
      (frame) =>
        /^platform\./.test(frame.type) && 'data' in frame && (frame.data as { part?: string }).part === 'flags',
    ),
  );
  expect(notice).toMatchObject({ data: { fetch_within_s: 10 } });

  const off = { enabled: false, variant: null, payload: null };
  expect(await stateFor(cook, key, '?platform=ios')).toEqual(off);
  const switched = await asAdmin('PATCH /api/v1/platform/flags', { flags: { [key]: true }, reason: 'Try it' });
  expect(switched.body).toEqual({ flags: { [key]: true } });
  const on = { enabled: true, variant: 'blue', payload: { type: 'json', value: '{"days":7}' } };
  expect(await stateFor(cook, key, '?platform=ios&app_version=1.0.0&language=ru')).toEqual(on);
  expect(await stateFor(cook, key, '?platform=web')).toEqual(off);
  expect(await stateFor(tourist, key, '?platform=ios')).toEqual(off);
  expect((await call('GET /api/v1/platform/config')).body.flags[key]).toEqual(off);

  const explained = await asAdmin(
    `GET /api/v1/admin/flags/${key}/explain?user_id=${demo.accounts.restaurant.id}&platform=web`,
  );
  expect(explained.body).toMatchObject({ enabled: false, reason: 'no_strategy' });
  expect(explained.body.detail).toContain('"platform IN ios" does not hold: the value is web');
  expect((await asAdmin(`GET /api/v1/admin/flags/${key}/explain?user_id=${randomUUID()}`)).status).toBe(404);
  expect((await asAdmin(`GET /api/v1/admin/flags/${newKey()}/explain?user_id=${randomUUID()}`)).status).toBe(404);

  expect((await asAdmin('PATCH /api/v1/platform/flags', { flags: { [newKey()]: true, [key]: false } })).status).toBe(
    404,
  );
  expect((await stateFor(cook, key, '?platform=ios')).enabled).toBe(true);
  const redefined = await asAdmin(`PUT /api/v1/admin/flags/${key}`, { description: 'For everybody' });
  expect(redefined.body).toMatchObject({ enabled: true, expired: false, condition: { strategies: [] } });
  expect(await stateFor(tourist, key)).toEqual({ enabled: true, variant: null, payload: null });
  expect((await asAdmin(`DELETE /api/v1/admin/flags/${key}`)).status).toBe(204);
  expect(await stateFor(tourist, key)).toBeUndefined();
  expect((await asAdmin(`GET /api/v1/admin/flags/${key}`)).status).toBe(404);
});

it('a segment opens a flag to those whom it describes', async () => {
  const body = {
    name: 'Newer apps',
    constraints: [{ context: 'app_version', operator: 'SEMVER_GTE', values: ['2.0.0'] }],
  };
  const { body: segment, status } = await asAdmin('POST /api/v1/admin/flag-segments', body);
  expect(status).toBe(201);
  const key = newKey();
  const condition = { strategies: [{ name: 'default', segments: [segment.id] }] };
  expect((await asAdmin('POST /api/v1/admin/flags', { key, enabled: true, condition })).status).toBe(201);
  expect((await stateFor(tourist, key, '?app_version=2.1.0')).enabled).toBe(true);
  expect((await stateFor(tourist, key, '?app_version=1.9.0')).enabled).toBe(false);
  expect((await asAdmin(`DELETE /api/v1/admin/flag-segments/${segment.id}`)).status).toBe(409);
  const later = { ...body, constraints: [{ ...body.constraints[0], values: ['2.2.0'] }] };
  expect((await asAdmin(`PUT /api/v1/admin/flag-segments/${segment.id}`, later)).status).toBe(200);
  expect((await stateFor(tourist, key, '?app_version=2.1.0')).enabled).toBe(false);
  expect((await asAdmin(`DELETE /api/v1/admin/flags/${key}`)).status).toBe(204);
  expect((await asAdmin(`DELETE /api/v1/admin/flag-segments/${segment.id}`)).status).toBe(204);
});

it('the configuration is patched on condition, shown to everybody, and returned to', async () => {
  const before = await call('GET /api/v1/platform/config');
  expect(before.status).toBe(200);
  expect(before.headers.get('cache-control')).toContain('public');
  const etag = before.headers.get('etag') ?? '';
  const again = await call('GET /api/v1/platform/config', { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);

  const merge = { 'content-type': 'application/merge-patch+json', 'if-match': etag };
  const url = `https://resort.test/${randomUUID()}`;
  const patch = { urls: { help: url }, platforms: { ios: { latest_version: '9.9.9' } }, reason: 'A new help page' };
  const changed = await asAdmin('PATCH /api/v1/platform/config', patch, merge);
  expect(changed.status).toBe(200);
  const { revision } = changed.body;
  expect(revision).toBe(before.body.revision + 1);
  expect((await call('GET /api/v1/platform/config')).body).toMatchObject({
    revision,
    urls: { help: url },
    platforms: { ios: { latest_version: '9.9.9' }, web: { latest_version: before.body.latest_version } },
  });
  const outdated = await asAdmin('PATCH /api/v1/platform/config', { rescue_phone: '113' }, merge);
  expect([outdated.status, outdated.body.code, outdated.body.revision]).toEqual([412, 'outdated_revision', revision]);

  const wrong = async (body: object) => (await asAdmin('PATCH /api/v1/platform/config', body)).status;
  expect(await wrong({ force_update_below: '99.0.0' })).toBe(422);
  expect(await wrong({ modules: { nothing: false } })).toBe(422);
  expect(await wrong({ unknown: 1 })).toBe(422);
  expect(await wrong({ urls: { help: 'javascript:alert(1)' } })).toBe(422);

  const back = await asAdmin('POST /api/v1/admin/platform/config/revert', { revision: revision - 1, reason: 'Typo' });
  expect(back.body).toMatchObject({ revision: revision + 1, urls: before.body.urls });
  const history = await asAdmin('GET /api/v1/admin/platform/config/revisions?per_page=2');
  expect(history.body.data).toMatchObject([
    { revision: revision + 1, reverts_to: revision - 1, reason: 'Typo', changed_by: demo.accounts.admin.id },
    { revision, reverts_to: null, reason: 'A new help page' },
  ]);
  expect((await asAdmin('POST /api/v1/admin/platform/config/revert', { revision: 1_000_000 })).status).toBe(404);
});

it('a part of the product that is closed for somebody is not in their menu, and refuses them', async () => {
  const opened = async (token: string) =>
    new Map(
      (await call('GET /api/v1/modules', { token })).body.modules.map((each: { key: string }) => [each.key, each]),
    );
  const open = { key: 'support', open: true, closed_by: null };
  const before = await opened(tourist);
  expect(before.get('support')).toEqual(open);
  expect(before.get('audit')).toEqual({ key: 'audit', open: false, closed_by: 'role' });
  expect((await opened(admin)).get('audit')).toMatchObject({ open: true });
  expect((await call('GET /api/v1/support/tickets/me', { token: tourist })).status).toBe(200);

  const { id } = demo.accounts.tourist;
  const condition = {
    strategies: [{ name: 'default', constraints: [{ context: 'userId', operator: 'NOT_IN', values: [id] }] }],
  };
  const flag = { key: 'module.support', enabled: true, condition };
  expect((await asAdmin('POST /api/v1/admin/flags', flag)).status).toBe(201);
  expect((await opened(tourist)).get('support')).toEqual({ key: 'support', open: false, closed_by: 'flag' });
  const refused = await call('GET /api/v1/support/tickets/me', { token: tourist });
  expect([refused.status, refused.body.code]).toEqual([403, 'module_closed']);
  expect((await opened(cook)).get('support')).toEqual(open);
  expect((await call('GET /api/v1/support/tickets/me', { token: cook })).status).toBe(200);
  expect((await asAdmin('DELETE /api/v1/admin/flags/module.support')).status).toBe(204);
  expect((await call('GET /api/v1/support/tickets/me', { token: tourist })).status).toBe(200);
});
