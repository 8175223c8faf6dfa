/** Lifts and slopes over HTTP, and what is told of them at once. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { caller, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect } from '../realtime/stage.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const sockets: { close(): void }[] = [];
let [admin, tourist] = ['', ''];
beforeAll(async () => {
  [admin, tourist] = await Promise.all([signIn(call, demo, 'admin'), signIn(call, demo, 'tourist')]);
});
afterAll(() => {
  for (const socket of sockets) socket.close();
});
const asAdmin = (request: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(request, { token: admin, headers, ...(body !== undefined && { body }) });

const geometry = {
  type: 'LineString',
  coordinates: [
    [40.2976, 43.6715, 560],
    [40.3105, 43.6621, 1170],
  ],
};

it('the demo has 12 lifts and 30 slopes, the same at both paths', async () => {
  const { status, body } = await call('GET /api/v1/lifts?per_page=100');
  expect(status).toBe(200);
  expect(body.total).toBeGreaterThanOrEqual(12);
  expect((await call('GET /api/v1/resort/lifts?per_page=100')).body.total).toBe(body.total);
  // A schedule or a count may change a lift between two requests.
  await until(async () => {
    const { headers } = await call('GET /api/v1/lifts?per_page=100');
    const again = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    return (await call('GET /api/v1/lifts?per_page=100', again)).status === 304;
  });
  const slopes = (await call('GET /api/v1/resort/slopes?per_page=100')).body;
  expect(slopes.total).toBeGreaterThanOrEqual(30);
  const names = new Map(body.data.map((lift: { id: string; name: string }) => [lift.id, lift.name]));
  const ridge = slopes.data.find(({ name }: { name: string }) => name === 'Yavor');
  expect(ridge.from_lifts.map((id: string) => names.get(id)).toSorted()).toEqual(['Pikhta', 'Zapoved']);
  expect((await call(`GET /api/v1/resort/slopes/${ridge.id}`)).body.length_m).toBeGreaterThan(1_000);
});

it('a lift is added, opened, its queue told to those who listen, and retired', async () => {
  const listening = connect(Number(new URL(runtime.api).port), tourist);
  sockets.push(listening.socket);
  expect(await listening.ask({ type: 'subscribe', channel: 'realtime:lift_queues' })).toMatchObject({
    type: 'subscribed',
  });
  const created = await asAdmin('POST /api/v1/resort/lifts', {
    name: 'Test lift',
    kind: 'chair_lift',
    geometry,
    capacity_per_hour: 1_200,
  });
  expect(created.status).toBe(201);
  const { id } = created.body;
  const path = `/api/v1/resort/lifts/${id}`;
  const read = await call(`GET ${path}`);
  expect(read.body).toMatchObject({ status: 'closed', source: 'none', queue_minutes: null, top_altitude_m: 1170 });

  const etag = read.headers.get('etag') ?? '';
  const opened = await asAdmin(`PATCH ${path}`, { status: 'open', queue: { people: 100 } }, { 'if-match': etag });
  expect(opened.body).toEqual({ id, revision: 2, override: { status: 'open', until: null, reason: null } });
  expect((await asAdmin(`PATCH ${path}`, { status: 'closed' }, { 'if-match': etag })).status).toBe(412);
  expect((await call(`GET ${path}`)).body).toMatchObject({
    status: 'open',
    source: 'manual',
    queue_minutes: 5,
    queue_source: 'manual',
  });
  const isTold = (one: object) =>
    JSON.stringify(one).includes(`"id":"${id}"`) && /"queue_minutes":5\b/.test(JSON.stringify(one));
  const frame = await until(() => listening.frames.find(isTold));
  expect(frame).toMatchObject({ channel: 'realtime:lift_queues', data: { status: 'open', queue_people: 100 } });

  const wind = { status: 'hold', reason: 'Wind', ids: [id] };
  expect((await asAdmin('POST /api/v1/resort/lifts/status', wind)).body).toEqual({ changed: [id] });
  expect((await call(`GET ${path}`)).body).toMatchObject({ status: 'hold', reason: 'Wind' });
  expect((await asAdmin(`PATCH ${path}`, { status: 'hold' })).status).toBe(422);
  expect((await call(`PATCH ${path}`, { token: tourist, body: { status: 'open' } })).status).toBe(403);

  expect((await asAdmin(`DELETE ${path}?reason=Sold`)).status).toBe(204);
  const history = (await asAdmin(`GET ${path}/history`)).body;
  expect(history.data.map(({ change }: { change: string }) => change)).toEqual([
    'retired',
    'status_set',
    'queue_reported',
    'status_set',
    'added',
  ]);
  expect(history.data[0].by).toBe(demo.accounts.admin.id);
  const all = (await call('GET /api/v1/lifts?per_page=100')).body.data;
  expect(all.some((lift: { id: string }) => lift.id === id)).toBe(false);
});

it('a slope is groomed and closed', async () => {
  const { body } = await asAdmin('POST /api/v1/resort/slopes', { name: 'Test slope', difficulty: 'easy', geometry });
  const path = `/api/v1/resort/slopes/${body.id}`;
  const patch = { groomed_at: '2026-11-20T03:00:00Z', status: 'closed', reason: 'Avalanche danger' };
  const override = { status: 'closed', until: null, reason: 'Avalanche danger' };
  expect((await asAdmin(`PATCH ${path}`, patch)).body).toEqual({ id: body.id, revision: 3, override });
  expect((await call(`GET ${path}`)).body).toMatchObject({ status: 'closed', reason: 'Avalanche danger', revision: 3 });
  expect((await asAdmin(`GET ${path}/history`)).body.total).toBe(3);
  expect((await asAdmin(`DELETE ${path}`)).status).toBe(204);
});

it('many slopes are closed at once, and given back to their schedules', async () => {
  const add = async (name: string): Promise<string> =>
    (await asAdmin('POST /api/v1/resort/slopes', { name, difficulty: 'easy', geometry })).body.id;
  const ids = [await add('One of many'), await add('Another of many')].toSorted();
  const of = (body: object) => asAdmin('POST /api/v1/resort/slopes/status', { ids, ...body });
  const closing = { status: 'closed', reason: 'Avalanche danger' };
  expect((await of(closing)).body).toEqual({ changed: ids });
  expect((await of(closing)).body).toEqual({ changed: [] });
  for (const id of ids)
    expect((await call(`GET /api/v1/resort/slopes/${id}`)).body).toMatchObject({ ...closing, source: 'manual' });
  expect((await of({ status: 'auto', ids: [ids[1]] })).body).toEqual({ changed: [ids[1]] });
  expect((await call(`GET /api/v1/resort/slopes/${ids[1]}`)).body).toMatchObject({ source: 'none' });
  expect((await of({ status: 'open', ids: [randomUUID()] })).status).toBe(404);
  expect((await of({ ids: [ids[0], ids[0]], status: 'open' })).status).toBe(422);
  expect((await call('POST /api/v1/resort/slopes/status', { token: tourist, body: { ids, ...closing } })).status).toBe(
    403,
  );
  for (const id of ids) expect((await asAdmin(`DELETE /api/v1/resort/slopes/${id}`)).status).toBe(204);
});

it.each([
  ['lifts', 'lift_queues'],
  ['slopes', 'resort'],
])('a list of %s says up to which change of its channel it shows', async (kind, channel) => {
  const asked = await call(`GET /api/v1/resort/${kind}`, { headers: { prefer: 'channel-offset' } });
  expect(asked.headers.get('x-channel-offset')).toMatch(
    new RegExp(`^"(realtime:)?${channel}";epoch="[0-9a-f-]+";offset=\\d+$`),
  );
  expect(asked.headers.get('vary')).toMatch(/prefer/i);
  const usual = await call(`GET /api/v1/resort/${kind}`);
  expect(usual.headers.get('x-channel-offset')).toBeNull();
  // What changes by itself may do so between two requests.
  await until(async () => {
    const [one, other] = [
      await call(`GET /api/v1/resort/${kind}`, { headers: { prefer: 'channel-offset' } }),
      await call(`GET /api/v1/resort/${kind}`),
    ];
    return isDeepStrictEqual(one.body, other.body);
  });
});

it('the status counts lifts and slopes, and shows the weather, snow and notices', async () => {
  const posted = await asAdmin('POST /api/v1/resort/notices', { severity: 'warning', text: 'Storm from noon' });
  expect(posted.status).toBe(201);
  const snow = { depth_cm: 180, new24h_cm: 12, measured_at: '2026-11-20T05:00:00Z' };
  expect((await asAdmin('PUT /api/v1/resort/stations/peak/snow', snow)).status).toBe(200);
  expect((await asAdmin('PUT /api/v1/resort/stations/nowhere/snow', snow)).status).toBe(404);
  const key = { name: 'Snow sensor', scopes: ['snow:report'] };
  const sensor = (await asAdmin('POST /api/v1/admin/api-keys', key, { 'idempotency-key': crypto.randomUUID() })).body;
  const measured = { depth_cm: 181, measured_at: '2026-11-20T06:00:00Z' };
  const bySensor = (apiKey: string) => call('PUT /api/v1/resort/stations/peak/snow', { apiKey, body: measured });
  expect((await bySensor(sensor.key)).status).toBe(200);
  expect((await bySensor(demo.partner_key)).status).toBe(403);
  const body = await until(async () => {
    const { body: status } = await call('GET /api/v1/resort/status');
    return status.stations[2]?.weather ? status : undefined;
  });
  expect(body.lifts.total).toBeGreaterThanOrEqual(12);
  expect(body.slopes.total_km).toBeGreaterThan(20);
  expect(body.notices.map(({ notice_id }: { notice_id: string }) => notice_id)).toContain(posted.body.notice_id);
  const stations = body.stations.map(({ key }: { key: string }) => key);
  expect(stations).toEqual(['village', 'plateau', 'peak']);
  expect(body.stations[2]).toMatchObject({ snow: { depth_cm: 181 }, weather: { is_old: expect.any(Boolean) } });
  expect((await asAdmin(`DELETE /api/v1/resort/notices/${posted.body.notice_id}`)).status).toBe(204);
});

it('a webcam of a host that is not allowed is refused', async () => {
  const camera = { name: 'Peak', snapshot_url: 'http://169.254.169.254/latest' };
  const refused = await asAdmin('POST /api/v1/webcams/admin', camera);
  expect(refused.status).toBe(422);
  expect(refused.body.detail).toContain('WEBCAM_HOSTS');
  expect((await call('GET /api/v1/webcams')).body.data).toEqual([]);
  expect((await call(`GET /api/v1/webcams/${crypto.randomUUID()}/snapshot`)).status).toBe(404);
});
