/** One booking from search to refund, through the interfaces of all its users. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Change, channels, createClient } from '../client/index.ts';
import { runCli } from './kit/cli.ts';
import { caller, once, signIn } from './kit/http.ts';
import { type Free, freeRoom } from './kit/stays.ts';
import { until } from './kit/until.ts';
import { sharedWorld } from './kit/world.ts';

const world = sharedWorld();
const { demo, runtime } = world;
const call = caller(runtime.api);

const tokens = { tourist: '', tourist2: '', hotelier: '', admin: '' };
const client = createClient({ baseUrl: runtime.api, token: () => tokens.tourist, WebSocket });
const changes: Change[] = [];
let free: Free;
let bookingId: string;
let paymentId: string;

/** States of the booking in the order in which the WebSocket reported them. */
const toldStates = () =>
  changes
    .filter(({ type, data }) => type.startsWith('booking.') && data.id === bookingId)
    .map(({ data }) => data.status);

beforeAll(async () => {
  for (const who of ['tourist', 'tourist2', 'hotelier', 'admin'] as const) tokens[who] = await signIn(call, demo, who);
});
afterAll(() => client.close());

describe('the journey of a hotel booking', () => {
  it('a partner finds a free room with an API key', async () => {
    free = await freeRoom(call, demo, 3, 2);
    const stay = `check_in=${free.checkIn}&check_out=${free.checkOut}&guests=2`;
    const hotels = await call(`GET /ota/v1/hotels?${stay}`, { apiKey: demo.partner_key });
    expect(hotels.body).toMatchObject({ page: 1, per_page: 20, total: expect.any(Number) });
    const hotel = hotels.body.data.find((each: { id: string }) => each.id === free.hotelId);
    expect(hotel).toMatchObject({ name: expect.any(String), stars: expect.any(Number), min_price: expect.any(Number) });
    const path = `GET /ota/v1/hotels/${hotel.id}/availability?${stay}`;
    const availability = await call(path, { apiKey: demo.partner_key });
    expect(availability.body.nights).toBe(3);
    const again = await call(path, {
      apiKey: demo.partner_key,
      headers: { 'if-none-match': availability.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('the tourist subscribes to their channel', async () => {
    let isSubscribed = false;
    client.live.subscribe(channels.user(demo.accounts.tourist.id), {
      onReset: () => {
        isSubscribed = true;
      },
      onChange: (change) => changes.push(change),
    });
    await until(() => isSubscribed);
  });

  it('the tourist books; a read returns the same booking, and a repeated request changes nothing', async () => {
    const headers = once();
    const body = { type: 'hotel', item_id: free.roomId, check_in: free.checkIn, check_out: free.checkOut, guests: 2 };
    const booked = await call('POST /api/v1/bookings/create', { token: tokens.tourist, body, headers });
    expect(booked.status, JSON.stringify(booked.body)).toBe(201);
    expect(booked.headers.get('x-event-position')).toMatch(/^\d+\/\d+$/);
    expect(booked.body).toMatchObject({
      user_id: demo.accounts.tourist.id,
      type: 'hotel',
      item_id: free.roomId,
      status: 'pending_payment',
      total_minor: free.totalMinor,
      hold_expires_at: expect.any(String),
    });
    bookingId = booked.body.id;
    const read = await call(`GET /api/v1/bookings/${bookingId}`, { token: tokens.tourist });
    expect(read.body).toEqual(booked.body);

    const repeated = await call('POST /api/v1/bookings/create', { token: tokens.tourist, body, headers });
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(repeated.body).toEqual(booked.body);
    const other = { ...body, guests: 1 };
    expect((await call('POST /api/v1/bookings/create', { token: tokens.tourist, body: other, headers })).status).toBe(
      422,
    );
  });

  it('other tourists get 404', async () => {
    expect((await call(`GET /api/v1/bookings/${bookingId}`, { token: tokens.tourist2 })).status).toBe(404);
    const cancel = await call(`POST /api/v1/bookings/${bookingId}/cancel`, {
      token: tokens.tourist2,
      body: { reason: 'x' },
    });
    expect(cancel.status).toBe(404);
  });

  it('the tourist pays on the payment page, and the WebSocket reports the booking as paid', async () => {
    const body = { booking_id: bookingId, method: 'card' };
    const away = await call('POST /api/v1/payments/process', {
      token: tokens.tourist,
      body,
      headers: { 'x-return-url': 'https://evil.example/' },
    });
    expect(away.status).toBe(422);
    const started = await call('POST /api/v1/payments/process', { token: tokens.tourist, body });
    expect(started.status, JSON.stringify(started.body)).toBeLessThan(300);
    expect(started.body.status).toBe('requires_action');
    paymentId = started.body.payment_id;

    const page = await fetch(started.body.redirect_url);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('SANDBOX');
    const approved = await fetch(started.body.redirect_url, {
      method: 'POST',
      body: new URLSearchParams({ action: 'approve' }),
      redirect: 'manual',
    });
    expect(approved.status).toBe(303);

    await until(() => toldStates().includes('paid'));
    const read = await call(`GET /api/v1/bookings/${bookingId}`, { token: tokens.tourist });
    expect(read.body.status).toBe('paid');
    // Payments are projected apart from bookings.
    const mine = await until(async () => {
      const { body: payments } = await call('GET /api/v1/payments/me', { token: tokens.tourist });
      return payments.data.find(
        (each: { id: string; status: string }) => each.id === paymentId && each.status === 'succeeded',
      );
    });
    expect(mine).toMatchObject({ booking_id: bookingId, amount: read.body.total });
  });

  it('the hotelier lists the booking, and need not confirm it', async () => {
    const list = await call('GET /api/v1/bookings/provider?status=paid', { token: tokens.hotelier });
    expect(list.body.data.map((each: { id: string }) => each.id)).toContain(bookingId);
    const confirmed = await call(`POST /api/v1/bookings/${bookingId}/confirm`, { token: tokens.hotelier, body: {} });
    expect(confirmed.body, JSON.stringify(confirmed.body)).toMatchObject({
      id: bookingId,
      status: 'paid',
      confirmation: 'instant',
      answer_by: null,
    });
    expect(toldStates()[0]).toBe('pending_payment');
  });

  it('an auditor reads the history, and that access is recorded', async () => {
    const stream = `booking-${bookingId}`;
    const replay = await call(`GET /api/v1/audit/streams/${stream}`, { token: tokens.admin });
    expect(replay.status, JSON.stringify(replay.body)).toBe(200);
    const types = replay.body.data.map((event: { type: string }) => event.type);
    // The worker adds when the seller was told.
    expect(types.slice(0, 3)).toEqual(['BookingCreated', 'BookingPaymentStarted', 'BookingPaid']);
    expect(replay.body.data[0].actor).toMatchObject({ kind: 'user', id: demo.accounts.tourist.id });
    expect(replay.body.data[2].actor).toMatchObject({ kind: 'system' });

    const before = replay.body.data[2].at;
    const state = await call(`GET /api/v1/audit/streams/${stream}/state?revision=0`, { token: tokens.admin });
    expect(state.body.state.status).toBe('pending_payment');
    const paid = await call(`GET /api/v1/audit/streams/${stream}/state?at=${before}`, { token: tokens.admin });
    expect(paid.body.state.status).toBe('paid');
    expect((await call(`GET /api/v1/audit/streams/${stream}`, { token: tokens.hotelier })).status).toBe(403);

    const reads = await until(async () => {
      const { body } = await call('GET /api/v1/audit/events?type=AuditRead&limit=50', { token: tokens.admin });
      return body.data.some((event: { actor: { id: string } }) => event.actor.id === demo.accounts.admin.id);
    });
    expect(reads).toBe(true);
  });

  it('an operator rebuilds and verifies the read models while reads continue', async () => {
    let reading = true;
    let reads = 0;
    const reader = (async () => {
      while (reading) {
        const { status, body } = await call(`GET /api/v1/bookings/${bookingId}`, { token: tokens.tourist });
        expect(status, JSON.stringify(body)).toBe(200);
        reads += 1;
        await delay(20); // as people read: nobody waits for the rebuild
      }
    })();
    const rebuilt = await runCli(world.dataDir, 'projections', 'rebuild', 'all', '--json');
    reading = false;
    await reader;
    expect(reads).toBeGreaterThan(5);
    expect(rebuilt.length).toBeGreaterThan(5);
    for (const model of await runCli(world.dataDir, 'projections', 'verify', '--json'))
      expect(model).toMatchObject({ differences: 0 });
  });

  it('the tourist cancels and gets the quoted refund', async () => {
    const quote = await call(`GET /api/v1/bookings/${bookingId}/cancellation-quote`, { token: tokens.tourist });
    expect(quote.body).toMatchObject({ refund_minor: expect.any(Number) });
    const cancelled = await call(`POST /api/v1/bookings/${bookingId}/cancel`, {
      token: tokens.tourist,
      body: { reason: 'broken leg' },
    });
    expect(cancelled.body.status).toBe('cancelled');
    const payment = await until(async () => {
      const { body } = await call(`GET /api/v1/payments/${paymentId}`, { token: tokens.tourist });
      return body.refunded_minor === quote.body.refund_minor ? body : undefined;
    });
    expect(payment.refunded_minor).toBe(quote.body.refund_minor);
  });
});
