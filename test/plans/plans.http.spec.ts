/** A day is planned, lunch is booked, the plan is made again when a lift stops; an admin changes the weights. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { caller, newTourist, signIn } from '../kit/http.ts';
import { day } from '../kit/stays.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
/** The station in the village, near which the demo's restaurants are. */
const [bottom, top] = [
  [40.2976, 43.6715, 560],
  [40.2999, 43.6799, 900],
];
const made: string[] = [];
let [admin, tourist, lift, slope] = ['', '', '', ''];

/** Open at any time of the year. */
const add = async (kind: 'lifts' | 'slopes', body: object): Promise<string> => {
  const { id } = (await call(`POST /api/v1/resort/${kind}`, { token: admin, body })).body;
  made.push(`/api/v1/resort/${kind}/${id}`);
  await call(`PATCH /api/v1/resort/${kind}/${id}`, { token: admin, body: { status: 'open' } });
  return id;
};
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  tourist = (await newTourist(call, admin, 'Lev')).token;
  const up = { type: 'LineString', coordinates: [bottom, top] };
  lift = await add('lifts', { name: 'Plan lift', kind: 'chair_lift', geometry: up, ride_minutes: 5 });
  const down = { type: 'LineString', coordinates: [top, bottom] };
  const links = { from_lifts: [lift], to_lifts: [lift] };
  slope = await add('slopes', { name: 'Plan slope', difficulty: 'novice', geometry: down, length_m: 1_200, ...links });
  await add('slopes', { name: 'Plan chute', difficulty: 'expert', geometry: down, ...links });
});
afterAll(async () => {
  for (const path of made) await call(`DELETE ${path}`, { token: admin });
});

const date = day(1);
const planned = (more = '') =>
  call(
    `GET /api/v1/recommendations/plan-day?start=${date}T08:00:00Z&end=${date}T13:00:00Z&level=novice&from=${lift}${more}`,
    { token: tourist },
  );
interface Step {
  readonly type: string;
  readonly name?: string;
}

it('plans a day with lunch at a table that can be booked, and again when the lift stops', async () => {
  const { status, body } = await planned('&wishes=lunch,variety&guests=2');
  expect(status).toBe(200);
  const { plan, notes, back_by } = body;
  expect(notes.map(({ code }: { code: string }) => code)).toEqual(['few_slopes']);
  expect([plan.ends_at <= back_by, back_by <= `${date}T13:00:00.000Z`]).toEqual([true, true]);
  expect(plan.depends_on).toMatchObject({
    lifts: expect.arrayContaining([lift]),
    slopes: expect.arrayContaining([slope]),
  });
  expect(plan.steps.some(({ name }: Step) => name === 'Plan chute')).toBe(false);
  for (const [n, step] of plan.steps.entries()) if (n > 0) expect(step.starts_at).toBe(plan.steps[n - 1].ends_at);
  const { table } = plan.steps.find(({ type }: Step) => type === 'lunch');
  const { method, path, body: order } = table.booking;
  const booked = await call(`${method} ${path}`, { token: tourist, body: order });
  expect([booked.status, booked.body.slot_start]).toEqual([201, table.slot_start]);

  await call(`PATCH /api/v1/resort/lifts/${lift}`, { token: admin, body: { status: 'hold', reason: 'Wind' } });
  const again = await planned(`&to=${lift}`);
  expect(JSON.stringify(again.body.plan ?? {})).not.toContain(lift);
  await call(`PATCH /api/v1/resort/lifts/${lift}`, { token: admin, body: { status: 'open' } });
});

it('refuses what cannot be planned, and says what to send', async () => {
  const refused = async (query: string) => {
    const { status, body } = await call(`GET /api/v1/recommendations/plan-day?${query}`, { token: tourist });
    return [status, body.errors?.[0]?.pointer];
  };
  expect(await refused(`from=${crypto.randomUUID()}`)).toEqual([422, '/query/from']);
  expect(await refused('wishes=lunch,sun')).toEqual([422, '/query/wishes']);
  expect(await refused('start=2020-01-01T08:00:00Z')).toEqual([422, '/query/start']);
  expect(await refused(`start=${date}T08:00:00Z&end=${date}T07:00:00Z`)).toEqual([422, '/query/end']);
  expect(await refused(`start=${date}T08:00:00Z&end=${day(2)}T09:00:00Z`)).toEqual([422, '/query/end']);
});

it('an admin tries other weights, sets them, and sees the history', async () => {
  const config = (body: object, query = '', headers: Record<string, string> = {}) =>
    call(`PATCH /api/v1/recommendations/config${query}`, { token: admin, body, headers });
  const before = await call('GET /api/v1/recommendations/config', { token: admin });
  const etag = before.headers.get('etag') ?? '';
  const { revision } = before.body;

  const tried = await config({ weights: { vertical: 0, distance: 9 } }, '?dry_run=true');
  expect(tried.body).toMatchObject({ revision: revision + 1, weights: { vertical: 0, distance: 9 } });
  expect(tried.body.samples.map(({ level }: { level: string }) => level)).toEqual(['easy', 'intermediate', 'advanced']);
  expect((await call('GET /api/v1/recommendations/config', { token: admin })).body).toEqual(before.body);

  const reason = 'Long slopes first';
  const set = await config({ weights: { distance: 1 }, reason }, '', { 'if-match': etag });
  expect([set.status, set.body.revision, set.body.samples]).toEqual([200, revision + 1, null]);
  expect((await config({ weights: { distance: 2 } }, '', { 'if-match': etag })).status).toBe(412);
  expect((await config({ lunch: { from: '16:00' } })).status).toBe(422);
  const { data } = (await call('GET /api/v1/admin/recommendations/config/revisions', { token: admin })).body;
  expect(data[0]).toMatchObject({ revision: revision + 1, reason, changed_by: demo.accounts.admin.id });
  expect((await planned()).body.config_revision).toBe(revision + 1);
  expect((await call('GET /api/v1/recommendations/config', { token: tourist })).status).toBe(403);
});
