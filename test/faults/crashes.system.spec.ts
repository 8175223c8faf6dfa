/**
 * Kills processes with kill -9, and cuts and holds the connections to their stores, while clients book and pay. Afterwards
 * everything that was acknowledged is there once, no room is sold twice, and rebuilt read models equal the live ones.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../kit/cli.ts';
import { signIn } from '../kit/http.ts';
import { below, randomFrom } from '../kit/random.ts';
import { until } from '../kit/until.ts';
import { type Fault, faultsOfStores, kills } from './faults.ts';
import { allMine, type Client, endure } from './load.ts';
import { startWatch, type Watch } from './watch.ts';
import { startWiredWorld, type WiredWorld } from './wiredWorld.ts';

let world: WiredWorld;
let client: Client & { readonly world: WiredWorld };
let watch: Watch;

beforeAll(async () => {
  world = await startWiredWorld();
  const { call, demo } = world;
  const token = await signIn(call, demo, 'tourist');
  client = { world, call, token: () => token };
  const inNeed = await signIn(call, demo, 'tourist2');
  watch = startWatch(world.api, () => inNeed);
});
afterAll(async () => {
  await watch?.stop();
  await world?.stop();
});

const DRAWN = 2;
/** Some of the faults of stores, drawn by the seed of the run. */
const drawn = (): Fault[] => {
  const random = randomFrom();
  const left = faultsOfStores(2_000);
  return Array.from({ length: DRAWN }, () => left.splice(below(random, left.length), 1)).flat();
};

describe('under load', () => {
  it.each([...kills, ...drawn()])('loses nothing when $name', async (fault) => {
    const load = await endure(client, fault);

    // Every acknowledged booking exists, and every approved payment has made its booking paid.
    const mine = await until(async () => {
      const all = new Map((await allMine(client)).map((booking) => [booking.id, booking.status]));
      const kept =
        [...load.booked].every((id) => all.has(id)) && [...load.paid].every((id) => all.get(id) !== 'pending_payment');
      return kept ? all : undefined;
    });
    for (const id of load.paid) expect(mine.get(id)).toBe('paid');
    promised.push(...load.booked);
  });

  it('answers everybody who calls for help or asks how it is', async () => {
    await watch.stop();
    expect(watch.wrong).toEqual([]);
  });

  it('keeps an SOS request that the event store does not take, and delivers it later', async () => {
    const { call, token } = client;
    const admin = await signIn(call, world.demo, 'admin');
    const { eventstore } = (await world.runtime()).pids;
    if (!eventstore) throw new Error('the event store runs');
    process.kill(eventstore, 'SIGSTOP');
    const asked = await call('POST /api/v1/sos/request', { token: token(), body: { lat: 43.6781, lon: 40.2594 } });
    process.kill(eventstore, 'SIGCONT');
    expect(asked).toMatchObject({ status: 503, body: { code: 'sos_delayed', rescue_phone: '112' } });
    const { incident_id: id } = asked.body;
    const found = await until(async () => {
      const { body } = await call(`GET /api/v1/sos/${id}`, { token: admin });
      return body.id === id && body;
    });
    expect(found).toMatchObject({ status: 'new', position: { lat: 43.6781, lon: 40.2594 } });
  });

  const promised: string[] = [];

  it('duplicates nothing: the bookings are exactly those that were acknowledged', async () => {
    expect((await allMine(client)).map((booking) => booking.id).toSorted()).toEqual(promised.toSorted());
  });

  it('leaves read models that equal rebuilt ones', async () => {
    const verified = await runCli(world.dataDir, 'projections', 'verify', '--json');
    expect(verified.length).toBeGreaterThan(5);
    for (const model of verified) expect(model, JSON.stringify(model)).toMatchObject({ differences: 0 });
  });
});
