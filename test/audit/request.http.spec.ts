/** What support finds with the id of a customer's request: events, jobs with their outcome, and what was streamed. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { startCli } from '../kit/cli.ts';
import { type Call, caller, newTourist, once, signIn } from '../kit/http.ts';
import { freeRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { dataDir, demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const cli = startCli(dataDir);

let guest: Awaited<ReturnType<typeof newTourist>>;
beforeAll(async () => {
  guest = await newTourist(call, await signIn(call, demo, 'admin'), 'Rosa');
});

const book = async (headers: Record<string, string> = {}) => {
  const { roomId, checkIn, checkOut } = await freeRoom(call, demo);
  const body = { type: 'hotel', item_id: roomId, check_in: checkIn, check_out: checkOut, guests: 1 };
  const reply = await call('POST /api/v1/bookings/create', {
    token: guest.token,
    body,
    headers: { ...once(), ...headers },
  } as Call);
  expect(reply.status).toBe(201);
  return { id: reply.body.id as string, requestId: String(reply.headers.get('x-request-id')) };
};
interface Found {
  readonly events: readonly { readonly stream: string; readonly type: string; readonly correlation_id: string }[];
  readonly jobs: readonly { readonly kind: string; readonly state: string }[];
  readonly changes: readonly { readonly channel: string; readonly type: string }[];
}

it('finds what a booking has led to, also where the client sent a correlation id of its own', async () => {
  const correlation = `app-${randomUUID()}`;
  for (const headers of [{}, { 'x-correlation-id': correlation }] as Record<string, string>[]) {
    const { id, requestId } = await book(headers);
    // Jobs and changes follow from several policies and read models, one after the other.
    const found = await until(async () => {
      const shown: Found = await cli.run('events', 'request', requestId, '--json');
      const isHeld = shown.jobs.some(({ kind }) => kind === 'hold_expiry');
      const isTold = shown.changes.some(({ channel }) => channel === `realtime:user_${guest.id}`);
      return isHeld && isTold && shown;
    });
    expect(found.events.map(({ stream, type }) => `${type} ${stream}`)).toContain(`BookingCreated booking-${id}`);
    expect(new Set(found.events.map(({ correlation_id }) => correlation_id))).toEqual(
      new Set([headers['x-correlation-id'] ?? requestId]),
    );
    expect(found.jobs).toContainEqual(expect.objectContaining({ kind: 'hold_expiry', state: 'waiting' }));
    expect(found.changes).toContainEqual(
      expect.objectContaining({ channel: `realtime:user_${guest.id}`, type: 'booking.created' }),
    );
  }
});

it('shows the outcome of an e-mail that a request has led to', async () => {
  const reply = await call('POST /auth/email/send-code', {
    token: guest.token,
    body: { email: `${randomUUID()}@test.test` },
  });
  expect(reply.status).toBeLessThan(300);
  const requestId = String(reply.headers.get('x-request-id'));
  const [job] = await until(async () => {
    const { jobs }: Found = await cli.run('events', 'request', requestId, '--json');
    return jobs.some(({ state }) => state === 'done') && jobs;
  });
  expect(job).toMatchObject({ kind: 'mail', state: 'done', outcome: 'sent' });
});

it('says that nothing was recorded under an unknown id', async () => {
  const found: Found = await cli.run('events', 'request', randomUUID(), '--json');
  expect(found).toEqual({ events: [], jobs: [], changes: [] });
});
