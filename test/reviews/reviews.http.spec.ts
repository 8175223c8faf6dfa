/** Reviews over HTTP: written after the visit, answered, reported, hidden, and seen in the catalog. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, instantIn, todayIn, WEEKDAYS } from '../../domain/core/dates.ts';
import { photo } from '../files/samples.ts';
import { completeBooking } from '../kit/completed.ts';
import { caller, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect } from '../realtime/stage.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const TIMEZONE = 'Europe/Moscow';
const closing: (() => unknown)[] = [];
const tokens = { guest: '', other: '', seller: '', admin: '' };
beforeAll(async () => {
  const people = { guest: 'tourist', other: 'tourist2', seller: 'restaurant', admin: 'admin' } as const;
  for (const [name, who] of Object.entries(people)) tokens[name as keyof typeof tokens] = await signIn(call, demo, who);
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** A picture of the guest. @returns its id */
const upload = async (): Promise<string> => {
  const form = new FormData();
  form.append('file', new Blob([await photo(40, 30)]), 'view.jpg');
  const reply = await fetch(`${runtime.api}/api/v1/attachments/upload?folder=reviews`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.guest}` },
    body: form,
  });
  expect(reply.status).toBe(201);
  return ((await reply.json()) as { id: string }).id;
};

const newRestaurant = async (): Promise<string> => {
  const body = {
    name: `Reviewed ${randomUUID()}`,
    city: 'Reviewsk',
    address: 'Lesnaya 7',
    location: { latitude: 43.6, longitude: 40.2 },
    timezone: TIMEZONE,
    currency: 'RUB',
    average_bill: 900,
    opening_hours: [{ weekdays: [...WEEKDAYS], from: '00:00', to: '24:00' }],
    sitting_minutes: 120,
    deposit_per_guest: 0,
    confirmation: 'instant',
    tables: [{ name: 'Barrel', seats: 2, units: 1 }],
    status: 'published',
  };
  const reply = await call('POST /api/v1/restaurants', { token: tokens.seller, body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
};

it('a guest reviews a visit, the seller answers, and the listing shows the rating', async () => {
  const target_id = await newRestaurant();
  const slot_start = instantIn(TIMEZONE, addDays(todayIn(TIMEZONE, new Date().toISOString()), 3), '10:00');
  const booked = await call(`POST /api/v1/restaurants/${target_id}/table-bookings`, {
    token: tokens.guest,
    body: { slot_start, guests: 2 },
    headers: once(),
  });
  expect(booked.status, JSON.stringify(booked.body)).toBe(201);
  const booking_id: string = booked.body.id;
  const bookingNow = async () => (await call(`GET /api/v1/bookings/${booking_id}`, { token: tokens.guest })).body;
  await until(async () => (await bookingNow()).status === 'paid');
  const body = { target_type: 'restaurant', target_id, rating: 4, text: 'Warm, and a fine view.' };
  const review = (more: object = {}, token = tokens.guest) =>
    call('POST /api/v1/reviews', { token, body: { ...body, ...more }, headers: once() });
  expect((await review({ booking_id })).body).toMatchObject({ status: 409, code: 'invalid_transition' });
  expect((await review()).body).toMatchObject({ status: 409, code: 'conflict' });
  expect((await review({ booking_id }, tokens.other)).status).toBe(404);

  const seller = connect(Number(new URL(runtime.api).port), tokens.seller);
  closing.push(() => seller.socket.close());
  await seller.ask({ type: 'subscribe', channel: `provider_${demo.accounts.restaurant.id}` });
  await completeBooking(runtime, booking_id);
  const picture_ids = [await upload(), await upload()];
  const written = await review({ booking_id, picture_ids });
  expect(written.status, JSON.stringify(written.body)).toBe(201);
  const shown = { ...body, id: written.body.id, author: expect.any(String), answer: null };
  expect(written.body).toMatchObject({ ...shown, status: 'published', booking_id });
  const shows = (pictures: { id: string }[]) => pictures.map(({ id }) => id);
  expect(shows(written.body.pictures)).toEqual(picture_ids);
  expect((await review({ booking_id, rating: 1 })).status).toBe(409);
  expect(await seller.first('review.created')).toMatchObject({ data: shown });

  const path = `/api/v1/reviews/${written.body.id}`;
  const edited = await call(`PATCH ${path}`, {
    token: tokens.guest,
    body: { rating: 5, picture_ids: picture_ids.slice(1) },
  });
  expect(edited.body).toMatchObject({ rating: 5, text: body.text });
  expect(shows(edited.body.pictures)).toEqual(picture_ids.slice(1));
  await until(async () => (await call(`GET /api/v1/files/${picture_ids[0]}`)).status === 404);
  expect((await call(`PATCH ${path}`, { token: tokens.other, body: { rating: 1 } })).status).toBe(404);
  expect((await call(`PUT ${path}/answer`, { token: tokens.seller, body: { text: 'Come again.' } })).status).toBe(204);

  const list = async () =>
    (await call(`GET /api/v1/reviews?target_type=restaurant&target_id=${target_id}&sort=best`)).body;
  const { data } = await list();
  expect(data).toMatchObject([{ ...shown, rating: 5, answer: { text: 'Come again.' } }]);
  expect((await fetch(runtime.api + new URL(data[0].pictures[0].url).pathname)).status).toBe(200);
  expect(Object.keys(data[0])).not.toContain('user_id');
  expect(Object.keys(data[0])).not.toContain('booking_id');
  const rated = async () => {
    const one = (await call(`GET /api/v1/restaurants/${target_id}`)).body;
    const [first] = (await call('GET /api/v1/restaurants?city=reviewsk&sort=rating')).body.data;
    expect(first).toMatchObject({ rating: one.rating, reviews_count: one.reviews_count });
    return { rating: one.rating, reviews_count: one.reviews_count };
  };
  expect(await rated()).toEqual({ rating: 5, reviews_count: 1 });
  const prefer = { prefer: 'channel-offset' };
  const received = await call('GET /api/v1/provider/reviews', { token: tokens.seller, headers: prefer });
  expect(received.headers.get('x-channel-offset')).toContain(`provider_${demo.accounts.restaurant.id}`);
  expect(received.body.data).toMatchObject([{ id: written.body.id, booking_id }]);

  const read = (who: keyof typeof tokens) => call(`GET ${path}`, { token: tokens[who] });
  expect((await read('guest')).body).toEqual({ ...received.body.data[0], hidden_reason: null });
  expect((await read('seller')).body).toEqual(received.body.data[0]);
  expect((await read('admin')).body).toMatchObject({ id: written.body.id, user_id: demo.accounts.tourist.id });
  expect((await read('other')).status).toBe(404);

  const reported = await call(`POST ${path}/report`, { token: tokens.other, body: { reason: 'An advertisement' } });
  expect(reported.status).toBe(201);
  const resolve = (more: object) =>
    call(`POST /api/v1/admin/review-reports/${reported.body.id}/resolve`, { token: tokens.admin, body: more });
  expect((await resolve({ action: 'remove' })).status).toBe(422);
  expect((await resolve({ action: 'remove', reason: 'Advertises another place' })).status).toBe(204);
  expect(await rated()).toEqual({ rating: null, reviews_count: 0 });
  expect((await list()).total).toBe(0);
  const own = await call('GET /api/v1/reviews/me', { token: tokens.guest });
  expect(own.body.data[0]).toMatchObject({ status: 'hidden', hidden_reason: 'Advertises another place' });
  expect((await read('guest')).body).toEqual(own.body.data[0]);
  expect([(await read('seller')).status, (await read('admin')).status]).toEqual([404, 200]);
  const notices = async (): Promise<{ type: string; link: string }[]> =>
    (await call('GET /api/v1/notifications?kind=system', { token: tokens.guest })).body.data;
  const told = async () =>
    (await notices()).filter(({ type, link }) => type === 'review_hidden' && link.endsWith(written.body.id));
  await until(async () => (await told()).length === 1);
  const appeal = { kind: 'review', subject_id: written.body.id, text: 'I only compared prices.' };
  const appealed = await call('POST /api/v1/appeals', { token: tokens.guest, body: appeal });
  expect(appealed.status, JSON.stringify(appealed.body)).toBe(201);
  const answered = await call(`POST /api/v1/admin/appeals/${appealed.body.id}/answer`, {
    token: tokens.admin,
    body: { action: 'accept', answer: 'So you did.' },
  });
  expect(answered.status, JSON.stringify(answered.body)).toBe(204);
  await until(async () => (await list()).total === 1);
  await until(async () => (await told()).length === 0);
  expect(await rated()).toEqual({ rating: 5, reviews_count: 1 });
  const again = await call(`POST ${path}/report`, { token: tokens.other, body: { reason: 'Still one' } });
  expect(again.status).toBe(201);
  for (let n = 0; n < 2; n += 1) expect((await call(`DELETE ${path}`, { token: tokens.guest })).status).toBe(204);
  expect(await rated()).toEqual({ rating: null, reviews_count: 0 });
  // Its author has deleted it, and those who judge still read it.
  await until(async () => {
    const queue = await call('GET /api/v1/admin/review-reports?status=open&per_page=100', { token: tokens.admin });
    const one = queue.body.data.find(({ id }: { id: string }) => id === again.body.id);
    return one?.content === null && one.reported_texts.at(-1)?.text === body.text;
  });
  await call(`DELETE /api/v1/restaurants/${target_id}`, { token: tokens.seller });
});
