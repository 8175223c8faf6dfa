/** Favourites over HTTP: of every kind, in the lists of the catalog, gone ones, and what their watchers are told. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { createPool } from '../../infra/postgres.ts';
import { caller, newTourist, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const log = createLogger({ level: 'silent' });
const pool = createPool(runtime.databaseUrl, { max: 1, applicationName: 'spec', log });
afterAll(() => pool.end());
let [seller, token, city] = ['', '', ''];
beforeAll(async () => {
  const admin = await signIn(call, demo, 'admin');
  [seller, token] = await Promise.all([
    signIn(call, demo, 'hotelier'),
    newTourist(call, admin, 'Vera').then((person) => person.token),
  ]);
  city = `Favourite ${randomUUID().slice(0, 8)}`;
});

const mark = (type: string, id: string, body?: object) => call(`POST /api/v1/favorites/${type}/${id}`, { token, body });
const marked = async (type: string) => (await call(`GET /api/v1/favorites/${type}`, { token })).body;

it('a hotel is marked once, seen in lists, gone when it is closed, and removed', async () => {
  const id = await newHotel(call, seller, { city });
  const roomId = await newRoom(call, seller, { hotelId: id, price: 90 });
  expect(await mark('hotel', id)).toMatchObject({ status: 201, body: { type: 'hotel', id, notify: [] } });
  expect((await mark('hotel', id)).status).toBe(200);
  expect((await mark('room', roomId)).status).toBe(201);
  expect(await marked('hotel')).toMatchObject({
    total: 1,
    data: [{ id, title: 'Larch House', min_price: 90, min_price_minor: 9_000, currency: 'RUB', is_gone: false }],
  });
  expect((await marked('room')).data).toMatchObject([{ id: roomId, title: 'Attic', min_price: 90 }]);

  const list = `GET /api/v1/hotels?city=${encodeURIComponent(city)}`;
  const own = await call(list, { token });
  expect(own.body.data).toMatchObject([{ id, is_favorite: true }]);
  expect(own.headers.get('cache-control')).toMatch(/^private/);
  expect((await call(list)).body.data[0]).not.toHaveProperty('is_favorite');
  expect((await call(list, { token: seller })).body.data).toMatchObject([{ is_favorite: false }]);
  const shown = { is_favorite: true, rooms: [{ id: roomId, is_favorite: true }] };
  expect((await call(`GET /api/v1/hotels/${id}`, { token })).body).toMatchObject(shown);
  expect((await call(`GET /api/v1/hotels/${id}`)).body.rooms[0]).not.toHaveProperty('is_favorite');

  expect((await call(`DELETE /api/v1/hotels/${id}`, { token: seller })).status).toBe(204);
  expect((await marked('hotel')).data).toMatchObject([{ id, is_gone: true, min_price: null }]);
  expect((await mark('hotel', id)).status).toBe(200);
  const remove = () => call(`DELETE /api/v1/favorites/hotel/${id}`, { token });
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 204]);
  expect((await marked('hotel')).data).toEqual([]);
  expect((await mark('hotel', id)).status).toBe(404);
});

it('things of every kind are marked, and counted by kind', async () => {
  const lists = {
    tour: 'tours',
    restaurant: 'restaurants',
    transfer: 'transfers/routes',
    instructor: 'instructors',
    company: 'companies',
    slope: 'resort/slopes',
    lift: 'resort/lifts',
    event: 'events',
  };
  const before = (await call('GET /api/v1/favorites', { token })).body.total;
  for (const [type, path] of Object.entries(lists)) {
    const [first] = (await call(`GET /api/v1/${path}?per_page=1`)).body.data;
    expect((await mark(type, first.id)).status, type).toBe(201);
    const [card] = (await marked(type)).data;
    expect(card, type).toMatchObject({ type, id: first.id, title: first.name ?? first.title, is_gone: false });
    expect(await mark(type, randomUUID()), type).toMatchObject({ status: 404 });
    const own = await call(`GET /api/v1/${path}?per_page=1`, { token });
    expect(own.body.data, type).toMatchObject([{ id: first.id, is_favorite: true }]);
    expect(own.headers.get('cache-control'), type).toMatch(/^private/);
    // What is shown of a lift passes with time: others see the same fields of the same thing.
    const [plain] = (await call(`GET /api/v1/${path}?per_page=1`)).body.data;
    expect([plain.id, Object.keys(plain)], type).toEqual([first.id, Object.keys(first)]);
    expect(plain, type).not.toHaveProperty('is_favorite');
  }
  const { body } = await call('GET /api/v1/favorites', { token });
  expect(body.total - before).toBe(Object.keys(lists).length);
  expect(body.data).toContainEqual({ type: 'lift', count: 1 });
  expect(body.data).toContainEqual({ type: 'webcam', count: 0 });
  expect((await mark('webcam', randomUUID())).status).toBe(404);
  expect((await mark('planet', randomUUID())).status).toBe(422);
});

it('operations of one thing, and lists that are stored as text, say so too', async () => {
  const [lift] = (await call('GET /api/v1/resort/lifts?per_page=1')).body.data;
  const plain = await call(`GET /api/v1/resort/lifts/${lift.id}`);
  expect([plain.headers.get('cache-control'), plain.headers.get('vary')]).toEqual([
    'public, max-age=0',
    expect.stringContaining('Authorization'),
  ]);
  const own = await call(`GET /api/v1/resort/lifts/${lift.id}`, { token });
  await until(async () => {
    const request = `GET /api/v1/resort/lifts/${lift.id}`;
    const [shown, others] = await Promise.all([call(request, { token }), call(request)]);
    return isDeepStrictEqual(shown.body, { ...others.body, is_favorite: true });
  });
  expect(own.headers.get('etag')).toMatch(`"${plain.body.revision}-`);
  const categories = (await call('GET /api/v1/forums/categories')).body.data as { id: string; topics_count: number }[];
  const { id = '' } = categories.find(({ topics_count }) => topics_count > 0) ?? {};
  const topics = () => call(`GET /api/v1/forums/categories/${id}/topics?per_page=1`, { token });
  const [topic] = (await topics()).body.data;
  expect(topic.is_favorite).toBe(false);
  expect((await mark('topic', topic.id)).status).toBe(201);
  expect((await call(`GET /api/v1/forums/topics/${topic.id}`, { token })).body.is_favorite).toBe(true);
});

it('who watches is told of a lower price once', async () => {
  const hotelId = await newHotel(call, seller, { city: `${city} 2` });
  const roomId = await newRoom(call, seller, { hotelId, price: 100 });
  const dates = { check_in: day(10), check_out: day(12), guests: 2 };
  expect((await mark('hotel', hotelId, { notify: ['price_drop'], check_in: day(10) })).status).toBe(422);
  expect((await mark('lift', randomUUID(), { notify: ['price_drop'] })).status).toBe(404);
  const wish = { notify: ['price_drop'], ...dates };
  expect(await mark('hotel', hotelId, wish)).toMatchObject({ status: 201, body: wish });
  const price = (value: number) =>
    call(`PUT /api/v1/rooms/${roomId}/nights`, {
      token: seller,
      body: { ranges: [{ from: day(9), to: day(14), price: value }] },
    });
  const told = async () => (await call('GET /api/v1/notifications?kind=favorite', { token })).body.data;
  const known = 'select from ops.favorite_watches where target_id = $1 and price_minor is not null';
  await until(async () => (await pool.query(known, [hotelId])).rowCount);
  expect((await price(101)).status).toBe(200);
  expect((await price(95)).status).toBe(200);
  await until(async () => (await told()).length > 0);
  expect(await told()).toMatchObject([{ kind: 'favorite', link: `/favorites/hotel/${hotelId}` }]);
});
