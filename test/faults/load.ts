/** Clients that book and pay without a pause, and remember what was acknowledged. Shared by the tests of faults. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { type CallApi, once, type Reply } from '../kit/http.ts';
import { type Free, freeRooms } from '../kit/stays.ts';
import { until, WAIT_MS } from '../kit/until.ts';
import type { World } from '../kit/world.ts';
import type { Fault } from './faults.ts';
import type { WiredWorld } from './wiredWorld.ts';

const BOOKERS = 6;
const ROOMS = 40;

/** A signed-in client of a running system. `token` is a function, because long tests outlive a token. */
export interface Client {
  readonly world: World;
  readonly call: CallApi;
  readonly token: () => string;
}

const refused = (reply: Reply | undefined): boolean =>
  reply === undefined || reply.status >= 500 || reply.body?.code === 'in_flight';

/**
 * Repeats a request with the same idempotency key until it is answered, as an app does.
 * @throws Error after `WAIT_MS` without an answer
 */
export const insist = async ({ call, token }: Client, request: string, body?: unknown): Promise<Reply> => {
  const headers = request.startsWith('GET ') ? {} : once();
  const giveUp = Date.now() + WAIT_MS;
  for (;;) {
    const reply = await call(request, { token: token(), body, headers }).catch(() => undefined);
    if (reply && reply.status >= 500 && reply.status !== 503)
      throw new Error(`${request}: ${reply.status} ${JSON.stringify(reply.body)}`);
    if (reply && !refused(reply)) return reply;
    if (Date.now() > giveUp) throw new Error(`${request}: no answer within ${WAIT_MS} ms, last ${reply?.status}`);
    await delay(100);
  }
};

/** Approves a payment on the provider's page, as the guest's browser does. */
const approve = async (url: string): Promise<void> => {
  await until(() =>
    fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ action: 'approve' }),
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    }).then(
      (reply) => reply.status < 500,
      () => false,
    ),
  );
};

/** Free rooms, few enough that the clients compete for some of them. */
const openRooms = async ({ call, world }: Client): Promise<Free[]> => {
  const found: Free[] = [];
  for await (const free of freeRooms(call, world.demo)) {
    found.push(free);
    if (found.length === ROOMS) break;
  }
  return found;
};

export interface Load {
  readonly booked: Set<string>;
  readonly paid: Set<string>;
  /** What a client asked to be cancelled, before or after the money arrived. */
  readonly cancelled: Set<string>;
  stop(): Promise<void>;
}

/** `cancel`: the share of bookings that are cancelled, at a moment that may be before or after the payment. */
export const startLoad = async (client: Client, { cancel = 0 } = {}): Promise<Load> => {
  const rooms = await openRooms(client);
  expect(rooms.length).toBeGreaterThan(5);
  const load = { booked: new Set<string>(), paid: new Set<string>(), cancelled: new Set<string>() };
  let going = true;
  let next = 0;

  const pay = async (id: string) => {
    const payment = await insist(client, 'POST /api/v1/payments/process', { booking_id: id, method: 'card' });
    expect(payment.status, JSON.stringify(payment.body)).toBeLessThan(300);
    await approve(payment.body.redirect_url);
  };

  const bookOne = async () => {
    const turn = next++;
    const { roomId, checkIn, checkOut } = rooms[turn % rooms.length] as Free;
    const stay = { type: 'hotel', item_id: roomId, check_in: checkIn, check_out: checkOut, guests: 1 };
    const { status, body } = await insist(client, 'POST /api/v1/bookings/create', stay);
    if (status !== 201) return expect(body.code).toBe('sold_out');
    load.booked.add(body.id);
    await pay(body.id);
    if ((turn * cancel) % 1 < 1 - cancel) {
      load.paid.add(body.id);
      return;
    }
    // The notification of the payment is on its way, so this races with the money.
    const reply = await insist(client, `POST /api/v1/bookings/${body.id}/cancel`, {});
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    load.cancelled.add(body.id);
  };

  const bookers = Array.from({ length: BOOKERS }, async () => {
    while (going) await bookOne();
  });
  // Reported by `stop`; without this the first failure would end the process.
  const done = Promise.allSettled(bookers);
  return {
    ...load,
    stop: async () => {
      going = false;
      for (const result of await done) if (result.status === 'rejected') throw result.reason;
    },
  };
};

/** Kills a process with kill -9 and waits until the supervisor has replaced it. */
export const kill = async (world: World, role: string): Promise<void> => {
  const before = (await world.runtime()).pids[role];
  expect(before, `${role} runs`).toBeGreaterThan(0);
  process.kill(before as number, 'SIGKILL');
  await until(async () => {
    const now = (await world.runtime()).pids[role];
    return now !== undefined && now !== before;
  });
};

export interface Mine {
  readonly id: string;
  readonly status: string;
  readonly item_id: string;
}

/** All bookings of the client. */
export const allMine = async (client: Client): Promise<Mine[]> => {
  const mine: Mine[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await insist(client, `GET /api/v1/bookings/me?per_page=100&page=${page}`);
    mine.push(...body.data);
    if (mine.length >= body.total || body.data.length === 0) return mine;
  }
};

/** Lets a fault befall a system under load: clients go on before, during and after it. @returns what was acknowledged */
export const endure = async (
  client: Client & { readonly world: WiredWorld },
  fault: Fault,
  options?: { cancel: number },
): Promise<Load> => {
  const load = await startLoad(client, options);
  await until(() => load.booked.size >= 3);
  await fault.cause(client.world);
  const soFar = load.booked.size;
  await until(() => load.booked.size >= soFar + 3, 2 * WAIT_MS);
  await load.stop();
  return load;
};
