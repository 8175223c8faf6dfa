/** Two of every role on the same stores: requests go to either, nothing is done twice, and one takes over from the other. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JOBS_CHANNEL } from '../../commands/core/jobChanges.ts';
import { connectEventStore } from '../../eventstore/client/index.ts';
import { followChannels } from '../../ops/cli/listen.ts';
import { freePort } from '../../ops/ports.ts';
import { caller, signIn } from '../kit/http.ts';
import { freeRoom } from '../kit/stays.ts';
import { until, WAIT_MS } from '../kit/until.ts';
import { healthy, startRole, startWorld, type World } from '../kit/world.ts';

let world: World;
const second: ReturnType<typeof startRole>[] = [];
let apis: string[];
let hubs: string[];

beforeAll(async () => {
  world = await startWorld({ POLICY_PARTS: '2' });
  const system = await world.runtime();
  const [port, hubPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
  const settings = { POLICY_PARTS: '2', PORT: String(port), REALTIME_PORT: String(hubPort) };
  for (const role of ['api', 'realtime', 'worker']) second.push(startRole(role, system, settings));
  apis = [system.api, `http://127.0.0.1:${port}`];
  hubs = [system.realtime, `ws://127.0.0.1:${hubPort}/ws`];
  await Promise.all([healthy(port), healthy(hubPort)]);
});

afterAll(async () => {
  await Promise.all(second.map(({ stop }) => stop()));
  await world?.stop();
});

it('writes at one API are visible at the other and at both hubs, and another worker takes over the projector', async () => {
  const [first, other] = apis.map(caller);
  if (!first || !other) throw new Error('two apis');
  const token = await signIn(first, world.demo, 'tourist');
  const heard: string[][] = [[], []];
  const listening = new AbortController();
  const dismissed = Promise.allSettled(
    hubs.map((url, hub) =>
      followChannels({
        url,
        token: () => token,
        channels: [`realtime:user_${world.demo.accounts.tourist.id}`],
        onFrame: (frame) => {
          if (frame.type === 'subscribed') heard[hub]?.push('subscribed');
          if ('data' in frame && frame.type === 'booking.created') heard[hub]?.push((frame.data as { id: string }).id);
        },
        signal: listening.signal,
      }),
    ),
  );
  await until(() => heard.every((each) => each.includes('subscribed')));

  const { roomId, checkIn, checkOut } = await freeRoom(other, world.demo);
  const book = { type: 'hotel', item_id: roomId, check_in: checkIn, check_out: checkOut, guests: 1 };

  const bookAndRead = async (writer: typeof first, reader: typeof first) => {
    const booked = await writer('POST /api/v1/bookings/create', { token, body: book });
    expect(booked.status, JSON.stringify(booked.body)).toBe(201);
    const position = booked.headers.get('x-event-position') ?? '';
    // A reply that does not say that it shows less has the booking.
    const read = await until(async () => {
      const reply = await reader(`GET /api/v1/bookings/${booked.body.id}`, {
        token,
        headers: { 'x-min-position': position },
      });
      return reply.headers.get('x-projected') === null && reply;
    });
    expect(read.body.id).toBe(booked.body.id);
    await until(() => heard.every((each) => each.includes(booked.body.id)));
    await reader(`POST /api/v1/bookings/${booked.body.id}/cancel`, { token, body: { reason: 'test' } });
  };
  await bookAndRead(first, other);
  await bookAndRead(other, first);

  // Kill the supervisor's worker: the other one projects all from now on or until the worker is back.
  process.kill((await world.runtime()).pids.worker as number, 'SIGKILL');
  const deadline = Date.now() + WAIT_MS;
  for (let projected = false; !projected; ) {
    expect(Date.now()).toBeLessThan(deadline);
    const { headers } = await first('PUT /api/v1/users/me', { token, body: { first_name: `Ann${Date.now()}` } });
    projected = headers.get('x-projected') === null;
  }
  await bookAndRead(first, other);

  // Signing out at one node signs out everywhere, and closes the sockets.
  await first('POST /auth/logout', { token, body: {} });
  expect((await other('GET /auth/me', { token })).status).toBe(401);
  for (const { status } of await dismissed) expect(status).toBe('rejected'); // both hubs reject the token
});

interface Consumer {
  readonly name: string;
  readonly events: number;
  readonly holder: string | null;
}

it('two workers share groups of read models and policies; one is killed, and nothing is lost or done twice', async () => {
  const [first, other] = apis.map(caller);
  if (!first || !other) throw new Error('two apis');
  const admin = await signIn(first, world.demo, 'admin');
  // A busy machine may not answer one of many questions in time.
  const state = () =>
    until(async () => {
      const reply = await first('GET /api/v1/admin/projections', { token: admin });
      return reply.status === 200 && reply.body;
    });
  const consumers = async (): Promise<Consumer[]> => (await state()).lag.consumers;
  const isGroup = ({ name }: Consumer): boolean => name.startsWith('read-models:');
  /** How many of them each worker has, the most first. */
  const sharesOf = (those: readonly Consumer[]): number[] => {
    const counts = new Map<string | null, number>();
    for (const { holder } of those) counts.set(holder, (counts.get(holder) ?? 0) + 1);
    return counts.has(null) ? [] : [...counts.values()].toSorted((a, b) => b - a);
  };
  const all = await consumers();
  const [groups, policies] = [all.filter(isGroup).length, all.filter((one) => !isGroup(one)).length];
  expect(groups).toBeGreaterThan(1);
  await until(async () => {
    const now = await consumers();
    const shares = [sharesOf(now.filter(isGroup)), sharesOf(now.filter((one) => !isGroup(one)))];
    return (
      JSON.stringify(shares) === JSON.stringify([groups, policies].map((n) => [Math.ceil(n / 2), Math.floor(n / 2)]))
    );
  });

  const token = await signIn(first, world.demo, 'tourist2');
  const { roomId, checkIn, checkOut } = await freeRoom(first, world.demo);
  const body = { type: 'hotel', item_id: roomId, check_in: checkIn, check_out: checkOut, guests: 1 };
  const cancelled: string[] = [];
  let written = '';
  for (let n = 0; n < 12; n += 1) {
    // One worker dies in the middle of it.
    if (n === 4) process.kill((await world.runtime()).pids.worker as number, 'SIGKILL');
    const writer = n % 2 === 0 ? first : other;
    const booked = await writer('POST /api/v1/bookings/create', { token, body, headers: { prefer: 'respond-async' } });
    expect(booked.status, JSON.stringify(booked.body)).toBe(201);
    const ended = await writer(`POST /api/v1/bookings/${booked.body.id}/cancel`, { token, body: { reason: 'test' } });
    written = ended.headers.get('x-event-position') ?? written;
    cancelled.push(booked.body.id);
  }
  await until(async () => (await consumers()).every(({ events, holder }) => events === 0 && holder !== null));
  for (const reader of [first, other]) {
    const page = await until(async () => {
      const reply = await reader('GET /api/v1/bookings/me?per_page=100', {
        token,
        headers: { 'x-min-position': written },
      });
      return reply.headers.get('x-projected') === null && reply;
    });
    const shown = new Map(page.body.data.map(({ id, status }: { id: string; status: string }) => [id, status]));
    for (const id of cancelled) expect(shown.get(id)).toBe('cancelled');
  }

  const { databaseUrl, eventStore } = await world.runtime();
  const store = connectEventStore(eventStore);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    // What the killed worker had not saved is handled again together: a job may be set after the release that ended it.
    // It finds nothing to do.
    const isOfThese = `kind = 'hold_expiry' and data->>'bookingId' = any ($1)`;
    const hurry = `update ops.jobs set run_at = now(), due_at = now() where ${isOfThese} returning id`;
    await pool.query(`with due as (${hurry}) select pg_notify('${JOBS_CHANNEL}', '0') from due`, [cancelled]);
    const left = async () => (await pool.query(`select id from ops.jobs where ${isOfThese}`, [cancelled])).rows;
    await until(async () => (await left()).length === 0);
    const stock = await store.read(`inventory-${roomId}`);
    const released = stock.filter(({ type }) => type === 'HoldReleased').map(({ data }) => data.bookingId);
    for (const bookingId of cancelled) expect(released.filter((id) => id === bookingId)).toHaveLength(1);
    // The hubs read changes by id, and a client by the offset in its channel.
    const gaps = await pool.query(
      `select channel from (select channel, "offset" - lag("offset") over (partition by channel order by id) as step
         from read.changes) as steps where step <> 1`,
    );
    expect(gaps.rows).toEqual([]);
  } finally {
    await store.close();
    await pool.end();
  }

  // What two workers have written is what one pass over the log makes.
  const verify = await first('POST /api/v1/admin/projections/all/verify', { token: admin });
  expect(verify.status, JSON.stringify(verify.body)).toBe(202);
  const details = async (): Promise<(string | null)[]> =>
    (await state()).data.map(({ runs }: { runs: { mode: string; status: string; detail: string | null }[] }) => {
      const run = runs.find(({ mode }) => mode === 'verify');
      return run?.status === 'done' ? run.detail : null;
    });
  await until(async () => (await details()).every((detail) => detail !== null));
  expect(new Set(await details())).toEqual(new Set(['0 rows differed']));
});
