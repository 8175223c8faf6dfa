/**
 * Kills processes with kill -9 while clients book and pay. Afterwards everything that was acknowledged is there once, no
 * room is sold twice, and rebuilt read models equal the live ones.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../kit/cli.ts';
import { caller, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { startWorld, type World } from '../kit/world.ts';
import { allMine, type Client, kill, startLoad } from './load.ts';

let world: World;
let client: Client;

beforeAll(async () => {
  world = await startWorld();
  const call = caller((await world.runtime()).api);
  const token = await signIn(call, world.demo, 'tourist');
  client = { world, call, token: () => token };
});
afterAll(() => world?.stop());

describe('kill -9 under load', () => {
  it.each(['worker', 'api', 'eventstore', 'realtime', 'postgres', 'sandbox'])(
    'loses nothing when %s is killed',
    async (role) => {
      const load = await startLoad(client);
      await until(() => load.paid.size >= 3);
      await kill(world, role);
      const soFar = load.paid.size;
      await until(() => load.paid.size >= soFar + 3);
      await load.stop();

      // Every acknowledged booking exists, and every approved payment has made its booking paid.
      const mine = await until(async () => {
        const all = new Map((await allMine(client)).map((booking) => [booking.id, booking.status]));
        const kept =
          [...load.booked].every((id) => all.has(id)) &&
          [...load.paid].every((id) => all.get(id) !== 'pending_payment');
        return kept ? all : undefined;
      });
      for (const id of load.paid) expect(mine.get(id)).toBe('paid');
      promised.push(...load.booked);
    },
  );

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
