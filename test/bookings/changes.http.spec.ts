/** A paid booking that is changed, over HTTP and through the real processes. */
import { beforeAll, expect, it } from 'vitest';
import { caller, once, type Reply, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const tokens = { tourist: '', tourist2: '', hotelier: '' };
const as = (who: keyof typeof tokens) => ({ token: tokens[who] });

const done = (reply: Reply, status = 200): Reply['body'] => {
  expect(reply.status, JSON.stringify(reply.body)).toBe(status);
  return reply.body;
};

let roomId: string;
beforeAll(async () => {
  for (const who of ['tourist', 'tourist2', 'hotelier'] as const) tokens[who] = await signIn(call, demo, who);
  const hotelId = await newHotel(call, tokens.hotelier);
  roomId = await newRoom(call, tokens.hotelier, { hotelId, units: 1 });
});

const get = async (id: string) => done(await call(`GET /api/v1/bookings/${id}`, as('tourist')));
const untilBooking = (id: string, is: (booking: Reply['body']) => boolean) => until(async () => is(await get(id)));
const pay = async (bookingId: string): Promise<string> => {
  const started = await call('POST /api/v1/payments/process', {
    ...as('tourist'),
    body: { booking_id: bookingId, method: 'card' },
  });
  const { redirect_url, payment_id } = done(started);
  const body = new URLSearchParams({ action: 'approve' });
  await fetch(redirect_url, { method: 'POST', body, redirect: 'manual' });
  return payment_id;
};
const refundsOf = async (paymentId: string): Promise<number[]> => {
  const { refunds } = done(await call(`GET /api/v1/payments/${paymentId}`, as('tourist')));
  return refunds
    .filter(({ status }: { status: string }) => status === 'succeeded')
    .map(({ amount }: { amount: number }) => amount);
};

it('is extended for the difference, shortened for a refund, and cancelled', async () => {
  // Once, because it may become midnight meanwhile.
  const [arrival, dayAfter, departure, later] = [day(20), day(21), day(22), day(24)];
  const stay = { type: 'hotel', item_id: roomId, check_in: arrival, check_out: departure, guests: 2 };
  const booked = await call('POST /api/v1/bookings/create', { ...as('tourist'), headers: once(), body: stay });
  const { id } = done(booked, 201);
  const first = await pay(id);
  await untilBooking(id, ({ status }) => status === 'paid');

  // Extended: the room has one unit, which is the guest's own.
  const longer = { check_out: later };
  const change = (body: object, who: keyof typeof tokens = 'tourist') =>
    call(`PATCH /api/v1/bookings/${id}`, { ...as(who), body });
  const quoted = await call(`POST /api/v1/bookings/${id}/change-quote`, { ...as('tourist'), body: longer });
  expect(done(quoted)).toMatchObject({ total: 322, due: 161, due_minor: 16_100, refund: 0, penalty_percent: 0 });
  const dearer = await change({ ...longer, expected_total: 300 });
  expect(dearer.status).toBe(409);
  expect(dearer.body).toMatchObject({ code: 'price_changed', total: 322, currency: 'RUB' });
  expect((await change(longer, 'hotelier')).status).toBe(403);
  expect((await change(longer, 'tourist2')).status).toBe(404);
  const proposed = done(await change({ ...longer, expected_total: 322 }));
  expect(proposed).toMatchObject({ status: 'paid', total: 161, check_out: departure, payment_ids: [first] });
  expect(proposed.change).toMatchObject({ check_out: later, total: 322, due: 161, currency: 'RUB' });
  expect(proposed.change.price_lines).toHaveLength(4);

  // Taken back, and proposed again.
  const withdrawn = await call(`POST /api/v1/bookings/${id}/change/withdraw`, { ...as('tourist'), headers: once() });
  expect(done(withdrawn).change).toBeNull();
  done(await change(longer));
  const second = await pay(id);
  await untilBooking(id, ({ total }) => total === 322);
  expect(await get(id)).toMatchObject({
    status: 'paid',
    check_out: later,
    change: null,
    payment_id: first,
    payment_ids: [first, second],
    open_payment_id: null,
  });

  // Shortened: the newest payment goes back first.
  expect(done(await change({ check_in: dayAfter }))).toMatchObject({ total: 241.5, change: null, check_in: dayAfter });
  await until(async () => (await refundsOf(second)).join() === '80.5');

  // Cancelled: the rest of both.
  const quote = done(await call(`GET /api/v1/bookings/${id}/cancellation-quote`, as('tourist')));
  expect(quote).toMatchObject({ penalty_percent: 0, refund: 241.5 });
  done(await call(`POST /api/v1/bookings/${id}/cancel`, { ...as('tourist'), headers: once(), body: {} }));
  await until(async () => (await refundsOf(first)).join() === '161');
  await until(async () => (await refundsOf(second)).join() === '80.5,80.5');
  const free = await call('POST /api/v1/bookings/create', { ...as('tourist2'), headers: once(), body: stay });
  await call(`POST /api/v1/bookings/${done(free, 201).id}/cancel`, { ...as('tourist2'), body: {}, headers: once() });
});
