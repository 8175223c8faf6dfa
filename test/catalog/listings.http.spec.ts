/** Tours, restaurants, transfers, instructors and companies over HTTP. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, todayIn } from '../../domain/core/dates.ts';
import { caller, once, signIn } from '../kit/http.ts';
import { type DemoPerson, sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const TIMEZONE = 'Europe/Moscow';
const today = todayIn(TIMEZONE, new Date().toISOString());
const on = (day: number) => addDays(today, day);
const DAILY = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const place = { timezone: TIMEZONE, currency: 'RUB', city: 'Testograd', location: { latitude: 10, longitude: 20 } };
const newTour = {
  ...place,
  name: 'Glowworm walk',
  activity: 'hike',
  difficulty: 'easy',
  meeting_point: 'At the well',
  duration_minutes: 60,
  seats: 5,
  price_per_person: 1_500.5,
  schedule: [{ from: on(0), to: on(60), weekdays: DAILY, time: '23:00' }],
};
const newRestaurant = {
  ...place,
  name: 'Cellar',
  address: 'Lesnaya 7',
  average_bill: 900,
  opening_hours: [{ weekdays: DAILY, from: '18:00', to: '01:00' }],
  sitting_minutes: 120,
  deposit_per_guest: 100,
  tables: [
    { name: 'Barrel', seats: 2, units: 1 },
    { name: 'Bench', seats: 6, units: 2 },
  ],
};

const tokens = {} as Record<DemoPerson, string>;
beforeAll(async () => {
  const people = ['touroperator', 'restaurant', 'tourist', 'admin', 'hotelier'] as const;
  await Promise.all(
    people.map(async (who) => {
      tokens[who] = await signIn(call, demo, who);
    }),
  );
});

const addTour = async (changes: object = {}) =>
  (await call('POST /api/v1/tours', { token: tokens.touroperator, body: { ...newTour, ...changes } })).body;
const addRestaurant = async (changes: object = {}) =>
  (await call('POST /api/v1/restaurants', { token: tokens.restaurant, body: { ...newRestaurant, ...changes } })).body;

describe('searching listings', () => {
  const find = async (path: string) => {
    const { status, body } = await call(`GET /api/v1/${path}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data as { id: string; name: string; min_price: number; distance_km: number | null }[];
  };
  const names = async (path: string) => (await find(path)).map(({ name }) => name);

  it.each([
    ['tours?city=rosa%20khutor', ['Aibga Freeride', 'Four Summits in a Day']],
    ['tours?q=snowm%20night', ['Snowmobiles by Night']],
    ['tours?difficulty=expert', ['Aibga Freeride']],
    ['tours?activity=sightseeing&language=de', ['Old Polyana on Foot']],
    ['tours?min_price=5000&sort=-price&max_price=20000', ['Aibga Freeride', 'Snowmobiles by Night']],
    ['tours?city=esto-sadok&date=2031-01-04', ['Snowshoes in the Fir Forest']],
    ['tours?city=esto-sadok&date=2031-01-03', []],
    ['tours?city=esto-sadok&guests=13', []],
    ['tours?city=esto-sadok&guests=100', []],
    ['restaurants?cuisine=GEORGIAN', ['Khinkali Dvor']],
    ['restaurants?q=seafood', ['Nochnaya Laura']],
    ['restaurants?cuisine=%20SEAFOOD%20', ['Nochnaya Laura']],
    ['restaurants?guests=7', ['Ugol i Dym']],
    ['restaurants?max_price=1500&city=gazprom%20polyana', ['Wok 960']],
    ['transfers/routes?from=airport&to=khutor', ['Sochi airport (AER) – Rosa Khutor']],
    ['transfers/routes?from=rosa', ['Rosa Khutor – Sochi airport (AER)']],
    ['transfers/routes?passengers=17', []],
    ['transfers/routes?vehicle_class=minivan&q=adler', ['Adler railway station – Rosa Khutor']],
    ['instructors?discipline=snowboard&level=beginner', ['Daria Belova']],
    ['instructors?language=sv', ['Sofia Lind']],
    ['instructors?guests=8', ['Pavel Zimin']],
    ['companies?sells=transfer', ['Perevoz']],
    ['companies?q=kitchens', ['Ugol Group']],
  ])('%s', async (path, found) => expect(await names(path)).toEqual(found));

  it('returns distances, sorts by distance and applies the radius', async () => {
    const from = 'lat=43.6716&lon=40.2953';
    const [nearest, ...rest] = await find(`tours?${from}&sort=distance&radius_km=100`);
    expect(nearest).toMatchObject({ name: 'Four Summits in a Day', distance_km: 0 });
    const far = rest.map(({ distance_km: km }) => km ?? Number.NaN);
    expect(far).toEqual(far.toSorted((a, b) => a - b));
    expect(await names(`tours?${from}&radius_km=3`)).toEqual(['Aibga Freeride', 'Four Summits in a Day']);
    const [moved] = await find('tours?lat=43.6716&lon=41.2953&radius_km=85&q=summits');
    expect(moved?.distance_km).toBeCloseTo(80.43, 1);
    expect(await find('transfers/routes?lat=43.4499&lon=39.9566&radius_km=1')).toHaveLength(4);
    const around = await names('hotels?lat=43.6791&lon=40.2058&radius_km=1&sort=distance');
    expect(around).toEqual(['Edelweiss Grand', 'Tri Vershiny', 'Ledokol Apartments']);
    for (const half of ['lat=1', 'lon=1', 'radius_km=1', 'sort=distance'])
      expect((await call(`GET /api/v1/tours?${half}`)).status, half).toBe(422);
  });

  it('prices a transfer by the requested vehicles', async () => {
    const [any] = await find('transfers/routes?from=adler');
    const [large] = await find('transfers/routes?from=adler&passengers=8');
    expect([any?.min_price, large?.min_price]).toEqual([3_200, 9_600]);
    expect(await names('transfers/routes?from=adler&passengers=8&max_price=9000')).toEqual([]);
  });

  it('lists the listings of a company', async () => {
    const [company] = await find('companies?q=tropa');
    expect(await find(`tours?company_id=${company?.id}&per_page=100`)).not.toEqual([]);
    expect(await find(`restaurants?company_id=${company?.id}`)).toEqual([]);
  });

  it('pages without gaps or duplicates', async () => {
    const all = await names('instructors?per_page=100');
    const pages = await Promise.all([1, 2, 3].map((page) => names(`instructors?per_page=2&page=${page}`)));
    expect(pages.flat()).toEqual(all.slice(0, 6));
    expect(await find('instructors?page=99')).toEqual([]);
    for (const bad of ['sort=luck', 'color=red', 'discipline=chess', 'page=0', 'sort=stars'])
      expect((await call(`GET /api/v1/instructors?${bad}`)).status, bad).toBe(422);
    expect((await call('GET /api/v1/companies?sort=price')).status).toBe(422);
    for (const list of ['tours?guests', 'restaurants?guests', 'instructors?guests', 'transfers/routes?passengers']) {
      expect((await call(`GET /api/v1/${list}=100`)).status, list).toBe(200);
      expect((await call(`GET /api/v1/${list}=101`)).status, list).toBe(422);
    }
  });

  it('returns one listing with all its fields but not its owner', async () => {
    const [{ id } = { id: '' }] = await find('transfers/routes?from=adler');
    const { body, headers } = await call(`GET /api/v1/transfers/${id}`);
    expect(body).toMatchObject({ id, distance_km: null, min_price: 3_200, min_price_minor: 320_000, currency: 'RUB' });
    expect(body.vehicles[0]).toMatchObject({ class: 'comfort', price: 3_200, price_minor: 320_000 });
    for (const hidden of ['owner_id', 'status', 'minor_per_major']) expect(body).not.toHaveProperty(hidden);
    const same = await call(`GET /api/v1/transfers/${id}`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(same.status).toBe(304);
    expect((await call(`GET /api/v1/tours/${id}`)).status).toBe(404);
    expect((await call('GET /api/v1/transfers/nonsense')).status).toBe(422);
  });
});

describe('editing listings', () => {
  it('shows a new one at once with defaults, once for repeated requests', async () => {
    const headers = once();
    const enter = () => call('POST /api/v1/tours', { token: tokens.touroperator, body: newTour, headers });
    const [first, second] = [await enter(), await enter()];
    expect(first.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(first.body).toEqual({
      id: expect.any(String),
      ...newTour,
      price_per_person_minor: 150_050,
      description: '',
      images: [],
      languages: [],
      closed_dates: [],
      cancellation_policy: 'flexible',
      confirmation: 'instant',
      allow_overlapping: false,
      owner_id: demo.accounts.touroperator.id,
      status: 'published',
    });
    const shown = await call(`GET /api/v1/tours/${first.body.id}`);
    expect(shown.body).toMatchObject({ name: 'Glowworm walk', price_per_person: 1_500.5, min_price_minor: 150_050 });
  });

  it('updates the given fields; a closed listing is found only by its owner', async () => {
    const tour = await addTour();
    const change = (body: object) => call(`PATCH /api/v1/tours/${tour.id}`, { token: tokens.touroperator, body });
    const changed = { price_per_person: 2_000, price_per_person_minor: 200_000, seats: 3 };
    expect((await change({ price_per_person: 2_000, seats: 3 })).body).toEqual({ ...tour, ...changed });
    const { status } = await call(`DELETE /api/v1/tours/${tour.id}`, { token: tokens.touroperator });
    expect(status).toBe(204);
    expect((await call(`GET /api/v1/tours/${tour.id}`)).status).toBe(404);
    const own = await call('GET /api/v1/provider/tours?per_page=100', { token: tokens.touroperator });
    const found = own.body.data.find(({ id }: { id: string }) => id === tour.id);
    expect(found).toMatchObject({ ...tour, ...changed, status: 'closed', min_price: 2_000 });
    await change({ status: 'published' });
    expect((await call(`GET /api/v1/tours/${tour.id}`)).status).toBe(200);
  });

  it.each([
    ['an unknown time zone', { timezone: 'Mars/Olympus' }],
    ['a price without a coin', { price_per_person: 0.001 }],
    ['a price beyond all bounds', { price_per_person: 1e13 }],
    ['minor units', { price_per_person_minor: 1 }],
    ['a time off the grid', { schedule: [{ from: on(0), to: on(1), weekdays: ['mon'], time: '10:07' }] }],
    ['a schedule that ends before it begins', { schedule: [{ ...newTour.schedule[0], from: on(9), to: on(8) }] }],
    ['an unknown field', { colour: 'red' }],
  ])('is refused with %s', async (_, changes) => {
    const body = { ...newTour, ...changes };
    expect((await call('POST /api/v1/tours', { token: tokens.touroperator, body })).status).toBe(422);
    expect((await call(`PATCH /api/v1/tours/${(await addTour()).id}`, { token: tokens.admin, body: {} })).status).toBe(
      422,
    );
  });

  it('is allowed for suitable roles, and for admins on behalf of an owner; for others it is 404', async () => {
    const enter = (who: DemoPerson, changes: object = {}) =>
      call('POST /api/v1/tours', { token: tokens[who], body: { ...newTour, ...changes } });
    expect((await enter('tourist')).status).toBe(403);
    expect((await enter('restaurant')).status).toBe(403);
    expect((await enter('touroperator', { owner_id: demo.accounts.admin.id })).status).toBe(403);
    for (const owner_id of [demo.accounts.tourist.id, demo.accounts.hotelier.id, randomUUID()])
      expect((await enter('admin', { owner_id })).status).toBe(422);
    const entered = await enter('admin', { owner_id: demo.accounts.touroperator.id });
    expect(entered.body.owner_id).toBe(demo.accounts.touroperator.id);
    for (const method of ['PATCH', 'DELETE']) {
      const asked = await call(`${method} /api/v1/tours/${entered.body.id}`, {
        token: tokens.restaurant,
        ...(method === 'PATCH' && { body: { seats: 1 } }),
      });
      expect(asked.status).toBe(404);
    }
    const hotel = await call('POST /api/v1/companies', {
      token: tokens.hotelier,
      body: { ...place, name: 'Inn', address: 'Lesnaya 1', sells: ['hotel'] },
    });
    expect(hotel.status).toBe(201);
  });

  it('assigns ids to new tables and refuses ids of other restaurants', async () => {
    const [mine, theirs] = [await addRestaurant(), await addRestaurant({ name: 'Attic' })];
    const change = (tables: object[]) =>
      call(`PATCH /api/v1/restaurants/${mine.id}`, { token: tokens.restaurant, body: { tables } });
    const [barrel, bench] = mine.tables;
    const kept = await change([
      { ...barrel, units: 4 },
      { name: 'Nook', seats: 2, units: 1 },
    ]);
    expect(kept.body.tables).toEqual([
      { ...barrel, units: 4 },
      { id: expect.any(String), name: 'Nook', seats: 2, units: 1 },
    ]);
    for (const foreign of [theirs.tables[0], bench]) expect((await change([foreign])).status).toBe(422);
    expect((await change([barrel, barrel])).status).toBe(422);
    const entered = await call('POST /api/v1/restaurants', {
      token: tokens.restaurant,
      body: { ...newRestaurant, tables: [barrel] },
    });
    expect(entered.status).toBe(422);
  });
});
