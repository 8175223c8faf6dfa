/** Promo codes over HTTP: created by an admin, named by a guest who books or buys, shown in the price and in the ledger. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { addDays } from '../../domain/core/dates.ts';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { freeRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let admin = '';
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
});

const create = (body: object) => call('POST /api/v1/admin/promo-codes', { token: admin, headers: once(), body });
const newCode = () => `T${randomUUID().slice(0, 8)}`.toUpperCase();

it('a code is created, changed, paused and listed by admins', async () => {
  const code = newCode();
  const made = await create({ code: code.toLowerCase(), discount: 500, least_total: 1_000, uses: 2 });
  const id = made.body.id as string;
  expect(made).toMatchObject({
    status: 201,
    body: { code, discount: 500, discount_minor: 50_000, borne_by: 'platform', uses_per_person: 1, uses_taken: 0 },
  });
  expect((await create({ code, discount: 400 })).status).toBe(409);
  expect((await create({ code: newCode() })).body.detail).toBe('A promo code has either a percentage or an amount.');
  const change = (body: object) => call(`PATCH /api/v1/admin/promo-codes/${id}`, { token: admin, body });
  const inYen = await change({ currency: 'JPY', discount: 900 });
  expect(inYen, JSON.stringify(inYen.body)).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('least_total') },
  });
  expect((await change({ discount: null, discount_percent: 12.5 })).body).toMatchObject({
    ...{ discount: null, discount_percent: 12.5, least_total: 1_000 },
  });
  expect((await change({ paused: true })).body.paused).toBe(true);
  expect((await change({ discount_percent: 12.345 })).status).toBe(422);
  const listed = await call(`GET /api/v1/admin/promo-codes?q=${code.slice(0, 6).toLowerCase()}`, { token: admin });
  expect(listed.body.data).toMatchObject([{ id, code, paused: true }]);
});

it('a guest books with a code: quoted, reserved, paid, and borne by the platform', async () => {
  const code = newCode();
  const made = await create({ code, discount_percent: 50, uses: 1 });
  const room = await freeRoom(call, demo);
  const stay = { type: 'hotel', item_id: room.roomId, check_in: room.checkIn, check_out: room.checkOut, guests: 1 };
  const [anna, boris] = await Promise.all([newTourist(call, admin, 'Anna'), newTourist(call, admin, 'Boris')]);
  const half = room.totalMinor / 2;

  const quote = await call('POST /api/v1/bookings/quote', { token: anna.token, body: { ...stay, promo: code } });
  expect(quote.body).toMatchObject({ total_minor: half, discount_minor: half });
  expect(quote.body.price_lines.at(-1)).toMatchObject({ kind: 'discount', name: code, amount_minor: -half });

  const booked = await call('POST /api/v1/bookings/create', {
    token: anna.token,
    headers: once(),
    body: { ...stay, promo: ` ${code.toLowerCase()}`, expected_total: quote.body.total },
  });
  expect(booked).toMatchObject({ status: 201, body: { total_minor: half, promotion: { code, discount_minor: half } } });
  const second = await call('POST /api/v1/bookings/create', {
    token: boris.token,
    headers: once(),
    body: { ...stay, promo: code },
  });
  expect(second).toMatchObject({ status: 409, body: { code: 'promo_refused', reason: 'used_up' } });
  const unknown = { ...stay, promo: newCode() };
  expect((await call('POST /api/v1/bookings/quote', { token: boris.token, body: unknown })).body).toMatchObject({
    ...{ status: 409, reason: 'unknown' },
  });

  const { body: payment } = await call('POST /api/v1/payments/process', {
    token: anna.token,
    body: { booking_id: booked.body.id, method: 'card' },
  });
  const body = new URLSearchParams({ action: 'approve' });
  await fetch(payment.redirect_url, { method: 'POST', body, redirect: 'manual' });
  const uses = `GET /api/v1/admin/promo-codes/${made.body.id}/uses`;
  await until(async () => (await call(uses, { token: admin })).body.data[0]?.status === 'taken');
  const seen = await call(`GET /api/v1/bookings/${booked.body.id}`, { token: admin });
  // The seller earns what the room costs, less the commission on that.
  const { commission_minor, provider_minor } = seen.body.commission;
  expect(commission_minor + provider_minor).toBe(room.totalMinor);
  const paid = await call(`GET /api/v1/payments/${payment.payment_id}`, { token: admin });
  expect(paid.body.items).toMatchObject([{ amount_minor: half, promotion_minor: half, commission_minor }]);
  const { sums } = (await call('GET /api/v1/admin/ledger/balances', { token: admin })).body;
  expect(sums.map(({ sum_minor }: { sum_minor: number }) => sum_minor)).toEqual(sums.map(() => 0));
});

it('a guest buys insurance with a code for it, which is not for rooms', async () => {
  const code = newCode();
  const made = await create({ code, discount_percent: 25, types: ['insurance'], uses: 1 });
  const [product] = (await call('GET /api/v1/insurance/products')).body.data;
  const valid_from = addDays(new Date().toISOString().slice(0, 10), 3);
  const persons = [{ first_name: 'Anna', last_name: 'Orlova', birth_date: '1990-05-17' }];
  const item = { product_id: product.id, valid_from, valid_to: valid_from, persons, promo: code };
  const { token } = await newTourist(call, admin, 'Anna');
  const { promo: _, ...plain } = item;
  const price = product.price_per_person_day_minor;
  const seen = await call('POST /api/v1/insurance/quote', { body: plain });
  expect(seen, 'a stranger sees the price').toMatchObject({ status: 200, body: { total_minor: price } });
  const guessed = await call('POST /api/v1/insurance/quote', { body: item });
  expect(guessed, 'a stranger guesses no codes').toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  const quote = await call('POST /api/v1/insurance/quote', { token, body: item });
  expect(quote.body).toMatchObject({ total_minor: price * 0.75, discount_minor: price / 4, valid_from });
  const bought = await call('POST /api/v1/insurance/purchase', {
    token,
    headers: once(),
    body: { ...item, method: 'card', expected_total: quote.body.total },
  });
  expect(bought).toMatchObject({ status: 201, body: { promotion: { code, discount_minor: price / 4 } } });
  expect(bought.body.price_lines.at(-1)).toMatchObject({ kind: 'discount', amount_minor: -price / 4 });
  const { data } = (await call(`GET /api/v1/admin/promo-codes/${made.body.id}/uses`, { token: admin })).body;
  expect(data).toMatchObject([{ kind: 'purchase', item_id: bought.body.id, status: 'reserved' }]);
  const again = await call('POST /api/v1/insurance/purchase', {
    token,
    headers: once(),
    body: { ...item, method: 'card' },
  });
  expect(again).toMatchObject({ status: 409, body: { code: 'promo_refused', reason: 'used_up' } });
  const room = await freeRoom(call, demo);
  const stay = { type: 'hotel', item_id: room.roomId, check_in: room.checkIn, check_out: room.checkOut, guests: 1 };
  expect((await call('POST /api/v1/bookings/quote', { token, body: { ...stay, promo: code } })).body).toMatchObject({
    ...{ status: 409, reason: 'type' },
  });
});
