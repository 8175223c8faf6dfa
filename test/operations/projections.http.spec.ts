/** Operation of the read models over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import type { ModelStatus } from '../../projections/engine/status.ts';
import { models } from '../../projections/modules.ts';
import { type Call, caller, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let admin: Call;
beforeAll(async () => {
  admin = { token: await signIn(call, demo, 'admin') };
});

const statusOf = async (name: string): Promise<ModelStatus> => {
  const { body } = await call('GET /api/v1/admin/projections', admin);
  return body.data.find((model: ModelStatus) => model.name === name);
};
const post = (path: string, body: unknown = {}) => call(`POST /api/v1/admin/projections/${path}`, { ...admin, body });
const ended = (name: string, mode: string) =>
  until(async () => (await statusOf(name)).runs.find((run) => run.mode === mode && run.status === 'done'));

it('lists every read model, up to date', async () => {
  const { status, body } = await call('GET /api/v1/admin/projections', admin);
  expect(status).toBe(200);
  expect(body.lag).toMatchObject({ head: expect.any(String), projector: expect.any(String) });
  expect(body.data.map(({ name }: ModelStatus) => name)).toEqual(models.map(({ name }) => name));
  for (const model of body.data) expect(model).toMatchObject({ live_version: model.version, parked: 0 });
});

it('rebuilds and verifies in the background', async () => {
  const before = await statusOf('hotels');
  expect(await post('hotels/rebuild')).toMatchObject({ status: 202, body: { name: 'hotels', mode: 'rebuild' } });
  expect(await ended('hotels', 'rebuild')).toMatchObject({ progress: 1, detail: '0 rows differed' });
  expect((await statusOf('hotels')).epoch).toBe(before.epoch + 1);
  expect(await post('hotels/verify')).toMatchObject({ status: 202, body: { mode: 'verify' } });
  expect(await ended('hotels', 'verify')).toMatchObject({ detail: '0 rows differed' });
});

it('verifies all read models in one pass', async () => {
  expect(await post('all/verify')).toMatchObject({ status: 202, body: { name: 'all', mode: 'verify' } });
  for (const { name } of models) expect(await ended(name, 'verify')).toMatchObject({ detail: '0 rows differed' });
  expect(await post('all/cancel')).toMatchObject({ status: 202, body: { cancelled: [] } });
});

it('refuses a second rebuild while one runs', async () => {
  const both = await Promise.all([post('room_nights/rebuild'), post('room_nights/rebuild')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  await ended('room_nights', 'rebuild');
});

it('answers 404 for an unknown read model, and finds nothing to cancel or retry', async () => {
  for (const action of ['rebuild', 'verify', 'cancel']) expect((await post(`nothing/${action}`)).status).toBe(404);
  expect(await post('api_keys/cancel')).toMatchObject({ status: 202, body: { cancelled: [] } });
  expect((await post('parked/retry', { model: 'nothing' })).status).toBe(404);
  expect(await post('parked/retry')).toMatchObject({ status: 200, body: { data: [] } });
  expect((await call('GET /api/v1/admin/projections/parked', admin)).body).toEqual({ data: [] });
});
