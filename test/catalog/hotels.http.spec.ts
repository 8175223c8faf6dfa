/** Hotels over HTTP: edited by owners, searched by guests, read by partners. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, todayIn } from '../../domain/core/dates.ts';
import { caller, once, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const apiKey = demo.partner_key;
const TIMEZONE = 'Europe/Moscow';
const today = todayIn(TIMEZONE, new Date().toISOString());
const on = (day: number) => addDays(today, day);

const newHotel = {
  name: 'Vostok',
  city: 'Testograd',
  address: 'Lesnaya 7',
  stars: 3,
  location: { latitude: 43.5, longitude: 40.1 },
  timezone: TIMEZONE,
  currency: 'RUB',
  charges: [{ kind: 'tax', name: 'Resort tax', bps: 1_000 }],
};
const newRoom = { name: 'Double', capacity: 2, units: 2, price_per_night: 5_000 };

let hotelier: string;
let admin: string;
let tourist: string;
beforeAll(async () => {
  [hotelier, admin, tourist] = await Promise.all([
    signIn(call, demo, 'hotelier'),
    signIn(call, demo, 'admin'),
    signIn(call, demo, 'tourist'),
  ]);
});

const addHotel = async (changes: object = {}) =>
  (await call('POST /api/v1/hotels', { token: hotelier, body: { ...newHotel, ...changes } })).body;
const addRoom = async (hotelId: string, changes: object = {}) =>
  (await call(`POST /api/v1/hotels/${hotelId}/rooms`, { token: hotelier, body: { ...newRoom, ...changes } })).body;
const price = (roomId: string, ...ranges: object[]) =>
  call(`PUT /api/v1/rooms/${roomId}/nights`, { token: hotelier, body: { ranges } });
/** A hotel with one kind of room, for sale on ten nights from tomorrow. */
const sellingHotel = async (city: string) => {
  const hotel = await addHotel({ city });
  const room = await addRoom(hotel.id);
  await price(room.id, { from: on(1), to: on(11), price: 5_000 });
  return { hotel, room };
};

describe('creating a hotel', () => {
  it('shows it at once, with defaults for omitted fields', async () => {
    const { status, body } = await call('POST /api/v1/hotels', { token: hotelier, body: newHotel, headers: once() });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...newHotel,
      owner_id: demo.accounts.hotelier.id,
      status: 'published',
      description: '',
      amenities: [],
      images: [],
      cancellation_policy: 'flexible',
    });
    const shown = await call(`GET /api/v1/hotels/${body.id}`);
    expect(shown.body).toMatchObject({ id: body.id, min_price: null, rating: null, rooms: [], availability: null });
    expect(shown.body).not.toHaveProperty('owner_id');
    const own = await call('GET /api/v1/provider/hotels?per_page=100', { token: hotelier });
    expect(own.body.data.map((one: { id: string }) => one.id)).toContain(body.id);
  });

  it('creates one hotel for repeated requests with one key', async () => {
    const headers = once();
    const enter = () => call('POST /api/v1/hotels', { token: hotelier, body: newHotel, headers });
    const [first, second] = [await enter(), await enter()];
    expect(second.body).toEqual(first.body);
  });

  it('takes charges in major units and returns both units', async () => {
    const share = { kind: 'tax', name: 'City tax', bps: 200 };
    const linen = { kind: 'fee', name: 'Linen', per_night: 150.5 };
    const inBoth = { ...linen, per_night_minor: 15_050 };
    const { body } = await call('POST /api/v1/hotels', {
      token: hotelier,
      body: { ...newHotel, charges: [share, linen] },
    });
    expect(body.charges).toEqual([share, inBoth]);
    expect((await call(`GET /api/v1/hotels/${body.id}`)).body.charges).toEqual([share, inBoth]);
    expect((await call(`GET /ota/v1/hotels/${body.id}`, { apiKey })).body.charges).toEqual([share, inBoth]);
    const change = (charges: object[]) =>
      call(`PATCH /api/v1/hotels/${body.id}`, { token: hotelier, body: { charges } });
    const changed = await change([{ ...linen, per_night: 99 }]);
    expect(changed.body.charges).toEqual([{ ...linen, per_night: 99, per_night_minor: 9_900 }]);
    expect((await change([{ ...linen, per_night: 0.001 }])).status).toBe(422);
    expect((await change([{ ...linen, per_night_minor: 100 }])).status).toBe(422);
  });

  it.each([
    ['an unknown time zone', { timezone: 'Mars/Olympus' }],
    ['an unknown currency', { currency: 'ZZZ' }],
    ['six stars', { stars: 6 }],
    ['an unknown field', { star: 3 }],
    ['a charge that is share and amount', { charges: [{ kind: 'tax', name: 'T', bps: 1, per_night: 1 }] }],
    ['a picture that runs', { images: [{ url: 'javascript:alert(1)', is_main: true }] }],
    ['no name', { name: '' }],
  ])('is refused with %s', async (_, changes) => {
    const { status, body } = await call('POST /api/v1/hotels', { token: hotelier, body: { ...newHotel, ...changes } });
    expect(status).toBe(422);
    expect(body.detail).toEqual(expect.any(String));
  });

  it('is allowed for hoteliers, and for admins on behalf of an owner', async () => {
    const enter = (token: string, changes: object = {}) =>
      call('POST /api/v1/hotels', { token, body: { ...newHotel, ...changes } });
    expect((await enter(tourist)).status).toBe(403);
    expect((await enter(hotelier, { owner_id: demo.accounts.admin.id })).status).toBe(403);
    expect((await enter(admin, { owner_id: demo.accounts.hotelier.id })).body.owner_id).toBe(demo.accounts.hotelier.id);
  });
});

describe('updating a hotel', () => {
  it('keeps omitted fields; a closed hotel is not found by guests', async () => {
    const hotel = await addHotel();
    const change = (body: object) => call(`PATCH /api/v1/hotels/${hotel.id}`, { token: hotelier, body });
    expect((await change({ stars: 4 })).body).toEqual({ ...hotel, stars: 4 });
    expect((await change({ status: 'closed' })).body.status).toBe('closed');
    expect((await call(`GET /api/v1/hotels/${hotel.id}`)).status).toBe(404);
    expect((await call(`GET /ota/v1/hotels/${hotel.id}`, { apiKey })).status).toBe(404);
    await change({ status: 'published' });
    expect((await call(`GET /api/v1/hotels/${hotel.id}`)).status).toBe(200);
    expect((await change({})).status).toBe(422);
    expect((await change({ currency: 'EUR' })).status).toBe(422);
  });

  it('is allowed for admins; the hotel of another owner is 404', async () => {
    const hotel = (await call('POST /api/v1/hotels', { token: admin, body: newHotel })).body;
    const rooms = `/api/v1/hotels/${hotel.id}/rooms`;
    const room = (await call(`POST ${rooms}`, { token: admin, body: newRoom })).body;
    const asked = await Promise.all([
      call(`PATCH /api/v1/hotels/${hotel.id}`, { token: hotelier, body: { stars: 1 } }),
      call(`POST ${rooms}`, { token: hotelier, body: newRoom }),
      call(`PATCH /api/v1/rooms/${room.id}`, { token: hotelier, body: { units: 1 } }),
      price(room.id, { from: on(1), to: on(2), price: 1 }),
    ]);
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const own = await addHotel();
    const byAdmin = await call(`PATCH /api/v1/hotels/${own.id}`, { token: admin, body: { stars: 1 } });
    expect(byAdmin.body.stars).toBe(1);
  });
});

describe('pricing nights', () => {
  it('returns the nights after the change', async () => {
    const room = await addRoom((await addHotel()).id);
    const { status, body } = await price(
      room.id,
      { from: on(1), to: on(4), price: 5_000.5, min_stay: 2 },
      { from: on(2), to: on(3), stop_sell: true },
    );
    expect(status).toBe(200);
    const night = { price: 5_000.5, price_minor: 500_050, stop_sell: false, min_stay: 2, max_stay: null };
    expect(body).toMatchObject({
      room_id: room.id,
      currency: 'RUB',
      nights: [
        { ...night, date: on(1) },
        { ...night, date: on(2), stop_sell: true },
        { ...night, date: on(3) },
      ],
    });
  });

  it.each([
    ['no night', { from: on(2), to: on(2), price: 1 }],
    ['nights that are past', { from: on(-3), to: on(-1), price: 1 }],
    ['nights too far ahead', { from: on(490), to: on(501), price: 1 }],
    ['an amount without a coin', { from: on(1), to: on(2), price: 0.001 }],
    ['a date that does not exist', { from: '2027-02-29', to: '2027-03-02', price: 1 }],
    ['a weekday that does not exist', { from: on(1), to: on(2), weekdays: ['funday'] }],
  ])('is refused for %s', async (_, range) => {
    const room = await addRoom((await addHotel()).id);
    expect((await price(room.id, range)).status).toBe(422);
  });
});

describe('availability', () => {
  const availability = (hotelId: string, query: string) =>
    call(`GET /ota/v1/hotels/${hotelId}/availability?${query}`, { apiKey });

  it('returns free rooms and price of each night, and the total', async () => {
    const { hotel, room } = await sellingHotel('Availagrad');
    const { status, body, headers } = await availability(hotel.id, `check_in=${on(1)}&check_out=${on(3)}&guests=2`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, max-age=15');
    const night = {
      available: true,
      rooms_left: 2,
      price: 5_000,
      price_minor: 500_000,
      stop_sell: false,
      min_stay: null,
      max_stay: null,
      closed_to_arrival: false,
      closed_to_departure: false,
    };
    expect(body).toEqual({
      hotel_id: hotel.id,
      check_in: on(1),
      check_out: on(3),
      nights: 2,
      guests: 2,
      currency: 'RUB',
      rooms: [
        {
          room_id: room.id,
          name: 'Double',
          capacity: 2,
          available: true,
          rooms_left: 2,
          nights: [
            { date: on(1), ...night },
            { date: on(2), ...night },
          ],
          price: {
            base: 10_000,
            base_minor: 1_000_000,
            taxes: 1_000,
            taxes_minor: 100_000,
            fees: 0,
            fees_minor: 0,
            total: 11_000,
            total_minor: 1_100_000,
            avg_per_night: 5_000,
            avg_per_night_minor: 500_000,
          },
          cancellation_policy: 'flexible',
          cancellation_rules: [
            { from: 24, penalty_percent: 0, until: `${today}T11:00:00.000Z` },
            { from: 0, penalty_percent: 50, until: `${on(1)}T11:00:00.000Z` },
          ],
          unavailable_reasons: [],
        },
      ],
    });
  });

  it('returns the reasons why a room is not available', async () => {
    const { hotel, room } = await sellingHotel('Whygrad');
    await price(room.id, { from: on(1), to: on(2), min_stay: 3, closed_to_arrival: true });
    const { body } = await availability(hotel.id, `check_in=${on(1)}&check_out=${on(3)}&guests=3`);
    expect(body.rooms[0]).toMatchObject({
      available: false,
      price: null,
      unavailable_reasons: ['capacity', 'min_stay', 'closed_to_arrival'],
    });
    await call(`PATCH /api/v1/rooms/${room.id}`, { token: hotelier, body: { units: 0 } });
    const none = await availability(hotel.id, `check_in=${on(4)}&check_out=${on(5)}`);
    expect(none.body.rooms[0]).toMatchObject({ available: false, rooms_left: 0, unavailable_reasons: ['sold_out'] });
  });

  it.each([
    ['leaves before it comes', `check_in=${on(3)}&check_out=${on(3)}`],
    ['is past', `check_in=${on(-2)}&check_out=${on(3)}`],
    ['is longer than 30 nights', `check_in=${on(1)}&check_out=${on(32)}`],
    ['is more than 500 days ahead', `check_in=${on(499)}&check_out=${on(502)}`],
    ['has no end', `check_in=${on(1)}`],
    ['has no date', 'check_in=tomorrow&check_out=later'],
    ['has no guest', `check_in=${on(1)}&check_out=${on(2)}&guests=0`],
  ])('refuses a stay that %s', async (_, query) => {
    const { hotel } = await sellingHotel('Refusegrad');
    const { status, body } = await availability(hotel.id, query);
    expect(status).toBe(422);
    expect(body.errors[0]).toMatchObject({ pointer: expect.stringMatching(/^\/query\//), detail: expect.any(String) });
  });
});

describe('finding hotels', () => {
  it('reports availability for the given dates, or for any future night without dates', async () => {
    const { hotel, room } = await sellingHotel('Datograd');
    await price(room.id, { from: on(5), to: on(6), price: 8_000 });
    await price(room.id, { from: on(10), to: on(12), price: null });
    const find = async (query: string) =>
      (await call(`GET /ota/v1/hotels?city=DATOGRAD${query}`, { apiKey })).body.data;
    expect(await find('')).toMatchObject([{ id: hotel.id, min_price: 5_000 }]);
    expect(await find(`&check_in=${on(4)}&check_out=${on(6)}`)).toMatchObject([{ id: hotel.id, min_price: 6_500 }]);
    expect(await find(`&check_in=${on(4)}&check_out=${on(6)}&max_price=6000`)).toEqual([]);
    expect(await find(`&check_in=${on(4)}&check_out=${on(6)}&guests=3`)).toEqual([]);
    expect(await find(`&check_in=${on(10)}&check_out=${on(12)}`)).toEqual([]);
    expect(await find('&min_price=5001')).toEqual([]);
  });

  it('returns a hotel with rooms, and with availability when dates are given', async () => {
    const { hotel, room } = await sellingHotel('Detailgrad');
    await price(room.id, { from: on(10), to: on(12), price: null });
    const plain = await call(`GET /api/v1/hotels/${hotel.id}`);
    expect(plain.body.rooms).toMatchObject([{ id: room.id, price_per_night: 5_000, availability: true }]);
    const dated = await call(`GET /api/v1/hotels/${hotel.id}?check_in=${on(10)}&check_out=${on(12)}`);
    expect(dated.body.rooms).toMatchObject([{ id: room.id, availability: false }]);
    expect(dated.body.availability.rooms[0].unavailable_reasons).toEqual(['not_priced']);
  });

  it.each([
    ...['city=Мегёв', 'city=мегев', `city=${'Мегёв'.normalize('NFD')}`, 'city=%20МЕГЁВ%20'],
    ...['q=мегев', 'q=ЕЛКИ', 'q=ёлк', `q=${'Майск'.normalize('NFD')}`, 'q=chalet', 'q=Châlet%20майские'],
  ])('finds what people mean by %s', async (query) => {
    const name = 'Ёлки Майские, Chalet';
    const names = async (asked: string) =>
      (await call(`GET /api/v1/hotels?${asked}`)).body.data.map((one: { name: string }) => one.name);
    if (!(await names('city=Мегёв')).includes(name)) await addHotel({ city: 'Мегёв', name });
    expect(await names(query)).toContain(name);
    expect(await names('q=маиские')).toEqual([]);
  });

  it('sorts names as readers do, in any letter case', async () => {
    const given = ['Яр', 'Ёлка', 'ели', 'Жар', 'Ива', 'Йети', 'Alm', 'bar'];
    await Promise.all(given.map((name) => addHotel({ city: 'Буквинск', name })));
    const { body } = await call('GET /api/v1/hotels?city=буквинск');
    const order = ['Alm', 'bar', 'ели', 'Ёлка', 'Жар', 'Ива', 'Йети', 'Яр'];
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(order);
  });

  it('searches by words, sorts and pages', async () => {
    await Promise.all(['Alpha', 'Beta', 'Gamma'].map((name) => addHotel({ city: 'Sortograd', name })));
    const names = async (query: string) =>
      (await call(`GET /api/v1/hotels?city=sortograd&${query}`)).body.data.map((one: { name: string }) => one.name);
    expect(await names('q=alp')).toEqual(['Alpha']);
    expect(await names('')).toEqual(['Alpha', 'Beta', 'Gamma']);
    expect(await names('per_page=2&page=2')).toEqual(['Gamma']);
    expect(await names('page=9')).toEqual([]);
    for (const bad of ['page=0', 'per_page=101', 'sort=luck', 'color=red', 'guests=few'])
      expect((await call(`GET /api/v1/hotels?${bad}`)).status, bad).toBe(422);
  });
});
