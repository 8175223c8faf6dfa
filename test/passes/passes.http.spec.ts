/** The way of a pass: bought, issued to a phone, scanned at gates, given back. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { timeCodeText } from '../../commands/passes/codes.ts';
import { caller, type Newcomer, newTourist, once, signIn } from '../kit/http.ts';
import { day } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let admin: string;
let guest: Newcomer;
let gate: string;
let purchaseId: string;
const phone = generateKeyPairSync('ed25519');
const device_key = phone.publicKey.export({ format: 'jwk' }).x as string;

const asAdmin = (request: string, body?: object) => call(request, { token: admin, headers: once(), body });
const asGuest = (request: string, body?: object) => call(request, { token: guest.token, headers: once(), body });
const asGate = (request: string, body?: object) => call(request, { apiKey: gate, body });

/** Two passes of a family for two days from yesterday on, in a zone whose date is the same as ours. */
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  guest = await newTourist(call, admin, 'Rider');
  gate = (await asAdmin('POST /api/v1/admin/api-keys', { name: 'Gate', scopes: ['passes:scan'] })).body.key;
  const tariff = await asAdmin('POST /api/v1/admin/ski-pass/tariffs', {
    name: 'Family, two days',
    age_group: 'family',
    family: { adults: 1, children: 1 },
    duration: { unit: 'day', count: 2 },
    within_days: 4,
    season: { from: day(-30), to: day(100) },
    price: 200,
    season_prices: [{ from: day(-1), to: day(2), price: 250 }],
    deposit: 5,
    refunds_unused: true,
    timezone: 'UTC',
    currency: 'RUB',
  });
  expect(tariff.status, JSON.stringify(tariff.body)).toBe(201);
  const bought = await asGuest('POST /api/v1/skipass/purchase', {
    tariff_id: tariff.body.id,
    valid_from: day(0),
    with_cards: true,
    method: 'card',
  });
  expect(bought.body, JSON.stringify(bought.body)).toMatchObject({ quantity: 2, total: 260 });
  purchaseId = bought.body.id;
  await fetch(bought.body.redirect_url, {
    method: 'POST',
    body: new URLSearchParams({ action: 'approve' }),
    redirect: 'manual',
  });
  await until(async () => (await asGuest(`GET /api/v1/purchases/${purchaseId}`)).body.status === 'paid' || undefined);
});

const issue = async (number: number, more: object = {}) => {
  const reply = await asGuest('POST /api/v1/skipass/me/issue', { purchase_id: purchaseId, number, ...more });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};
const shown = (code: string): string =>
  `${code}.${sign(null, Buffer.from(timeCodeText(code, Date.now())), phone.privateKey).toString('base64url')}`;
const scan = (code: string, scan_id: string = randomUUID(), gate_id = 'valley') =>
  asGate('POST /api/v1/pass/scan', { scan_id, code, gate_id });

describe('a pass', () => {
  it('is issued to a phone, and a picture of it opens nothing', async () => {
    const { pass, code } = await issue(1, { device_key, holder: { name: 'Anna', photo_id: null } });
    expect(pass).toMatchObject({ number: 1, age_group: 'adult', serial: 1, units_left: 2, is_printed: false });
    expect((await issue(1, { device_key })).code).toBe(code);
    const mine = await asGuest(`GET /api/v1/ski-pass/me?purchase_id=${purchaseId}`);
    expect(mine.body.data).toMatchObject([{ id: pass.id, holder_name: 'Anna', price: 125, deposit: 5 }, { number: 2 }]);

    expect((await scan(code)).body).toMatchObject({ opens: false, reason: 'stale' });
    const checked = await asGuest('POST /api/v1/ski-pass/validate', { code: shown(code) });
    expect(checked.body).toMatchObject({ opens: true, reason: null });

    const scan_id = randomUUID();
    const opened = await scan(shown(code), scan_id);
    expect(opened.body, JSON.stringify(opened.body)).toMatchObject({ scan_id, opens: true, pass: { units_left: 1 } });
    expect((await scan(shown(code), scan_id)).body).toMatchObject({ opens: true });
    expect((await scan(shown(code))).body).toMatchObject({ opens: false, reason: 'passback' });
  });

  it('lets one of two gates open at the same instant', async () => {
    const { pass, code } = await issue(2);
    expect(pass).toMatchObject({ age_group: 'child', is_printed: true });
    const both = await Promise.all([scan(code, randomUUID(), 'left'), scan(code, randomUUID(), 'right')]);
    expect(both.map(({ body }) => body.opens).toSorted()).toEqual([false, true]);
    const scans = () => asGuest(`GET /api/v1/pass/me/${pass.id}/scans`);
    await until(async () => (await scans()).body.total === 2 || undefined);
  });

  it('is refused when it is blocked, and gates learn it', async () => {
    const { pass, code } = await issue(2);
    const { body } = await asGate('GET /api/v1/pass/revoked');
    await asAdmin(`POST /api/v1/admin/pass/${pass.id}/block`, { reason: 'lost' });
    expect((await scan(code)).body).toMatchObject({ opens: false, reason: 'blocked', pass: { id: pass.id } });
    const listed = async (since: string) => {
      const { data, next } = (await asGate(`GET /api/v1/pass/revoked?since=${since}`)).body;
      return { next, isListed: data.some((each: { pass_id: string }) => each.pass_id === pass.id) };
    };
    let cursor = body.next;
    const untilListed = (isListed: boolean) =>
      until(async () => {
        const page = await listed(cursor);
        cursor = page.next;
        return page.isListed === isListed;
      });
    await untilListed(true);
    await untilListed(false);
    const [, position] = cursor.split(':');
    for (const other of [`${randomUUID()}:${position}`, position])
      expect(await listed(other), 'after a position of another log, or of an earlier release').toMatchObject({
        isListed: true,
      });
    expect((await asAdmin(`POST /api/v1/admin/pass/${pass.id}/unblock`)).body).toMatchObject({ is_blocked: false });
  });

  it('has rides that a gate tells later, and their conflicts are found', async () => {
    const { pass, code } = await issue(2);
    const told = (scan_id: string) => ({ scan_id, code, scanned_at: new Date().toISOString(), passed: true });
    const scans = [told(randomUUID()), { ...told(randomUUID()), code: 'RP1.x.y' }, { scan_id: 'none' }];
    const upload = () =>
      asGate('POST /api/v1/pass/scans', { gate_id: 'hut', device_time: new Date().toISOString(), scans });
    const { body } = await upload();
    expect(body, JSON.stringify(body)).toMatchObject({
      clock_ok: true,
      kept: [
        { pass_id: pass.id, conflict: 'passback', problem: null },
        { pass_id: null, problem: 'malformed' },
      ],
      rejected: [{ index: 2 }],
    });
    expect((await upload()).body.kept).toEqual(body.kept);
    const found = () => asAdmin(`GET /api/v1/admin/pass/scans?conflicts=true&pass_id=${pass.id}`);
    await until(async () => (await found()).body.total === 1 || undefined);
  });

  it('is given back for the days that are left, and opens nothing from then on', async () => {
    const { pass, code } = await issue(1, { device_key });
    const preview = await asGuest(`POST /api/v1/pass/me/${pass.id}/give-back`, { preview: true });
    expect(preview.body).toMatchObject({ units: 1, refund: 62.5, settles_at: null });
    const { body } = await asGuest(`POST /api/v1/pass/me/${pass.id}/give-back`, { reason: 'ill' });
    expect(body, JSON.stringify(body)).toMatchObject({ units: 1, refund: 62.5, settles_at: expect.any(String) });
    expect((await scan(shown(code))).body).toMatchObject({ opens: false, reason: 'refunded' });
    await asAdmin(`POST /api/v1/admin/pass/${pass.id}/card-returned`);
    const { payment_id } = (await asGuest(`GET /api/v1/purchases/${purchaseId}`)).body;
    await until(async () => (await asGuest(`GET /api/v1/payments/${payment_id}`)).body.refunded === 5 || undefined);
    const refused = await asAdmin(`POST /api/v1/payments/${payment_id}/refund`, { amount: 100 });
    expect(refused.body).toMatchObject({ status: 409, detail: expect.stringContaining('give-back') });
  });
});

it('a chargeback of a part blocks the pass that it paid for, until an admin decides', async () => {
  const { payment_id } = (await asGuest(`GET /api/v1/purchases/${purchaseId}`)).body;
  const wanted = { payment_id, amount: 100, reason: 'The bank of the payer asked for it.' };
  const { body } = await asAdmin('POST /api/v1/admin/ledger/chargebacks', wanted);
  const account = { role: 'admin', email: `${randomUUID()}@second.test`, password: 'second larch owl' };
  const seedTool = { 'x-admin-token': 'dev-only-admin-token' };
  await call('POST /api/v1/admin/accounts', { headers: seedTool, body: account });
  const login = { identifier: account.email, password: account.password };
  const { access_token: token } = (await call('POST /auth/login', { body: login })).body;
  await call(`POST /api/v1/admin/ledger/adjustments/${body.id}/approve`, { token, headers: once(), body: {} });
  const second = async () => {
    const { data } = (await asGuest(`GET /api/v1/pass/me?purchase_id=${purchaseId}`)).body;
    return data.find(({ number }: { number: number }) => number === 2);
  };
  const { id } = await until(async () => {
    const found = await second();
    return found?.status === 'blocked' && found;
  });
  expect((await asGuest('POST /api/v1/pass/validate', { pass_id: id })).body.reason).toBe('blocked');
  await asAdmin(`POST /api/v1/admin/pass/${id}/unblock`);
  expect((await asGuest('POST /api/v1/pass/validate', { pass_id: id })).body.reason).not.toBe('blocked');
});

describe('others', () => {
  it('get nothing', async () => {
    const { body } = await asGuest(`GET /api/v1/pass/me?purchase_id=${purchaseId}`);
    const stranger = await newTourist(call, admin, 'Stranger');
    const [{ id }] = body.data;
    const as = (request: string, asked: object = {}) =>
      call(request, { token: stranger.token, headers: once(), body: asked });
    expect((await as('POST /api/v1/pass/me/issue', { purchase_id: purchaseId })).status).toBe(404);
    expect((await as(`POST /api/v1/pass/me/${id}/give-back`)).status).toBe(404);
    expect((await as('POST /api/v1/pass/validate', { pass_id: id })).status).toBe(404);
    expect((await as('POST /api/v1/pass/validate', {})).status).toBe(422);
    expect((await as('POST /api/v1/pass/scan', { scan_id: id, code: 'x', gate_id: 'g' })).status).toBe(401);
    expect((await call('GET /api/v1/pass/keys')).body.keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519' });
  });

  it('preview what a closure would give back', async () => {
    const closure = { from: day(-20), to: day(-19), reason: 'storm', preview: true };
    const { status, body } = await asAdmin('POST /api/v1/admin/pass/closures', closure);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ dates: [day(-20), day(-19)], passes: expect.any(Number) });
    expect((await asGuest('POST /api/v1/admin/pass/closures', closure)).status).toBe(403);
  });

  it('gates list passes that closures have made valid longer, page by page, and nobody else does', async () => {
    const pages: { data: { pass_id: string; valid_until: string }[]; next: string; more: boolean }[] = [];
    for (let since = ''; pages.at(-1)?.more ?? true; since = `?since=${encodeURIComponent(pages.at(-1)?.next ?? '')}`) {
      const { status, body } = await asGate(`GET /api/v1/pass/extended${since}`);
      expect(status, JSON.stringify(body)).toBe(200);
      pages.push(body);
    }
    const since = encodeURIComponent(pages.at(-1)?.next ?? '');
    expect((await asGate(`GET /api/v1/pass/extended?since=${since}`)).body).toMatchObject({ more: false });
    for (const { valid_until } of pages.flatMap(({ data }) => data)) expect(Date.parse(valid_until)).not.toBeNaN();
    expect((await asGate('GET /api/v1/pass/extended?since=nonsense')).status).toBe(422);
    expect((await asGuest('GET /api/v1/pass/extended')).status).toBe(401);
  });
});
