/** Waits at a lift over HTTP: what is typical, and being told once when the wait gets short. */
import { beforeAll, expect, it } from 'vitest';
import { caller, newTourist, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let admin = '';
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
});

it('a guest is told once when the wait is short, and the reports become what is typical', async () => {
  const { token } = await newTourist(call, admin, 'Vera');
  const geometry = {
    type: 'LineString',
    coordinates: [
      [40.2976, 43.6715],
      [40.3105, 43.6621],
    ],
  };
  const lift = { name: 'Queue test', kind: 'chair_lift', geometry, capacity_per_hour: 1_200 };
  const { id } = (await call('POST /api/v1/resort/lifts', { token: admin, body: lift })).body;
  const path = `/api/v1/resort/lifts/${id}`;
  const report = (queue: object) => call(`PATCH ${path}`, { token: admin, body: { status: 'open', queue } });
  const told = async () => (await call('GET /api/v1/notifications?kind=queue', { token })).body.data;
  const alert = (below_minutes: number) => call(`POST ${path}/queue-alerts`, { token, body: { below_minutes } });

  expect((await alert(6)).status).toBe(201);
  const listed = await call('GET /api/v1/resort/queue-alerts', { token });
  expect(listed.body.data).toEqual([{ lift_id: id, below_minutes: 6, expires_at: expect.any(String) }]);
  await report({ people: 200 }); // 10 minutes
  await report({ minutes: 3 });
  const [first] = await until(async () => {
    const found = await told();
    return found.length > 0 ? found : undefined;
  });
  expect(first).toMatchObject({ type: 'lift_queue_short', body: expect.stringContaining('Queue test') });
  expect((await call('GET /api/v1/resort/queue-alerts', { token })).body.data).toEqual([]);
  const refused = await alert(6);
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('3 minutes already')]);
  expect((await call(`DELETE ${path}/queue-alerts`, { token })).status).toBe(204);
  expect(
    (await call(`POST /api/v1/resort/lifts/${crypto.randomUUID()}/queue-alerts`, { token, body: {} })).status,
  ).toBe(404);

  const { body } = await call(`GET ${path}/typical-waits`);
  const minutes = body.data.map((wait: { minutes: number }) => wait.minutes);
  // The quarter of an hour may have ended between the two.
  expect(['6.5', '10,3', '3,10']).toContain(String(minutes));
  expect(body).toMatchObject({ lift_id: id, timezone: expect.any(String) });

  // Whoever still waits for a short queue learns that the lift is gone.
  await report({ people: 200 });
  await until(async () => (await call(`GET ${path}`)).body.queue_minutes === 10);
  // What alerts know of the wait is told at most every 5 seconds.
  await until(async () => (await alert(6)).status === 201);
  expect((await call(`DELETE ${path}`, { token: admin })).status).toBe(204);
  const ended = await until(async () =>
    (await told()).find(({ type }: { type: string }) => type === 'lift_alert_ended'),
  );
  expect(ended.body).toContain('Queue test');
  await until(async () => (await call('GET /api/v1/resort/queue-alerts', { token })).body.data.length === 0);
});
