/** What a simulation needs of the real API before its day begins: lifts, passes, gates, and accounts that record. */
import { setTimeout as delay } from 'node:timers/promises';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { type CallApi, newTourist, once, type Reply } from '../kit/http.ts';
import { day as dateIn } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import type { SimulatedMountain } from './mountain.ts';

const AT_ONCE = 8;
const PASSES_OF_A_PURCHASE = 20;

interface Recorder {
  readonly token: string;
  /** On leaderboards. */
  readonly name: string;
}
export interface Cast {
  readonly admin: string;
  readonly gate: string;
  /** By the index of the skier. */
  readonly codes: readonly string[];
  readonly recorders: readonly Recorder[];
  /** Ids by the index of the lift. */
  readonly lifts: readonly string[];
}

/** @throws Error with the answer that was not expected */
export const expectStatus = (reply: Reply, status = 200): Reply => {
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${JSON.stringify(reply.body)}`);
  return reply;
};

const PATIENCE_MS = 120_000;

/**
 * As apps do: what was refused for now (429, 503) is asked again, the same way, as late as the reply says, and who has to
 * prove who they are sends their password.
 */
export const patient =
  (call: CallApi, password: string): CallApi =>
  async (...request) => {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const reply = await call(...request);
      const { token } = request[1] ?? {};
      const isRefusedForNow = reply.status === 429 || reply.status === 503;
      if (performance.now() > deadline) return reply;
      if (token && reply.body?.code === 'fresh_proof_required')
        await call('POST /auth/confirm', { token, body: { password } });
      else if (isRefusedForNow) await delay(1_000 * Number(reply.headers.get('retry-after') ?? 1));
      else return reply;
    }
  };

const ALL_DAY = {
  seasons: [
    {
      from: '2020-01-01',
      until: '2099-12-31',
      hours: [{ weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], opens: '00:00', closes: '24:00' }],
    },
  ],
  exceptions: [],
};

/** Open at any hour, so that a simulation can run at night. */
const openLifts = async (call: CallApi, admin: string, { lifts }: SimulatedMountain): Promise<string[]> => {
  const ids: string[] = [];
  for (const { name, kind, path, capacity, minutes } of lifts) {
    const body = {
      name: `Simulated ${name}`,
      kind,
      geometry: { type: 'LineString', coordinates: path },
      capacity_per_hour: capacity,
      ride_minutes: minutes,
      schedule: ALL_DAY,
    };
    ids.push(
      expectStatus(await call('POST /api/v1/resort/lifts', { token: admin, headers: once(), body }), 201).body.id,
    );
  }
  return ids;
};

/** Lists and plans no longer have the lifts, nor leaderboards the people. */
export const leave = async (call: CallApi, { admin, lifts, recorders }: Cast): Promise<void> => {
  for (const id of lifts) expectStatus(await call(`DELETE /api/v1/resort/lifts/${id}`, { token: admin }), 204);
  await concurrentEach(recorders, AT_ONCE, async ({ token }) => {
    expectStatus(await call('DELETE /api/v1/leaderboard/me', { token }), 204);
  });
};

const sellPasses = async (call: CallApi, admin: string, count: number): Promise<string[]> => {
  const body = {
    name: 'Simulated days',
    age_group: 'adult',
    duration: { unit: 'day', count: 3 },
    within_days: 4,
    season: { from: dateIn(-30), to: dateIn(100) },
    price: 100,
    refunds_unused: true,
    timezone: 'UTC',
    currency: 'RUB',
  };
  const tariff = expectStatus(
    await call('POST /api/v1/admin/ski-pass/tariffs', { token: admin, headers: once(), body }),
    201,
  ).body.id;
  const { token } = await newTourist(call, admin, 'Groups');
  const codes: string[] = Array(count).fill('');
  const groups = Array.from({ length: Math.ceil(count / PASSES_OF_A_PURCHASE) }, (_, n) => n * PASSES_OF_A_PURCHASE);
  await concurrentEach(groups, AT_ONCE, async (first) => {
    const quantity = Math.min(PASSES_OF_A_PURCHASE, count - first);
    const bought = await call('POST /api/v1/skipass/purchase', {
      token,
      headers: once(),
      body: { tariff_id: tariff, valid_from: dateIn(0), quantity, method: 'card' },
    });
    const { id, redirect_url } = bought.body;
    if (!redirect_url) throw new Error(`the passes were not sold: ${JSON.stringify(bought.body)}`);
    await fetch(redirect_url, { method: 'POST', body: new URLSearchParams({ action: 'approve' }), redirect: 'manual' });
    await until(async () => (await call(`GET /api/v1/purchases/${id}`, { token })).body.status === 'paid');
    for (let number = 1; number <= quantity; number += 1) {
      const issued = await call('POST /api/v1/skipass/me/issue', {
        token,
        headers: once(),
        body: { purchase_id: id, number },
      });
      codes[first + number - 1] = expectStatus(issued).body.code;
    }
  });
  return codes;
};

const openAccounts = async (call: CallApi, admin: string, count: number): Promise<Recorder[]> => {
  const recorders: Recorder[] = [];
  const run = crypto.randomUUID().slice(0, 8);
  await concurrentEach([...Array(count).keys()], AT_ONCE, async (n) => {
    const { token } = await newTourist(call, admin, 'Skier');
    const display_name = `Skier ${run} ${n}`;
    expectStatus(await call('PUT /api/v1/leaderboard/me', { token, body: { display_name } }));
    recorders.push({ token, name: display_name });
  });
  return recorders;
};

export const castOf = async (
  call: CallApi,
  admin: string,
  mountain: SimulatedMountain,
  { skiers, recording }: { readonly skiers: number; readonly recording: number },
): Promise<Cast> => {
  const key = { name: 'Simulated gates', scopes: ['passes:scan'] };
  const gate = await call('POST /api/v1/admin/api-keys', { token: admin, headers: once(), body: key });
  const [lifts, codes, recorders] = await Promise.all([
    openLifts(call, admin, mountain),
    sellPasses(call, admin, skiers),
    openAccounts(call, admin, Math.ceil(skiers * recording)),
  ]);
  return { admin, gate: gate.body.key, codes, recorders, lifts };
};
