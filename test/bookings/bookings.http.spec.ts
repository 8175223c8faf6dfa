/** Bookings and payments over HTTP, through the real processes. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from '../../commands/payments/tbank/api.ts';
import { caller, newTourist, once, type Reply, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const tokens = { tourist: '', tourist2: '', hotelier: '', admin: '' };
const as = (who: keyof typeof tokens) => ({ token: tokens[who] });

let hotelId: string;
beforeAll(async () => {
  for (const who of ['hotelier', 'admin'] as const) tokens[who] = await signIn(call, demo, who);
  // Guests of their own: the demo guests have bookings of other specs.
  for (const who of ['tourist', 'tourist2'] as const)
    tokens[who] = (await newTourist(call, tokens.admin, 'Guest')).token;
  hotelId = await newHotel(call, tokens.hotelier, { confirmation: 'on_request' });
});

/** A new kind of room of which there are `units`, 80.50 a night for the next two months. */
const roomOf = (units: number): Promise<string> => newRoom(call, tokens.hotelier, { hotelId, units });
const book = (
  itemId: string,
  more: object = {},
  who: keyof typeof tokens = 'tourist',
  headers = once(),
): Promise<Reply> =>
  call('POST /api/v1/bookings/create', {
    ...as(who),
    headers,
    body: { type: 'hotel', item_id: itemId, check_in: day(20), check_out: day(22), guests: 2, ...more },
  });
const pay = async (bookingId: string): Promise<string> => {
  const started = await call('POST /api/v1/payments/process', {
    ...as('tourist'),
    body: { booking_id: bookingId, method: 'card' },
  });
  expect(started.status, JSON.stringify(started.body)).toBe(200);
  await fetch(started.body.redirect_url, {
    method: 'POST',
    body: new URLSearchParams({ action: 'approve' }),
    redirect: 'manual',
  });
  await until(async () => (await call(`GET /api/v1/bookings/${bookingId}`, as('tourist'))).body.status === 'paid');
  return started.body.payment_id;
};

const sandbox = async (what: string, body?: object): Promise<{ count?: number }> => {
  const response = await fetch(`${runtime.sandbox}/sandbox/${what}`, {
    headers: { 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { count?: number };
};
/** What people do at the provider, past us. */
const office = (action: object) => sandbox('office', action);
const refund = (paymentId: string, itemId: string, amount?: number): Promise<Reply> =>
  call(`POST /api/v1/payments/${paymentId}/refund`, {
    ...as('hotelier'),
    headers: once(),
    body: { item_id: itemId, ...(amount !== undefined && { amount }) },
  });
const refundsInReview = async (paymentId: string): Promise<{ id: string; payment_id: string }[]> => {
  const { body } = await call('GET /api/v1/admin/payments/review', as('admin'));
  return body.refunds.filter(({ payment_id }: { payment_id: string }) => payment_id === paymentId);
};

it('accepts three of two hundred concurrent bookings of three rooms and refuses 197 with 409 sold_out', async () => {
  const room = await roomOf(3);
  // On a busy machine some of them wait too long, are answered 503, and come again, as an app does it.
  const insist = (who: keyof typeof tokens): Promise<Reply> => {
    const headers = once();
    return until(async () => {
      const reply = await book(room, {}, who, headers);
      return reply.status !== 503 && reply;
    });
  };
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, n) => insist(n % 2 === 0 ? 'tourist' : 'tourist2')),
  );
  const count = (status: number) => replies.filter((reply) => reply.status === status).length;
  expect([count(201), count(409)]).toEqual([3, 197]);
  for (const { status, body } of replies)
    if (status === 409) expect(body).toMatchObject({ code: 'sold_out', key: day(20), detail: expect.any(String) });
  const path = `GET /ota/v1/hotels/${hotelId}/availability?check_in=${day(20)}&check_out=${day(22)}`;
  const left = await call(path, { apiKey: demo.partner_key });
  expect(left.body.rooms.find((each: { room_id: string }) => each.room_id === room)).toMatchObject({ rooms_left: 0 });
});

describe('booking', () => {
  let room: string;
  beforeAll(async () => {
    room = await roomOf(50);
  });

  it('returns price, hold and cancellation policy, and the commission only to the seller and admins', async () => {
    const { status, body } = await book(room, { notes: 'quiet, please' });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({
      type: 'hotel',
      item_id: room,
      title: 'Larch House',
      unit_id: room,
      unit_title: 'Attic',
      nights: 2,
      notes: 'quiet, please',
      total: 161,
      total_minor: 16_100,
      currency: 'RUB',
      cancellation_policy: { name: 'flexible', rules: [{ from: 24, penalty_percent: 0 }, { from: 0 }] },
    });
    expect(body.price_lines[0]).toEqual({ kind: 'night', date: day(20), amount: 80.5, amount_minor: 8_050 });
    expect(body).not.toHaveProperty('commission');
    const shares = { commission: 16.1, commission_minor: 1_610, provider: 144.9, provider_minor: 14_490 };
    const commission = { rule: 'default', rate_bps: 1_000, ...shares };
    const read = async (who: keyof typeof tokens) => (await call(`GET /api/v1/bookings/${body.id}`, as(who))).body;
    expect(await read('tourist')).toEqual(body);
    for (const who of ['hotelier', 'admin'] as const) expect(await read(who)).toEqual({ ...body, commission });
    const listed = async (path: string, who: keyof typeof tokens) =>
      (await call(`GET /api/v1/bookings/${path}`, as(who))).body.data[0];
    expect(await listed('me', 'tourist')).toEqual(body);
    expect(await listed('provider', 'hotelier')).toEqual({ ...body, commission });
  });

  it.each([
    ['no UUID', { item_id: 'room-1' }, 422],
    ['no such room', { item_id: randomUUID() }, 404],
    ['no dates', { check_in: undefined }, 422],
    ['not a date', { check_in: '2026-02-30' }, 422],
    ['no night', { check_out: day(20) }, 422],
    ['past', { check_in: day(-3) }, 422],
    ['too many guests', { guests: 3 }, 422],
    ['an unknown field', { promo: 'X' }, 422],
    ['no kind', { type: undefined }, 422],
    ['a kind that nobody sells', { type: 'castle' }, 422],
    ['a slot', { slot_start: '2026-12-24T10:00:00Z' }, 422],
  ])('refuses %s', async (_, wrong, status) => {
    const reply = await book(room, wrong);
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    expect(reply.body.detail).toEqual(expect.any(String));
  });

  it('tells the seller who comes, under a short reference', async () => {
    const { body } = await book(room, {
      guest_name: 'Anna Orlova',
      guest_phone: '+7 999 123-45-67',
      arrival_time: '18:30',
    });
    const seen = { guest_name: 'Anna Orlova', guest_phone: '+79991234567', arrival_time: '18:30' };
    expect(body, JSON.stringify(body)).toMatchObject({
      ...seen,
      reference: expect.stringMatching(/^[A-HJ-NP-Z2-9]{8}$/),
    });
    const typed = `${body.reference.slice(0, 4)}-${body.reference.slice(4)}`.toLowerCase();
    for (const who of ['hotelier', 'admin'] as const) {
      const found = await call(`GET /api/v1/bookings/provider?reference=${typed}`, as(who));
      expect(found.body.data).toMatchObject([{ ...seen, id: body.id }]);
    }
    const patch = (change: object) => call(`PATCH /api/v1/bookings/${body.id}`, { ...as('tourist'), body: change });
    expect((await patch({ arrival_time: '21:00', guest_phone: null })).body).toMatchObject({
      ...seen,
      arrival_time: '21:00',
      guest_phone: null,
    });
    for (const wrong of [{ guest_phone: 'call me' }, { arrival_time: '25:00' }, { guest_name: '' }])
      expect((await patch(wrong)).status, JSON.stringify(wrong)).toBe(422);
    const { body: unsaid } = await book(room);
    expect(unsaid).toMatchObject({ guest_name: expect.stringMatching(/./), arrival_time: null });
  });

  it('refuses another price than the guest was shown, for a booking and for a trip', async () => {
    const changed = await book(room, { expected_total: 160 });
    expect(changed.body).toMatchObject({ status: 409, code: 'price_changed', total: 161, currency: 'RUB' });
    expect(changed.body.price_lines[0]).toMatchObject({ kind: 'night', amount: 80.5, amount_minor: 8_050 });
    expect((await book(room, { expected_total: 160.999 })).status).toBe(422);
    expect((await book(room, { expected_total: 161 })).status).toBe(201);

    const item = { type: 'hotel', item_id: room, check_in: day(20), check_out: day(22), guests: 2 };
    const trip = (first: object, more: object) =>
      call('POST /api/v1/trip-booking/aggregate', {
        ...as('tourist'),
        body: { items: [{ ...item, ...first }, item], ...more },
      });
    expect((await trip({}, { expected_total: 321 })).body).toMatchObject({ code: 'price_changed', total: 322 });
    expect((await trip({ expected_total: 1 }, {})).body).toMatchObject({ code: 'price_changed', total: 161, index: 0 });
    expect((await trip({}, { expected_total: 322 })).status).toBe(201);
  });

  it('is listed by type, status and dates', async () => {
    const { body: booked } = await book(room, { check_in: day(30), check_out: day(31) });
    const ids = async (query: string, path = 'me') => {
      const { status, body } = await call(`GET /api/v1/bookings/${path}?${query}`, as('tourist'));
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.map((each: { id: string }) => each.id);
    };
    for (const path of ['me', '']) expect((await ids('type=hotel&status=pending_payment', path))[0]).toBe(booked.id);
    expect(await ids(`from=${day(30)}&to=${day(30)}`)).toContain(booked.id);
    expect(await ids(`from=${day(31)}`)).not.toContain(booked.id);
    expect(await ids(`date=${day(30)}`)).toContain(booked.id);
    expect(await ids(`date=${day(31)}`)).not.toContain(booked.id);
    expect(await ids('status=paid')).not.toContain(booked.id);
    expect(await ids('type=tour')).toEqual([]);
    expect((await call('GET /api/v1/bookings/me?per_page=101', as('tourist'))).status).toBe(422);
    for (const date of ['from=0000-01-01', 'to=0000-12-31', 'from=2026-02-30'])
      expect((await call(`GET /api/v1/bookings/me?${date}`, as('tourist'))).status, date).toBe(422);
    const others = await call('GET /api/v1/bookings/me', as('hotelier'));
    expect(others.body.data.map((each: { id: string }) => each.id)).not.toContain(booked.id);
    expect((await call('GET /api/v1/bookings/provider', as('tourist'))).body).toMatchObject({ total: 0, data: [] });
  });

  it('moves to other dates at the new price, or stays unchanged', async () => {
    const single = await roomOf(1);
    const { body: mine } = await book(single);
    const patch = (body: object) => call(`PATCH /api/v1/bookings/${mine.id}`, { ...as('tourist'), body });
    const moved = await patch({ check_in: day(21), check_out: day(24), guests: 1, notes: 'late' });
    expect(moved.body, JSON.stringify(moved.body)).toMatchObject({ total: 241.5, nights: 3, guests: 1, notes: 'late' });
    await book(single, { check_in: day(26), check_out: day(27) }, 'tourist2');
    expect((await patch({ check_out: day(27) })).body).toMatchObject({ status: 409, code: 'sold_out' });
    expect((await patch({})).status).toBe(422);
    expect((await patch({ total: 1 })).status).toBe(422);
    expect((await call(`GET /api/v1/bookings/${mine.id}`, as('tourist'))).body).toEqual(moved.body);
  });
});

describe('paying and ending', () => {
  let room: string;
  beforeAll(async () => {
    room = await roomOf(50);
  });

  it('refunds a rejected booking in full', async () => {
    const { body: booked } = await book(room);
    const paymentId = await pay(booked.id);
    const payment = () => call(`GET /api/v1/payments/${paymentId}`, as('tourist'));
    const { body: paid } = await payment();
    expect(paid).toMatchObject({ status: 'succeeded', amount: 161 });
    expect(paid).not.toHaveProperty('provider_reason');
    expect(paid.items[0]).not.toHaveProperty('commission_minor');
    expect((await call(`GET /api/v1/payments/${paymentId}`, as('tourist2'))).status).toBe(404);
    const rejected = await call(`POST /api/v1/bookings/${booked.id}/reject`, {
      ...as('hotelier'),
      body: { reason: 'flood' },
    });
    expect(rejected.body).toMatchObject({ status: 'rejected', ending: { by: 'provider', refund_minor: 16_100 } });
    await until(async () => (await payment()).body.refunded === 161);
  });

  it('refunds part of a payment, never more than is left', async () => {
    const { body: booked } = await book(room);
    const paymentId = await pay(booked.id);
    const refund = (who: keyof typeof tokens, body: object) =>
      call(`POST /api/v1/payments/${paymentId}/refund`, { ...as(who), headers: once(), body });
    expect((await refund('tourist', {})).status).toBe(403);
    expect((await refund('hotelier', { amount: 0.005 })).status).toBe(422);
    const some = await refund('hotelier', { amount: 61 });
    expect(some.status, JSON.stringify(some.body)).toBe(202);
    expect(some.body).toMatchObject({ status: 'pending', amount: 61, amount_minor: 6_100 });
    expect((await refund('hotelier', { amount: 100.01 })).body).toMatchObject({
      status: 409,
      code: 'refund_too_large',
      refundable: 100,
      refundable_minor: 10_000,
    });
    await until(async () => (await call(`GET /api/v1/payments/${paymentId}`, as('hotelier'))).body.refunded === 61);
    const quote = await call(`GET /api/v1/bookings/${booked.id}/cancellation-quote`, as('tourist'));
    expect(quote.body).toMatchObject({ refund: 100, penalty: 0, penalty_percent: 0 });
  });

  it('refuses commands on ended bookings', async () => {
    const { body: booked } = await book(room);
    const cancel = (who: keyof typeof tokens) =>
      call(`POST /api/v1/bookings/${booked.id}/cancel`, { ...as(who), body: {} });
    expect((await cancel('tourist2')).status).toBe(404);
    expect((await cancel('tourist')).body.status).toBe('cancelled');
    expect((await cancel('tourist')).body.status).toBe('cancelled');
    const confirm = await call(`POST /api/v1/bookings/${booked.id}/confirm`, as('hotelier'));
    expect(confirm.body).toMatchObject({ status: 409, code: 'invalid_transition' });
    const process = await call('POST /api/v1/payments/process', {
      ...as('tourist'),
      body: { booking_id: booked.id, method: 'card' },
    });
    expect(process.body).toMatchObject({ status: 409, code: 'invalid_transition' });
  });

  it('lists own payments at all addresses', async () => {
    const listed = await call('GET /api/v1/payments/me?per_page=5&status=succeeded', as('tourist'));
    expect(listed.body.data.length).toBeGreaterThan(0);
    expect((await call(`GET /api/v1/payments/me?from=${day(2)}`, as('tourist'))).body.data).toEqual([]);
    // What goes back of one of them may come between the two.
    await until(async () => {
      const paths = ['payments/me', 'payments/history'].map(
        (path) => `GET /api/v1/${path}?per_page=5&status=succeeded`,
      );
      const [own, history] = await Promise.all(paths.map((path) => call(path, as('tourist'))));
      return isDeepStrictEqual(history?.body, own?.body);
    });
    expect((await call('GET /api/v1/bookings/payments/me', as('tourist'))).status).toBe(200);
  });

  it('creates one payment for two concurrent requests with one key', async () => {
    const { body: booked } = await book(room);
    const headers = once();
    const process = (method: string) =>
      call('POST /api/v1/payments/process', { ...as('tourist'), headers, body: { booking_id: booked.id, method } });
    const replies = await Promise.all([process('card'), process('card')]);
    const [first, ...others] = replies.filter(({ status }) => status === 200);
    expect(first?.body).toMatchObject({ booking_id: booked.id, status: 'requires_action' });
    for (const { body } of others) expect(body).toEqual(first?.body);
    for (const { status, body } of replies) if (status !== 200) expect(body).toMatchObject({ code: 'in_flight' });
    expect((await process('card')).body).toEqual(first?.body);
    expect((await process('sbp')).status).toBe(422);
  });

  it('cancels a pending payment and pays with another method', async () => {
    const { body: booked } = await book(room);
    const process = () =>
      call('POST /api/v1/payments/process', { ...as('tourist'), body: { booking_id: booked.id, method: 'sbp' } });
    const { body: begun } = await process();
    const cancel = (id: string, who: keyof typeof tokens = 'tourist') =>
      call(`POST /api/v1/payments/${id}/cancel`, { ...as(who), headers: once() });
    expect((await cancel(begun.payment_id, 'tourist2')).status).toBe(404);
    expect((await cancel(begun.payment_id)).body).toMatchObject({ payment_id: begun.payment_id, status: 'cancelled' });
    expect((await process()).body.payment_id).not.toBe(begun.payment_id);
    const { body: other } = await book(room);
    expect((await cancel(await pay(other.id))).body).toMatchObject({ status: 409, code: 'invalid_transition' });
    const neither = await call('POST /api/v1/payments/process', { ...as('tourist'), body: { booking_id: booked.id } });
    expect(neither.body).toMatchObject({ status: 422, detail: expect.stringContaining('Send method') });
  });

  it('lets admins find payments, and learns of a refund that was made at the provider', async () => {
    const { body: booked } = await book(room);
    const paymentId = await pay(booked.id);
    const { body: payment } = await call(`GET /api/v1/payments/${paymentId}`, as('hotelier'));
    expect(payment).toMatchObject({
      items: [{ kind: 'booking', id: booked.id, amount: 161, commission: 16.1, commission_minor: 1_610 }],
      provider_reason: 'default',
      service_type: null,
      trip_id: null,
      redirect_url: null,
    });
    const found = async (query: string) => {
      const { status, body } = await call(`GET /api/v1/admin/payments?${query}`, as('admin'));
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.some(({ id }: { id: string }) => id === paymentId);
    };
    const { owner_id: owner } = payment.items[0];
    const whose = `owner_id=${owner}&user_id=${payment.user_id}&provider=yookassa&status=succeeded`;
    expect(await found(`${whose}&from=${day(0)}&to=${day(1)}`)).toBe(true);
    for (const none of [`owner_id=${payment.user_id}`, 'provider=tbank', `from=${day(2)}`, `to=${day(-2)}`])
      expect(await found(none), none).toBe(false);

    // Somebody gives it back at the provider, past us.
    await office({ payment_id: payment.txn_id, action: 'refund' });
    // Whoever asks first learns of it, and the seller cannot give the same money back again.
    const payer = () => call(`GET /api/v1/payments/${paymentId}`, as('tourist'));
    await until(async () => (await payer()).body.refunded === 161);
    expect((await refund(paymentId, booked.id)).body).toMatchObject({ status: 409, code: 'refund_too_large' });
    expect((await payer()).body.refunded).toBe(161);
    expect(await refundsInReview(paymentId)).toEqual([]);
  });

  it('lets admins retry and resolve refunds that the provider has refused', async () => {
    const { body: booked } = await book(room);
    const paymentId = await pay(booked.id);
    const { body: payment } = await call(`GET /api/v1/payments/${paymentId}`, as('hotelier'));
    const refused = async (id: string) => {
      const waits = async () => (await refundsInReview(paymentId)).find((each) => each.id === id);
      expect(await until(waits)).toMatchObject({ item_id: booked.id, code: 'invalid_request' });
    };
    /** A refund that the provider refuses so many times. */
    const stuck = async (amount: number, count: number): Promise<string> => {
      const failing = { count, kind: 'refused', path: '/yookassa/v3/refunds', about: payment.txn_id };
      await sandbox('failures', failing);
      const { body } = await refund(paymentId, booked.id, amount);
      expect(body, JSON.stringify(body)).toMatchObject({ amount, status: 'pending' });
      await refused(body.refund_id);
      return body.refund_id;
    };
    const answer = (id: string, what: 'retry' | 'resolve', body?: object) =>
      call(`POST /api/v1/admin/payments/${paymentId}/refunds/${id}/${what}`, {
        ...as('admin'),
        headers: once(),
        ...(body && { body }),
      });
    const seen = async () => (await call(`GET /api/v1/payments/${paymentId}`, as('tourist'))).body;

    const first = await stuck(61, 2);
    expect(await answer(first, 'retry')).toMatchObject({ status: 202, body: { status: 'pending' } });
    await until(async () => (await sandbox('failures')).count === 0);
    await refused(first);
    expect(await answer(first, 'retry')).toMatchObject({ status: 202 });
    await until(async () => (await seen()).refunded === 61);
    expect(await refundsInReview(paymentId)).toEqual([]);

    const second = await stuck(40, 1);
    expect(await answer(second, 'resolve', { status: 'failed' })).toMatchObject({ status: 200, body: { amount: 40 } });
    expect(await answer(second, 'retry')).toMatchObject({ status: 202, body: { status: 'failed' } });

    const third = await stuck(100, 1);
    await office({ payment_id: payment.txn_id, action: 'refund', amount: 100 });
    const done = { status: 'succeeded', amount: 100 };
    expect(await answer(third, 'resolve', { status: 'succeeded' })).toMatchObject({ status: 200, body: done });
    expect(await seen()).toMatchObject({ refunded: 161 });
    expect(await refundsInReview(paymentId)).toEqual([]);

    expect((await answer(randomUUID(), 'retry')).status).toBe(404);
    expect((await answer(randomUUID(), 'resolve', { status: 'succeeded' })).status).toBe(404);
  });

  it('refuses notifications that the provider has not signed', async () => {
    const body = { type: 'notification', event: 'payment.succeeded', object: { id: randomUUID() } };
    expect((await call('POST /api/v1/payments/webhooks/yookassa', { body })).body).toMatchObject({
      status: 403,
      code: 'bad_signature',
    });
    expect((await call('POST /api/v1/payments/webhooks/tbank', { body })).body).toMatchObject({
      code: 'bad_signature',
    });
    expect((await call('POST /api/v1/payments/webhooks/nobody', { body })).status).toBe(404);
  });

  it('pays, notifies and refunds in part with T-Bank as the provider of the seller', async () => {
    const settings = (provider: string | null) =>
      call('PUT /api/v1/provider/payment-settings', { ...as('hotelier'), body: { provider } });
    expect((await settings('tbank')).body).toMatchObject({ provider: 'tbank' });
    const { body: booked } = await book(room);
    const paymentId = await pay(booked.id).finally(() => settings(null));
    const seen = () => call(`GET /api/v1/payments/${paymentId}`, as('hotelier'));
    expect((await seen()).body).toMatchObject({ status: 'succeeded', provider: 'tbank', amount_minor: 16_100 });
    for (const amount of [61, 100]) {
      const body = { ...as('hotelier'), headers: once(), body: { amount } };
      expect((await call(`POST /api/v1/payments/${paymentId}/refund`, body)).status).toBe(202);
    }
    await until(async () => (await seen()).body.refunded === 161);
  });

  it('answers T-Bank with the plain text OK', async () => {
    const fields = { TerminalKey: 'sandbox', OrderId: randomUUID(), Success: true, Status: 'CONFIRMED', PaymentId: 7 };
    const notification = { ...fields, ErrorCode: '0', Amount: 100 };
    const body = { ...notification, Token: tokenOf(notification, 'sandbox') };
    const answer = await fetch(`${runtime.api}/api/v1/payments/webhooks/tbank`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      expect.stringContaining('text/plain'),
      'OK',
    ]);
    const waiting = await until(async () => {
      const { body: all } = await call('GET /api/v1/admin/payments/review', as('admin'));
      return all.notifications.find(({ provider_id }: { provider_id: string }) => provider_id === '7');
    });
    expect(waiting).toMatchObject({ provider: 'tbank', reason: expect.any(String) });
    const retry = (id: string) =>
      call(`POST /api/v1/admin/notifications/${id}/retry`, { ...as('admin'), headers: once() });
    expect(await retry(waiting.id)).toMatchObject({ status: 202, body: { id: waiting.id } });
    expect((await retry(randomUUID())).status).toBe(404);
  });
});
