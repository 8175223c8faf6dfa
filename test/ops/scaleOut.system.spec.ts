/** Two of every role on the same stores: requests go to either, nothing is done twice, and a standby takes over. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../ops/ports.ts';
import { follow } from '../../realtime/hub/client.ts';
import type { Envelope, ServerFrame } from '../../realtime/hub/protocol.ts';
import { caller, signIn } from '../kit/http.ts';
import { freeRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { startWorld, type World } from '../kit/world.ts';

const MAIN = path.resolve(import.meta.dirname, '../../dist/ops/main.js');

let world: World;
const second: ChildProcess[] = [];
let apis: string[];
let hubs: string[];

beforeAll(async () => {
  world = await startWorld();
  const { databaseUrl, eventStore, api, realtime, sandbox } = await world.runtime();
  const [port, hubPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
  const start = (role: string) =>
    second.push(
      spawn(process.execPath, [MAIN], {
        env: {
          PATH: process.env.PATH,
          NODE_ENV: 'test',
          LOG_LEVEL: 'warn',
          RATE_LIMITS: '0',
          ROLE: role,
          PORT: String(port),
          REALTIME_PORT: String(hubPort),
          DATABASE_URL: databaseUrl,
          ESDB_CONNECTION_STRING: eventStore,
          SANDBOX_URL: sandbox,
        },
        stdio: 'inherit',
      }),
    );
  for (const role of ['api', 'realtime', 'worker']) start(role);
  apis = [api, `http://127.0.0.1:${port}`];
  hubs = [realtime, `ws://127.0.0.1:${hubPort}/ws`];
  for (const url of [`http://127.0.0.1:${port}/health`, `http://127.0.0.1:${hubPort}/health`])
    await until(
      () =>
        fetch(url).then(
          (reply) => reply.ok,
          () => false,
        ),
      30_000,
    );
}, 180_000);

afterAll(async () => {
  for (const child of second) child.kill('SIGTERM');
  await until(() => second.every((child) => child.exitCode !== null || child.signalCode !== null), 20_000);
  await world?.stop();
});

it('writes at one API are visible at the other and at both hubs, and a standby projector takes over', async () => {
  const [first, other] = apis.map(caller);
  if (!first || !other) throw new Error('two apis');
  const token = await signIn(first, world.demo, 'tourist');
  const heard: string[][] = [[], []];
  const listening = new AbortController();
  const dismissed = Promise.allSettled(
    hubs.map((url, hub) =>
      follow({
        url,
        token: () => token,
        channels: [`realtime:user_${world.demo.accounts.tourist.id}`],
        onFrame: (frame: ServerFrame | Envelope) => {
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
    const read = await reader(`GET /api/v1/bookings/${booked.body.id}`, {
      token,
      headers: { 'x-min-position': position },
    });
    expect(read.body.id).toBe(booked.body.id);
    await until(() => heard.every((each) => each.includes(booked.body.id)));
    await reader(`POST /api/v1/bookings/${booked.body.id}/cancel`, { token, body: { reason: 'test' } });
  };
  await bookAndRead(first, other);
  await bookAndRead(other, first);

  // Kill the supervisor's worker: the standby projects from now on or until the worker is back.
  process.kill((await world.runtime()).pids.worker as number, 'SIGKILL');
  const deadline = Date.now() + 30_000;
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
}, 120_000);
