/** Ski passes, insurance and trips over HTTP. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { caller, once, signIn } from '../kit/http.ts';
import { day } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const tokens = { tourist: '', tourist2: '', hotelier: '', admin: '' };
const as = (who: keyof typeof tokens) => ({ token: tokens[who] });
const post = (who: keyof typeof tokens, path: string, body: object, headers = once()) =>
  call(`POST ${path}`, { ...as(who), headers, body });
const act = (address: string, action: 'approve' | 'decline') =>
  fetch(address, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' });

beforeAll(async () => {
  for (const who of ['tourist', 'tourist2', 'hotelier', 'admin'] as const) tokens[who] = await signIn(call, demo, who);
});

const tariff = {
  name: 'Two days of three',
  age_group: 'adult',
  duration: { unit: 'day', count: 2 },
  within_days: 3,
  season: { from: day(-30), to: day(100) },
  price: 99.5,
  timezone: 'Europe/Moscow',
  currency: 'RUB',
};
const newTariff = async (): Promise<string> => {
  const { status, body } = await post('admin', '/api/v1/admin/ski-pass/tariffs', tariff);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
};

describe('products of the resort', () => {
  it('are listed for everyone, tariffs at two addresses', async () => {
    const listed = await call('GET /api/v1/ski-pass/tariffs?age_group=child&per_page=5');
    expect(listed.status, JSON.stringify(listed.body)).toBe(200);
    expect(listed.body.data.length).toBeGreaterThan(0);
    for (const each of listed.body.data)
      expect(each).toMatchObject({ age_group: 'child', price: each.price_minor / 100, currency: 'RUB' });
    expect((await call('GET /api/v1/pass/tariffs?age_group=child&per_page=5')).body).toEqual(listed.body);
    const { body } = await call('GET /api/v1/insurance/products');
    expect(body.total).toBe(2);
    expect(body.data[0].coverage[0]).toMatchObject({ risk: 'medical', limit: 1_000_000, limit_minor: 100_000_000 });
  });

  it('are edited by admins', async () => {
    expect((await post('hotelier', '/api/v1/admin/ski-pass/tariffs', tariff)).status).toBe(403);
    for (const wrong of [{ price: 0 }, { price: 0.001 }, { within_days: 1 }, { timezone: 'Mars' }, { colour: 'red' }])
      expect((await post('admin', '/api/v1/admin/ski-pass/tariffs', { ...tariff, ...wrong })).status).toBe(422);
    const id = await newTariff();
    const patch = (body: object) => call(`PATCH /api/v1/admin/ski-pass/tariffs/${id}`, { ...as('admin'), body });
    expect((await patch({ price: 120, season: { from: day(-1), to: day(9) } })).body).toMatchObject({
      price: 120,
      price_minor: 12_000,
      season: { to: day(9) },
      status: 'published',
    });
    expect((await patch({ status: 'closed' })).body.status).toBe('closed');
    const ids = async (path: string) =>
      (await call(`GET ${path}`, as('admin'))).body.data.map((each: { id: string }) => each.id);
    expect(await ids('/api/v1/ski-pass/tariffs?per_page=100')).not.toContain(id);
    expect(await ids('/api/v1/admin/ski-pass/tariffs?per_page=100&status=closed')).toContain(id);
    expect(
      (await call(`PATCH /api/v1/admin/ski-pass/tariffs/${randomUUID()}`, { ...as('admin'), body: { price: 1 } }))
        .status,
    ).toBe(404);

    const insurance = await post('admin', '/api/v1/admin/insurance/products', {
      name: 'Off season',
      coverage: [{ risk: 'medical', limit: 5_000 }],
      activities: ['hike'],
      max_days: 10,
      price_per_person_day: 1.5,
      timezone: 'Europe/Moscow',
      currency: 'RUB',
      status: 'closed',
    });
    expect(insurance.status, JSON.stringify(insurance.body)).toBe(201);
    expect(insurance.body).toMatchObject({ price_per_person_day_minor: 150, status: 'closed' });
    const raised = { coverage: [{ risk: 'accident', limit: 1 }], price_per_person_day: 2 };
    const { body } = await call(`PATCH /api/v1/admin/insurance/products/${insurance.body.id}`, {
      ...as('admin'),
      body: raised,
    });
    expect(body).toMatchObject({ coverage: [{ risk: 'accident', limit: 1 }], price_per_person_day: 2 });
  });
});

const purchase = (id: string, who: keyof typeof tokens = 'tourist') => call(`GET /api/v1/purchases/${id}`, as(who));
const untilPurchase = (id: string, status: string) =>
  until(async () => (await purchase(id)).body.status === status || undefined);

describe('a purchase', () => {
  it('of ski passes is paid in one request and cancelled before the first day', async () => {
    const input = { tariff_id: await newTariff(), valid_from: day(5), quantity: 2, method: 'card' };
    const headers = once();
    const { status, body } = await post('tourist', '/api/v1/pass/purchase', input, headers);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({
      service_type: 'ski_pass',
      product_name: tariff.name,
      status: 'pending_payment',
      payment_status: 'requires_action',
      valid_from: day(5),
      valid_to: day(7),
      total: 199,
      price_lines: [{ name: 'pass', quantity: 2, unit: 99.5, amount: 199 }],
    });
    expect((await post('tourist', '/api/v1/pass/purchase', input, headers)).body).toEqual(body);
    await act(body.redirect_url, 'approve');
    await untilPurchase(body.id, 'paid');
    // Payments are projected apart from purchases.
    const paid = await until(async () => {
      const reply = await call(`GET /api/v1/payments/${body.payment_id}`, as('tourist'));
      return reply.body.status === 'succeeded' && reply;
    });
    expect(paid.body).toMatchObject({ service_type: 'ski_pass', booking_id: null, amount: 199 });
    const mine = await call('GET /api/v1/purchases/me?service_type=ski_pass&status=paid', as('tourist'));
    expect(mine.body.data.map((each: { id: string }) => each.id)).toContain(body.id);

    expect((await purchase(body.id, 'tourist2')).status).toBe(404);
    expect((await post('tourist2', `/api/v1/purchases/${body.id}/cancel`, {})).status).toBe(404);
    const given = await post('tourist', `/api/v1/purchases/${body.id}/cancel`, { reason: 'ill' });
    expect(given.body).toMatchObject({
      status: 'cancelled',
      ending: { by: 'guest', reason: 'ill', refund_minor: 19_900 },
    });
    await untilPurchase(body.id, 'refunded');
  });

  it('of insurance can be paid again after a declined payment', async () => {
    const [product] = (await call('GET /api/v1/insurance/products')).body.data;
    const persons = [{ first_name: 'Anna', last_name: 'Orlova', birth_date: '1990-05-17' }];
    const input = { product_id: product.id, valid_from: day(3), valid_to: day(4), persons, method: 'card' };
    const { body } = await post('tourist', '/api/v1/insurance/purchase', input);
    expect(body, JSON.stringify(body)).toMatchObject({
      service_type: 'insurance',
      quantity: 1,
      persons,
      total: product.price_per_person_day * 2,
    });
    await act(body.redirect_url, 'decline');
    await until(async () => (await purchase(body.id)).body.open_payment_id === null);
    const again = await post('tourist', '/api/v1/payments/process', { purchase_id: body.id, method: 'card' });
    expect(again.body).toMatchObject({ service_type: 'insurance', status: 'requires_action', booking_id: null });
    await act(again.body.redirect_url, 'approve');
    await untilPurchase(body.id, 'paid');
    expect(
      (await post('tourist', '/api/v1/payments/process', { purchase_id: body.id, method: 'card' })).body.code,
    ).toBe('invalid_transition');
  });

  it('says what cancelling gives back, which is what comes back', async () => {
    const input = { tariff_id: await newTariff(), valid_from: day(5), method: 'card' };
    const { body } = await post('tourist', '/api/v1/ski-pass/purchase', input);
    const quoted = (who: 'tourist' | 'tourist2') =>
      call(`GET /api/v1/purchases/${body.id}/cancellation-quote`, as(who));
    await act(body.redirect_url, 'approve');
    await untilPurchase(body.id, 'paid');
    const quote = await until(async () => {
      const reply = await quoted('tourist');
      return reply.status === 200 && reply;
    });
    expect(quote.body).toEqual({ refund: 99.5, refund_minor: 9_950, currency: 'RUB' });
    expect((await quoted('tourist2')).status).toBe(404);
    const { status, body: cancelled } = await post('tourist', `/api/v1/purchases/${body.id}/cancel`, {});
    expect(status, JSON.stringify(cancelled)).toBeLessThan(300);
    await untilPurchase(body.id, 'refunded');
  });

  it.each([
    ['no UUID', { tariff_id: 'day-pass' }, 422],
    ['no such tariff', { tariff_id: randomUUID() }, 404],
    ['yesterday', { valid_from: day(-2) }, 422],
    ['out of season', { valid_from: day(101) }, 409],
    ['none', { quantity: 0 }, 422],
    ['another price than expected', { expected_total: 1 }, 409],
    ['an expected price with a third of a kopeck', { expected_total: 0.333 }, 422],
    ['no way to pay', { method: undefined }, 422],
    ['somebody else’s saved method', { payment_method_id: randomUUID() }, 404],
  ])('refuses %s', async (_, wrong, status) => {
    const input = { tariff_id: await newTariff(), valid_from: day(5), method: 'card', ...wrong };
    const reply = await post('tourist', '/api/v1/ski-pass/purchase', input);
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    expect(reply.body.detail).toEqual(expect.any(String));
  });
});

describe('a trip', () => {
  let room: string;
  beforeAll(async () => {
    const place = {
      city: 'Testville',
      address: 'Main street 2',
      stars: 3,
      location: { latitude: 43.6, longitude: 40.2 },
    };
    const terms = { timezone: 'Europe/Moscow', currency: 'RUB', cancellation_policy: 'flexible' };
    const hotel = await post('hotelier', '/api/v1/hotels', { name: 'Trip House', ...place, ...terms });
    expect(hotel.status, JSON.stringify(hotel.body)).toBe(201);
    const kind = { name: 'Attic', capacity: 2, units: 1, price_per_night: 80 };
    room = (await post('hotelier', `/api/v1/hotels/${hotel.body.id}/rooms`, kind)).body.id;
    const nights = { ranges: [{ from: day(0), to: day(60), price: 80 }] };
    await call(`PUT /api/v1/rooms/${room}/nights`, { ...as('hotelier'), body: nights });
  });
  const stay = (from: number, to: number) => ({
    type: 'hotel',
    item_id: room,
    check_in: day(from),
    check_out: day(to),
    guests: 2,
  });
  const book = (items: object[], more: object = {}) =>
    post('tourist', '/api/v1/trip-booking/aggregate', { items, ...more });
  const trip = (id: string, who: keyof typeof tokens = 'tourist') => call(`GET /api/v1/trip-booking/${id}`, as(who));

  it('is booked as a whole, paid at once and refunded in parts', async () => {
    const { status, body } = await book([stay(20, 22), stay(24, 25)], { notes: 'a birthday' });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({
      notes: 'a birthday',
      total: 240,
      due: 240,
      bookings: [{ total: 160 }, { total: 80 }],
    });
    expect((await trip(body.id)).body).toEqual(body);
    expect((await trip(body.id, 'tourist2')).status).toBe(404);
    const mine = await call('GET /api/v1/trip-booking/me?per_page=1', as('tourist'));
    expect(mine.body.data).toEqual([body]);

    const both = { trip_id: body.id, booking_id: body.bookings[0].id, method: 'card' };
    expect((await post('tourist', '/api/v1/payments/process', both)).status).toBe(422);
    const pay = await post('tourist', '/api/v1/payments/process', { trip_id: body.id, method: 'card' });
    expect(pay.body, JSON.stringify(pay.body)).toMatchObject({ trip_id: body.id, booking_id: null, amount: 240 });
    await act(pay.body.redirect_url, 'approve');
    await until(async () => (await trip(body.id)).body.due === 0);
    await post('tourist', `/api/v1/bookings/${body.bookings[1].id}/cancel`, {});
    const payment = () => call(`GET /api/v1/payments/${pay.body.payment_id}`, as('tourist'));
    await until(async () => (await payment()).body.refunded === 80);
    expect((await trip(body.id)).body.bookings.map((each: { status: string }) => each.status)).toEqual([
      'paid',
      'cancelled',
    ]);
  });

  it('books nothing when one item is refused', async () => {
    const { body } = await book([stay(30, 31), stay(21, 23), stay(33, 34)]);
    expect(body).toMatchObject({ status: 409, code: 'sold_out', index: 1, key: day(21) });
    expect((await book([stay(30, 31)])).status).toBe(201);
    expect((await book([])).status).toBe(422);
    expect((await book(Array(21).fill(stay(40, 41)))).status).toBe(422);
    expect((await book([{ ...stay(40, 41), type: 'cruise' }])).status).toBe(422);
    expect((await book([stay(40, 41), { ...stay(43, 44), check_out: day(43) }])).body).toMatchObject({
      status: 422,
      index: 1,
    });
  });
});
