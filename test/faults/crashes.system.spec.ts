/**
 * Kills processes with kill -9 while clients book and pay. Afterwards everything that was acknowledged is there once, no
 * room is sold twice, and rebuilt read models equal the live ones.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../kit/cli.ts';
import { type CallApi, caller, once, type Reply, signIn } from '../kit/http.ts';
import { type Free, freeRooms } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { startWorld, type World } from '../kit/world.ts';

const BOOKERS = 6;
const RETRY_MS = 60_000;

let world: World;
let call: CallApi;
let token: string;

beforeAll(async () => {
  world = await startWorld();
  call = caller((await world.runtime()).api);
  token = await signIn(call, world.demo, 'tourist');
}, 150_000);
afterAll(() => world?.stop());

/** Repeats the request with the same idempotency key until there is an answer, as an app does. */
const insist = async (request: string, body: unknown, headers = once()): Promise<Reply> => {
  const giveUp = Date.now() + RETRY_MS;
  for (;;) {
    const reply = await call(request, { token, body, headers }).catch(() => undefined);
    if (reply && reply.status < 500 && reply.body?.code !== 'in_flight') return reply;
    if (Date.now() > giveUp) throw new Error(`${request}: no answer for a minute, last ${reply?.status}`);
    await delay(100);
  }
};

const insistOnReading = async (request: string): Promise<Reply> => {
  const giveUp = Date.now() + RETRY_MS;
  for (;;) {
    const reply = await call(request, { token }).catch(() => undefined);
    if (reply && reply.status < 500) return reply;
    if (Date.now() > giveUp) throw new Error(`${request}: no answer for a minute`);
    await delay(100);
  }
};

/** Free rooms, few enough that the clients compete for some of them. */
const openRooms = async (): Promise<Free[]> => {
  const found: Free[] = [];
  for await (const free of freeRooms(call, world.demo)) {
    found.push(free);
    if (found.length === 40) break;
  }
  return found;
};

interface Load {
  readonly booked: Set<string>;
  readonly paid: Set<string>;
  stop(): Promise<void>;
}

/** Books and pays until stopped, and records what was acknowledged. */
const startLoad = async (): Promise<Load> => {
  const rooms = await openRooms();
  expect(rooms.length).toBeGreaterThan(5);
  const load = { booked: new Set<string>(), paid: new Set<string>() };
  let going = true;
  let next = 0;

  const bookOne = async () => {
    const { roomId, checkIn, checkOut } = rooms[next++ % rooms.length] as (typeof rooms)[number];
    const booking = await insist('POST /api/v1/bookings/create', {
      type: 'hotel',
      item_id: roomId,
      check_in: checkIn,
      check_out: checkOut,
      guests: 1,
    });
    if (booking.status !== 201) return expect(booking.body.code).toBe('sold_out');
    load.booked.add(booking.body.id);
    const payment = await insist('POST /api/v1/payments/process', { booking_id: booking.body.id, method: 'card' });
    expect(payment.status, JSON.stringify(payment.body)).toBeLessThan(300);
    const approved = await until(
      () =>
        fetch(payment.body.redirect_url, {
          method: 'POST',
          body: new URLSearchParams({ action: 'approve' }),
          redirect: 'manual',
        }).then(
          (reply) => reply.status < 500,
          () => false,
        ),
      RETRY_MS,
    );
    expect(approved).toBe(true);
    load.paid.add(booking.body.id);
  };

  const bookers = Array.from({ length: BOOKERS }, async () => {
    while (going) await bookOne();
  });
  return {
    ...load,
    stop: async () => {
      going = false;
      await Promise.all(bookers);
    },
  };
};

/** Kills a process with kill -9 and waits until the supervisor has replaced it. */
const kill = async (role: string) => {
  const before = (await world.runtime()).pids[role];
  expect(before, `${role} runs`).toBeGreaterThan(0);
  process.kill(before as number, 'SIGKILL');
  await until(async () => {
    const now = (await world.runtime()).pids[role];
    return now !== undefined && now !== before;
  }, 60_000);
};

const allMine = async (): Promise<{ id: string; status: string; item_id: string }[]> => {
  const mine: { id: string; status: string; item_id: string }[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await insistOnReading(`GET /api/v1/bookings/me?per_page=100&page=${page}`);
    mine.push(...body.data);
    if (mine.length >= body.total || body.data.length === 0) return mine;
  }
};

describe('kill -9 under load', () => {
  it.each(['worker', 'api', 'eventstore', 'realtime', 'postgres', 'sandbox'])(
    'loses nothing when %s is killed',
    async (role) => {
      const load = await startLoad();
      await until(() => load.paid.size >= 3, RETRY_MS);
      await kill(role);
      const soFar = load.paid.size;
      await until(() => load.paid.size >= soFar + 3, RETRY_MS);
      await load.stop();

      // Every acknowledged booking exists, and every approved payment has made its booking paid.
      const mine = await until(async () => {
        const all = new Map((await allMine()).map((booking) => [booking.id, booking.status]));
        const kept =
          [...load.booked].every((id) => all.has(id)) &&
          [...load.paid].every((id) => all.get(id) !== 'pending_payment');
        return kept ? all : undefined;
      }, RETRY_MS);
      for (const id of load.paid) expect(mine.get(id)).toBe('paid');
      promised.push(...load.booked);
    },
    200_000,
  );

  const promised: string[] = [];

  it('duplicates nothing: the bookings are exactly those that were acknowledged', async () => {
    expect((await allMine()).map((booking) => booking.id).toSorted()).toEqual(promised.toSorted());
  });

  it('leaves read models that equal rebuilt ones', async () => {
    const verified = await runCli(world.dataDir, 'projections', 'verify', '--json');
    expect(verified.length).toBeGreaterThan(5);
    for (const model of verified) expect(model, JSON.stringify(model)).toMatchObject({ differences: 0 });
  }, 120_000);
});
