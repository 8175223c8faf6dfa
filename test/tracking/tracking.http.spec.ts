/** A day on the mountain over HTTP: recorded, watched, finished, counted, downloaded, removed. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { RejectedItem } from '../../api/http/itemwise.ts';
import { todayIn } from '../../domain/core/dates.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import type { Fix } from '../../domain/tracking/point.ts';
import { caller, once, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';
import { skier } from './synthetic.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const PATH = '/api/v1/tracking';
let [tourist, friend] = ['', ''];
beforeAll(async () => {
  [tourist, friend] = [await signIn(call, demo, 'tourist'), await signIn(call, demo, 'tourist2')];
});

const startMs = Math.floor(Date.now() / 1_000) * 1_000 - HOUR_MS;
const toPoint = ({ at, ...fix }: Fix) => ({ ...fix, t: instantOf(at), speed: -1 });
const points = skier({ startMs }).run(300, 12).lift(300).run(300, 14).fixes.map(toPoint);
const today = todayIn('Europe/Moscow', instantOf(startMs));

describe('a session', () => {
  it('is started once, takes points, is finished, and removed', async () => {
    const as =
      (token: string) =>
      (request: string, body?: unknown, headers = {}) =>
        call(request.replace(' /', ` ${PATH}/`), { token, headers, ...(body !== undefined && { body }) });
    const [mine, theirs] = [as(tourist), as(friend)];
    const headers = once();
    const body = { started_at: instantOf(startMs) };
    const started = await mine('POST /sessions', body, headers);
    expect(started.status, JSON.stringify(started.body)).toBe(201);
    expect((await mine('POST /sessions', body, headers)).body).toEqual(started.body);
    const { id } = started.body;
    expect(started.body).toMatchObject({ status: 'open', summary: null, day: today });
    expect((await mine(`GET /sessions/${id}`)).body).toEqual(started.body);

    const half = points.length / 2;
    const send = (some: readonly unknown[]) => mine(`POST /sessions/${id}/points`, { points: some });
    const sent = await send([...points.slice(0, half), { ...points[half], lat: 0, lon: 0 }, points[0] as object]);
    expect([sent.status, sent.body]).toEqual([
      200,
      { accepted: half, duplicates: 1, rejected: [{ index: half, detail: expect.stringContaining('no fix') }] },
    ]);
    expect(sent.headers.get('ratelimit-policy')).toBeNull(); // off in this system

    // Of times that PostgreSQL cannot read, too, the others are stored.
    const { t = '', ...place } = points[half] ?? {};
    const odd = [
      { ...place, t: `${instantOf(Date.parse(t) + 18 * HOUR_MS).slice(0, -1)}+18:00` },
      { ...points[half + 1], t: points[half + 1]?.t.replace('Z', `${'0'.repeat(120)}Z`) },
    ];
    expect((await send(odd)).body).toEqual({ accepted: 2, duplicates: 0, rejected: [] });
    expect((await mine(`GET /sessions/${id}/points?after=${half - 1}`)).body.data).toMatchObject(
      points.slice(half, half + 2).map(({ seq, t }) => ({ seq, t })),
    );

    // One wrong point does not refuse the others, whatever is wrong with it.
    const good = points[0] as object;
    const wrong: unknown[] = [
      { ...good, lat: null },
      { ...good, seq: 100_000 },
      { ...good, t: 'yesterday' },
      { ...good, lat: Number.MAX_VALUE },
      { ...good, colour: 'red' },
      'nonsense',
    ];
    const mixed = await send([wrong[0], { ...good, acc: -1 }, good, ...wrong.slice(1)]);
    expect(mixed).toMatchObject({ status: 200, body: { accepted: 0, duplicates: 1 } });
    expect(mixed.body.rejected.map(({ index, detail }: RejectedItem) => `${index} ${detail}`)).toEqual([
      '0 /points/0/lat must be number',
      '1 The accuracy is unknown.',
      '3 /points/3/seq must be <= 99999',
      expect.stringContaining('4 /points/4/t must match format'),
      '5 /points/5/lat contains a number that is too large',
      '6 /points/6/colour is not a known field',
      '7 /points/7 must be object',
    ]);

    // Nobody else sees anything of it.
    for (const request of [`GET /sessions/${id}`, `GET /sessions/${id}/points`, `GET /sessions/${id}/gpx`])
      expect((await theirs(request)).body).toMatchObject({
        status: 404,
        detail: 'This tracking session does not exist.',
      });
    for (const [request, given] of [
      [`POST /sessions/${id}/points`, { points: points.slice(0, 1) }],
      [`POST /sessions/${id}/finish`, {}],
      [`POST /sessions/${id}/share`, { account_id: demo.accounts.tourist.id }],
      [`DELETE /sessions/${id}`, {}],
    ] as const)
      expect((await theirs(request, given)).status, request).toBe(404);

    // A friend sees the points of now, and none of before.
    const shared = await mine(`POST /sessions/${id}/share`, { account_id: demo.accounts.tourist2.id });
    expect(shared.status, JSON.stringify(shared.body)).toBe(201);
    expect((await theirs('GET /shared')).body.data).toContainEqual({
      session_id: id,
      owner_id: demo.accounts.tourist.id,
      owner_name: expect.stringMatching(/^\S.* \p{L}{2,}$/u), // the whole name: no stranger's, which ends with an initial
      shared_at: expect.any(String),
      expires_at: shared.body.expires_at,
    });
    expect((await theirs(`GET /sessions/${id}/points`)).body).toEqual({ data: [], next_after: null });
    const now = { ...points[0], seq: 90_000, t: instantOf(Date.now() + 1_000) };
    await send([now]);
    expect((await theirs(`GET /sessions/${id}/points`)).body.data).toMatchObject([{ seq: 90_000, speed: null }]);
    expect((await mine(`GET /sessions/${id}/share`)).body).toMatchObject({
      total: 1,
      data: [{ account_id: demo.accounts.tourist2.id }],
    });

    const page = await mine(`GET /sessions/${id}/points?limit=10&after=4`);
    expect(page.body.data.map(({ seq }: { seq: number }) => seq)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect(page.body.next_after).toBe(14);

    await send(points.slice(half));
    const finished = await mine(`POST /sessions/${id}/finish`, {});
    expect(finished.status, JSON.stringify(finished.body)).toBe(200);
    // The point of now is at the top again, where a lift has brought them meanwhile.
    expect(finished.body).toMatchObject({ status: 'finished', ending: 'finished', summary: { runs: 2, lifts: 2 } });
    expect((await mine(`GET /sessions/${id}`)).body).toEqual(finished.body);
    expect((await mine(`POST /sessions/${id}/finish`, {})).body).toEqual(finished.body);
    expect((await theirs(`GET /sessions/${id}/points`)).status).toBe(404);
    expect((await mine(`GET /sessions?status=finished&from=${today}&to=${today}`)).body.data).toContainEqual(
      finished.body,
    );

    const { vertical_m } = finished.body.summary;
    const stats = await mine('GET /stats?period=week');
    expect(stats.body.data[0]).toMatchObject({ days: 1, sessions: 1, verified: true, vertical_m, runs: 2 });
    const target = await mine('POST /targets', { metric: 'vertical', period: 'season', value: vertical_m * 2 + 1 });
    expect(target.status, JSON.stringify(target.body)).toBe(201);
    expect(target.body).toMatchObject({ reached: vertical_m, progress_pct: 49 });
    expect((await mine('GET /targets')).body).toMatchObject({ total: 1, data: [target.body] });
    expect((await mine(`DELETE /targets/${target.body.id}`)).status).toBe(204);
    expect((await mine('GET /targets')).body.total).toBe(0);

    const gpx = await mine(`GET /sessions/${id}/gpx`);
    expect(gpx.headers.get('content-type')).toContain('application/gpx+xml');
    expect(gpx.headers.get('content-disposition')).toBe(`attachment; filename="track-${today}.gpx"`);
    expect(gpx.body).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<gpx version="1.1" [^>]+>\n<trk><name>[\d-]+<\/name>\n(<trkseg>\n(<trkpt lat="[\d.]+" lon="[\d.]+"><ele>[\d.]+<\/ele><time>[\d:.TZ-]+<\/time><\/trkpt>\n)+<\/trkseg>\n)+<\/trk><\/gpx>\n$/,
    );
    expect(gpx.body.match(/<trkpt /g)).toHaveLength(points.length + 1);
    expect(gpx.body.match(/<trkseg>/g)).toHaveLength(2);

    expect((await mine(`DELETE /sessions/${id}`)).status).toBe(204);
    expect((await mine(`GET /sessions/${id}`)).status).toBe(404);
    expect((await mine('GET /stats')).body).toEqual({ data: [], total: 0, page: 1, per_page: 20 });
  });
});

describe('a day that a device reports', () => {
  it('counts where there are no sessions, and is not verified', async () => {
    const day = { day: today, distance_m: 20_000, vertical_m: 4_000, runs: 12 };
    const token = await signIn(call, demo, 'instructor');
    const reported = await call(`POST ${PATH}/stats`, { token, body: day });
    expect(reported.status, JSON.stringify(reported.body)).toBe(201);
    expect(reported.body).toMatchObject({ ...day, verified: false, lifts: 0 });
    const { body } = await call(`GET ${PATH}/stats?period=season`, { token });
    expect(body.data).toMatchObject([{ days: 1, sessions: 0, verified: false, runs: 12 }]);
    const refused = await call(`POST ${PATH}/stats`, { token, body: { ...day, vertical_m: 40_001 } });
    expect(refused.body).toMatchObject({ status: 422, detail: expect.stringContaining('vertical_m') });
  });
});

describe('a batch', () => {
  it('may have 1,000 points, and a session that starts in the future is refused', async () => {
    const tooMany = Array.from({ length: 1_001 }, (_, seq) => ({ ...points[0], seq }));
    const path = `POST ${PATH}/sessions/0198c0de-0000-7000-8000-000000000000/points`;
    const refused = await call(path, { token: tourist, body: { points: tooMany } });
    expect(refused.body).toMatchObject({ status: 422, detail: expect.stringContaining('1000') });
    const started_at = instantOf(Date.now() + HOUR_MS);
    const future = await call(`POST ${PATH}/sessions`, { token: tourist, body: { started_at } });
    expect(future.body).toMatchObject({ status: 422, detail: 'A session cannot start in the future.' });
    const leap = await call(`POST ${PATH}/sessions`, { token: tourist, body: { started_at: '2016-12-31T23:59:60Z' } });
    expect(leap.status).toBe(422);
  });
});
