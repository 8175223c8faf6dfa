/** A day on the slope over HTTP: a badge is earned, a board is climbed, a copied track is caught. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import type { Fix } from '../../domain/tracking/point.ts';
import { caller, type Newcomer, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { skier } from '../tracking/synthetic.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let admin: string;
let [anna, boris]: Newcomer[] = [];
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  [anna, boris] = [await newTourist(call, admin, 'Anna'), await newTourist(call, admin, 'Boris')];
});

const startMs = Math.floor(Date.now() / 1_000) * 1_000 - HOUR_MS;
const toPoint = ({ at, ...fix }: Fix) => ({ ...fix, t: instantOf(at) });
const points = skier({ seed: 77_341, startMs }).run(300, 12).lift(300).run(300, 14).fixes.map(toPoint);

/** Records a day. Returns the session as it was finished. */
const ski = async ({ token }: Newcomer) => {
  const PATH = '/api/v1/tracking/sessions';
  const body = { started_at: instantOf(startMs) };
  const { id } = (await call(`POST ${PATH}`, { token, body, headers: once() })).body;
  await call(`POST ${PATH}/${id}/points`, { token, body: { points } });
  const finished = await call(`POST ${PATH}/${id}/finish`, { token, body: {} });
  expect(finished.status, JSON.stringify(finished.body)).toBe(200);
  return finished.body;
};
const newBadge = (threshold: number) => ({
  name: { ru: 'Пятьсот метров', en: 'Five hundred metres' },
  description: { ru: 'За одну неделю.', en: 'In one week.' },
  metric: 'vertical',
  threshold,
  window: 'week',
});
const createBadge = async (threshold: number) => {
  const created = await call('POST /api/v1/badges/admin', { token: admin, body: newBadge(threshold), headers: once() });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body;
};
const own = async ({ token }: Newcomer, badgeId: string) => {
  const { body } = await call('GET /api/v1/badges/me?per_page=100', { token });
  return body.data.find(({ id }: { id: string }) => id === badgeId);
};
const season = async ({ token }: Newcomer, query = '') =>
  (await call(`GET /api/v1/leaderboard/season?per_page=100&detailed=1${query}`, { token })).body;
const decide = async (id: string, decision: 'disqualify' | 'release', body?: object) =>
  call(`POST /api/v1/admin/tracking/sessions/${id}/${decision}`, { token: admin, ...(body && { body }) });

it('a day counts for badges and boards, and a copy of it does not', async () => {
  const [one, other] = [anna as Newcomer, boris as Newcomer];
  const badge = await createBadge(500);
  const name = `Anna ${randomUUID().slice(0, 8)}`;
  const joined = await call('PUT /api/v1/leaderboard/me', { token: one.token, body: { display_name: name } });
  expect([joined.status, joined.body]).toMatchObject([200, { takes_part: true, display_name: name }]);
  expect((await season(one)).me).toBe(null);
  expect(await own(one, badge.id)).toMatchObject({ value: 0, progress_pct: 0, awarded_at: null });

  const session = await ski(one);
  const score = session.summary.vertical_m;
  expect(score).toBeGreaterThan(500);
  await until(async () => (await season(one)).me?.score === score);
  const board = await season(one);
  expect(board).toMatchObject({ period: 'season', metric: 'vertical', is_closed: false });
  const details = { vertical_m: score, distance_m: session.summary.distance_m, runs: 2, days: 1, sessions: 1 };
  expect(board.me.neighbours).toContainEqual(
    expect.objectContaining({ rank: board.me.rank, display_name: name, score, is_me: true, details }),
  );
  const seen = (await call('GET /api/v1/leaderboard?metric=days&per_page=100')).body;
  expect(seen.me).toBe(null);
  expect(JSON.stringify(seen)).not.toContain(one.id);

  await until(async () => (await own(one, badge.id))?.progress_pct === 100);
  expect((await call('GET /api/v1/metrics/me', { token: one.token })).body.badges).toBeGreaterThan(0);
  const told = async (title: string) =>
    (await call('GET /api/v1/notifications', { token: one.token })).body.data.some(
      (notice: { title: string }) => notice.title === title,
    );
  await until(async () => (await told('New badge')) || (await told('Новый значок')));

  // The same points from somebody else.
  await call('PUT /api/v1/leaderboard/me', { token: other.token, body: { display_name: 'Boris the copyist' } });
  const copy = await ski(other);
  const reviews = await call('GET /api/v1/admin/tracking/reviews?status=set_aside&per_page=100', { token: admin });
  expect(reviews.body.data).toContainEqual(
    expect.objectContaining({
      session_id: copy.id,
      account_id: other.id,
      suspicions: [{ kind: 'same_track', other_session_id: session.id }],
      session: copy,
    }),
  );

  // What is disqualified counts nowhere; what is released counts again.
  expect((await decide(session.id, 'disqualify', { reason: 'Recorded in a car.' })).status).toBe(204);
  await until(async () => (await season(one)).me === null && (await own(one, badge.id)).awarded_at === null);
  expect(await own(one, badge.id)).toMatchObject({ value: 0, progress_pct: 0 });
  const standing = await call(`GET /api/v1/tracking/sessions/${session.id}/review`, { token: one.token });
  expect(standing.body).toEqual({ counts: false, status: 'disqualified', reason: 'Recorded in a car.' });
  expect((await season(other)).me).toBe(null);
  expect((await own(other, badge.id)).progress_pct).toBe(0);
  expect((await decide(copy.id, 'release')).status).toBe(204);
  expect((await decide(session.id, 'release')).status).toBe(204);
  await until(async () => (await season(one)).me?.score === score && (await own(one, badge.id)).progress_pct === 100);
  await until(
    async () => (await season(other)).me?.score === score && (await own(other, badge.id)).progress_pct === 100,
  );
  expect((await season(one)).me.rank).toBe((await season(other)).me.rank);
  expect(await season(one, '&friends=1')).toMatchObject({ total: 1, data: [{ rank: 1, is_me: true }] });

  // A badge that comes later is given for what was done before.
  const later = await createBadge(400);
  await until(async () => (await own(other, later.id)).progress_pct === 100);
  const path = `/api/v1/badges/admin/${later.id}`;
  expect((await call(`GET ${path}`, { token: admin })).body.qualifying).toBeGreaterThanOrEqual(2);
  const harder = await call(`PUT ${path}`, { token: admin, body: newBadge(90_000_000) });
  expect(harder.body).toMatchObject({ id: later.id, threshold: 90_000_000, qualifying: 0 });
  expect((await call(`DELETE ${path}`, { token: admin })).status).toBe(204);
  expect(await own(other, later.id)).toMatchObject({ progress_pct: 100 });
  expect((await call(`PUT ${path}`, { token: admin, body: newBadge(1) })).status).toBe(409);
  await call(`DELETE /api/v1/badges/admin/${badge.id}`, { token: admin });

  expect((await call('DELETE /api/v1/leaderboard/me', { token: one.token })).status).toBe(204);
  expect((await season(one)).me).toBe(null);
  expect((await call('GET /api/v1/leaderboard/me', { token: one.token })).body).toMatchObject({
    takes_part: false,
    display_name: null,
  });

  // A name that is reported is removed; the score stays.
  const { name_id } = (await season(other)).me.neighbours.find(({ is_me }: { is_me: boolean }) => is_me);
  const filed = await call(`POST /api/v1/leaderboard/names/${name_id}/report`, {
    token: one.token,
    body: { reason: 'This is my name.' },
  });
  expect(filed.status, JSON.stringify(filed.body)).toBe(201);
  const queue = await call('GET /api/v1/admin/leaderboard-name-reports?status=open&per_page=100', { token: admin });
  expect(queue.body.data.find(({ id }: { id: string }) => id === filed.body.id).content).toEqual({
    account_id: other.id,
    display_name: 'Boris the copyist',
  });
  const resolved = `POST /api/v1/admin/leaderboard-name-reports/${filed.body.id}/resolve`;
  expect((await call(resolved, { token: admin, body: { action: 'remove' } })).status).toBe(422);
  expect((await call(resolved, { token: admin, body: { action: 'remove', reason: 'Rude.' } })).status).toBe(204);
  const without = (await season(other)).me.neighbours;
  expect(without).toContainEqual(expect.objectContaining({ is_me: true, display_name: null, name_id: null, score }));
  const nameOfOther = await call('GET /api/v1/leaderboard/me', { token: other.token });
  expect(nameOfOther.body).toEqual({ takes_part: true, display_name: null, removal_reason: 'Rude.' });
  const again = { token: other.token, body: { display_name: 'Boris the Copyist' } };
  expect((await call('PUT /api/v1/leaderboard/me', again)).status).toBe(422);
});

it('what makes no sense is refused with the reason', async () => {
  const token = (anna as Newcomer).token;
  const friends = { ...newBadge(3), metric: 'friends' };
  const refused = await call('POST /api/v1/badges/admin/preview', {
    token: admin,
    body: { metric: friends.metric, threshold: 3, window: 'week' },
  });
  expect(refused.body).toMatchObject({ status: 422, detail: expect.stringContaining('window') });
  expect((await call('POST /api/v1/badges/admin', { token, body: friends })).status).toBe(403);
  expect((await call('GET /api/v1/leaderboard/century')).status).toBe(422);
  expect((await call('GET /api/v1/leaderboard?metric=speed')).status).toBe(422);
  expect((await call('GET /api/v1/leaderboard?friends=1')).body).toMatchObject({
    status: 401,
    detail: expect.stringContaining('Sign in'),
  });
  expect((await call('PUT /api/v1/leaderboard/me', { token, body: { display_name: ' ' } })).status).toBe(422);
  expect((await decide(randomUUID(), 'release')).status).toBe(404);
});
