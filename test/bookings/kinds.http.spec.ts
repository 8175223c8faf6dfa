/** Every type of booking over HTTP: at the common path and at its own. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, instantIn, todayIn, WEEKDAYS } from '../../domain/core/dates.ts';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { type DemoPerson, sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const TIMEZONE = 'Europe/Moscow';
const today = todayIn(TIMEZONE, new Date().toISOString());
const day = (n: number): string => addDays(today, n);
/** Ten in the morning of the n-th day from today. */
const start = (n: number): string => instantIn(TIMEZONE, day(n), '10:00');
const end = (n: number): string => instantIn(TIMEZONE, day(n), '12:00');

const daily = [...WEEKDAYS];
const always = [{ weekdays: daily, from: '00:00', to: '24:00' }];
const there = { latitude: 43.6, longitude: 40.2 };
const common = { timezone: TIMEZONE, currency: 'RUB', city: 'Testville' };

/** One of each, with room for one party of two at a time; `path` is its own way to be booked. */
const kinds = {
  tour: {
    owner: 'touroperator',
    add: 'POST /api/v1/tours',
    listing: {
      ...common,
      location: there,
      name: 'Ridge walk',
      activity: 'hike',
      difficulty: 'easy',
      meeting_point: 'At the well',
      duration_minutes: 120,
      seats: 2,
      price_per_person: 1_500.5,
      schedule: [{ from: day(0), to: day(60), weekdays: daily, time: '10:00' }],
    },
    /** Without what is booked, or with the same things that have no ids. */
    dropped: { field: 'schedule', value: [{ from: day(0), to: day(60), weekdays: daily, time: '10:15' }] },
    path: () => 'POST /api/v1/tour-bookings',
    body: (id: string) => ({ tour_id: id }),
    unitTitle: null,
    line: { name: 'seat', quantity: 2, unit: 1_500.5, amount: 3_001 },
    more: { seats: 2 },
  },
  restaurant: {
    owner: 'restaurant',
    add: 'POST /api/v1/restaurants',
    listing: {
      ...common,
      location: there,
      name: 'Cellar',
      address: 'Lesnaya 7',
      average_bill: 900,
      opening_hours: always,
      sitting_minutes: 120,
      deposit_per_guest: 100,
      tables: [{ name: 'Barrel', seats: 2, units: 1 }],
    },
    dropped: { field: 'tables', value: [{ name: 'Barrel', seats: 2, units: 1 }] },
    path: (id: string) => `POST /api/v1/restaurants/${id}/table-bookings`,
    body: () => ({}),
    unitTitle: 'Barrel',
    line: { name: 'deposit', quantity: 2, unit: 100, amount: 200 },
    more: {},
  },
  transfer: {
    owner: 'transfer',
    add: 'POST /api/v1/transfers',
    listing: {
      ...common,
      name: 'Station – village',
      origin: { name: 'Station', location: there },
      destination: { name: 'Village', location: there },
      length_km: 40,
      duration_minutes: 120,
      service_hours: always,
      vehicles: [{ name: 'Old van', class: 'minivan', seats: 5, luggage: 5, units: 1, price: 3_000 }],
    },
    dropped: {
      field: 'vehicles',
      value: [{ name: 'Old van', class: 'minivan', seats: 5, luggage: 5, units: 1, price: 3_000 }],
    },
    path: () => 'POST /api/v1/transfers/bookings',
    body: (id: string) => ({ transfer_id: id, vehicle_class: 'minivan' }),
    unitTitle: 'Old van',
    line: { name: 'Old van', quantity: 1, unit: 3_000, amount: 3_000 },
    more: {},
  },
  instructor: {
    owner: 'instructor',
    add: 'POST /api/v1/instructors',
    listing: {
      ...common,
      location: there,
      name: 'Anna Orlova',
      disciplines: ['ski'],
      levels: ['beginner'],
      price_per_hour: 2_000,
      max_group: 3,
      working_hours: always,
    },
    dropped: { field: 'working_hours', value: [{ weekdays: daily, from: '11:00', to: '24:00' }] },
    path: (id: string) => `POST /api/v1/instructors/booking/${id}`,
    body: () => ({}),
    unitTitle: null,
    line: { name: 'lesson', quantity: 1, unit: 4_000, amount: 4_000 },
    more: {},
  },
} as const;
type Kind = keyof typeof kinds;
const every = Object.keys(kinds) as Kind[];

const tokens = {} as Record<DemoPerson, string>;
const ids = {} as Record<Kind, string>;
const as = (who: DemoPerson) => ({ token: tokens[who] });

const added = async (kind: Kind, changes: object = {}): Promise<string> => {
  const { add, owner, listing } = kinds[kind];
  const { status, body } = await call(add, { ...as(owner), body: { ...listing, ...changes } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
};

beforeAll(async () => {
  for (const who of ['admin', ...every.map((kind) => kinds[kind].owner)] as const)
    tokens[who] = await signIn(call, demo, who);
  // Guests of their own: the demo guests have bookings of other specs.
  for (const who of ['tourist', 'tourist2'] as const)
    tokens[who] = (await newTourist(call, tokens.admin, 'Guest')).token;
  for (const kind of every) ids[kind] = await added(kind);
});

const slot = (kind: Kind, n: number) => ({
  slot_start: start(n),
  guests: 2,
  ...(kind === 'instructor' && { slot_end: end(n) }),
});
/** By the one path. */
const book = (kind: Kind, n: number, more: object = {}, who: DemoPerson = 'tourist') =>
  call('POST /api/v1/bookings/create', {
    ...as(who),
    headers: once(),
    body: { type: kind, item_id: ids[kind], ...slot(kind, n), ...more },
  });
/** By its own. */
const bookThere = (kind: Kind, n: number, id = ids[kind]) =>
  call(kinds[kind].path(id), { ...as('tourist2'), body: { ...kinds[kind].body(id), ...slot(kind, n) } });

describe.each(every)('%s', (kind) => {
  const { owner, listing, line, unitTitle, more } = kinds[kind];

  it('can be booked, sold out, moved, listed and cancelled', async () => {
    const { status, body } = await book(kind, 20, { notes: 'first time' });
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({
      type: kind,
      status: 'pending_payment',
      listing_id: ids[kind],
      title: listing.name,
      item_id: ids[kind],
      unit_title: unitTitle,
      starts_on: day(20),
      slot_start: start(20),
      slot_end: end(20),
      check_in: null,
      seats: null,
      ...more,
      notes: 'first time',
      total: line.amount,
      total_minor: line.amount * 100,
      price_lines: [{ kind: 'item', ...line }],
      cancellation_policy: { name: 'flexible' },
    });
    const { body: seen } = await call(`GET /api/v1/bookings/${body.id}`, as(owner));
    expect(seen).toEqual({ ...body, commission: expect.objectContaining({ provider_minor: line.amount * 90 }) });
    expect((await bookThere(kind, 20)).body).toMatchObject({ status: 409, code: 'sold_out' });
    expect((await book(kind, 21, {}, owner)).status).toBe(403);
    const other = await bookThere(kind, 21);
    expect(other.status, JSON.stringify(other.body)).toBe(201);
    expect(other.body).toMatchObject({ type: kind, listing_id: ids[kind], starts_on: day(21) });

    const patch = (change: object) => call(`PATCH /api/v1/bookings/${body.id}`, { ...as('tourist'), body: change });
    expect((await patch({ slot_start: start(21) })).body).toMatchObject({ code: 'sold_out' });
    expect((await patch({ check_in: day(21) })).body).toMatchObject({ status: 422, code: 'invalid' });
    const moved = await patch({ slot_start: start(22), notes: null });
    expect(moved.body).toMatchObject({ slot_start: start(22), slot_end: end(22), starts_on: day(22), notes: null });

    const listed = async (query: string, path = 'me', who: DemoPerson = 'tourist') =>
      (await call(`GET /api/v1/bookings/${path}?${query}`, as(who))).body.data.flatMap(
        (each: { id: string; listing_id: string }) => (each.listing_id === ids[kind] ? [each.id] : []),
      );
    expect(await listed(`type=${kind}&from=${day(22)}&to=${day(22)}`)).toEqual([body.id]);
    expect(await listed(`type=${kind}&to=${day(21)}`)).toEqual([]);
    expect(await listed(`from=${day(22)}&to=${day(22)}&type=${kind}`, 'provider', owner)).toEqual([body.id]);

    const quote = await call(`GET /api/v1/bookings/${body.id}/cancellation-quote`, as('tourist'));
    expect(quote.body).toMatchObject({ penalty_percent: 0, refund: 0 });
    const noShow = await call(`POST /api/v1/bookings/${body.id}/no-show`, as(owner));
    expect(noShow.body).toMatchObject({ status: 409, code: 'invalid_transition' });
    const cancelled = await call(`POST /api/v1/bookings/${body.id}/cancel`, { ...as('tourist'), body: {} });
    expect(cancelled.body.status).toBe('cancelled');
    await until(async () => (await book(kind, 22, {}, 'tourist2')).status === 201);
  });

  it('keeps what is booked through any edit, and lets it go afterwards', async () => {
    const id = await added(kind);
    const path = `/api/v1/${kind}s/${id}`;
    const edit = (body: object) => call(`PATCH ${path}`, { ...as(owner), body });
    const { body: booked } = await bookThere(kind, 30, id);
    const { field, value } = kinds[kind].dropped;
    const refused = await edit({ name: 'Renamed', [field]: value });
    expect(refused.body).toMatchObject({
      status: 409,
      code: 'bookings_ahead',
      ids: [expect.any(String)],
      ahead: [{ bookings: 1, starts: [start(30)], booking_ids: [booked.id] }],
    });
    expect((await edit({ closed_dates: [day(30)], name: 'Renamed' })).status).toBe(200);
    const again = async () => (await bookThere(kind, 30, id)).body;
    expect(await again()).toMatchObject({ status: 409, code: 'not_bookable' });
    expect((await edit({ closed_dates: [] })).status).toBe(200);
    expect(await again()).toMatchObject({ status: 409, code: 'sold_out' });
    await call(`POST /api/v1/bookings/${booked.id}/cancel`, { ...as('tourist2'), body: {} });
    await until(async () => (await edit({ [field]: value })).status === 200);
  });

  it('refuses wrong requests with a detail', async () => {
    const wrong = async (change: object, pointer: string) => {
      const reply = await book(kind, 20, change);
      expect(reply.status, JSON.stringify(reply.body)).toBe(422);
      expect(reply.body.detail).toEqual(expect.any(String));
      expect(reply.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual([pointer]);
    };
    await wrong({ item_id: 'mine' }, '/body/item_id');
    await wrong({ slot_start: undefined }, '/body/slot_start');
    await wrong({ slot_start: 'tomorrow' }, '/body/slot_start');
    await wrong({ check_in: day(20) }, '/body/check_in');
    if (kind !== 'instructor') await wrong({ slot_end: end(20) }, '/body/slot_end');
    expect((await book(kind, -1)).body).toMatchObject({ status: 422, reasons: ['past'] });
    expect((await book(kind, 20, { guests: 90 })).body).toMatchObject({ status: 422, reasons: ['capacity'] });
    expect((await book(kind, 20, { item_id: randomUUID() })).status).toBe(404);
    const noUuid = await bookThere(kind, 20, 'mine');
    expect(noUuid.body).toMatchObject({ status: 422, detail: expect.stringContaining('uuid') });
    expect((await bookThere(kind, 20, randomUUID())).status).toBe(404);
  });
});

describe('stock that is lowered below what is sold', () => {
  it.each([
    ['tour', { seats: 1 }, () => `from=${day(31)}&to=${day(31)}`, 'departures', 0],
    ['restaurant', { units: 0 }, () => `date=${day(31)}`, 'availability', undefined],
    ['transfer', { units: 0 }, () => `slot_start=${start(31)}`, 'availability', undefined],
  ] as const)(
    '%s: its seller sees how much is missing, guests see nothing to book',
    async (kind, less, query, at, left) => {
      const id = await added(kind);
      const own = as(kinds[kind].owner);
      expect((await bookThere(kind, 31, id)).status).toBe(201);
      const { body: listing } = await call(`GET /api/v1/${kind === 'transfer' ? 'transfers' : `${kind}s`}/${id}`);
      const field = kind === 'restaurant' ? 'tables' : 'vehicles';
      const change = kind === 'tour' ? less : { [field]: [{ ...listing[field][0], ...less }] };
      // Of a vehicle, a reply has its price in both units, a request in one.
      if (kind === 'transfer') delete (change as { vehicles: { price_minor?: number }[] }).vehicles[0]?.price_minor;
      const { status, body } = await call(`PATCH /api/v1/${kind}s/${id}`, { ...own, body: change });
      expect(status, JSON.stringify(body)).toBe(200);
      const leftFor = async (who: object): Promise<number | undefined> => {
        const { body: found } = await call(`GET /api/v1/${kind}s/${id}/${at}?${query()}`, who);
        return found.slots.find((one: { slot_start: string }) => one.slot_start === start(31))?.left;
      };
      await until(async () => (await leftFor(own)) === -1);
      expect(await leftFor(as('tourist'))).toBe(left);
      expect(await leftFor({})).toBe(left);
      expect((await bookThere(kind, 31, id)).status).toBeGreaterThanOrEqual(409);
    },
  );
});

it('marks a free booking as paid at once, without a payment', async () => {
  const id = await added('restaurant', { deposit_per_guest: 0 });
  const { body } = await book('restaurant', 20, { item_id: id });
  expect(body).toMatchObject({ status: 'paid', total: 0, price_lines: [] });
  const shown = async () => (await call(`GET /api/v1/bookings/${body.id}`, as('tourist'))).body;
  expect(await shown()).toMatchObject({ payment_id: null, hold_expires_at: null });
  const pay = { ...as('tourist'), body: { booking_id: body.id, method: 'card' } };
  expect((await call('POST /api/v1/payments/process', pay)).body).toMatchObject({
    status: 409,
    code: 'invalid_transition',
  });
  const confirmed = await call(`POST /api/v1/bookings/${body.id}/confirm`, as('restaurant'));
  expect(confirmed.body.status).toBe('confirmed');
});
