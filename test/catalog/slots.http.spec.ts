/** Slots over HTTP: each can be booked at the price that was shown, and is taken afterwards. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, todayIn } from '../../domain/core/dates.ts';
import { caller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const TIMEZONE = 'Europe/Moscow';
const today = todayIn(TIMEZONE, new Date().toISOString());
const on = (day: number) => addDays(today, day);
/** Moscow is three hours ahead. */
const msk = (day: number, time: string) => new Date(`${on(day)}T${time}:00+03:00`).toISOString();
const DAILY = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Slot {
  readonly slot_start: string;
  readonly slot_end: string;
  readonly available: boolean;
  readonly left: number;
  readonly total_minor: number;
  readonly table?: { readonly name: string };
  readonly vehicle?: { readonly class: string; readonly id: string };
}
const slotsOf = async (path: string): Promise<Slot[]> => {
  const { status, body } = await call(`GET /api/v1/${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ timezone: TIMEZONE, currency: 'RUB' });
  return body.slots;
};
const refused = async (path: string) => (await call(`GET /api/v1/${path}`)).body.errors?.[0]?.pointer;

let tourist: string;
let tours: string;
let restaurants: string;
beforeAll(async () => {
  const signedIn = await Promise.all(
    (['tourist', 'touroperator', 'restaurant'] as const).map((who) => signIn(call, demo, who)),
  );
  [tourist, tours, restaurants] = signedIn as [string, string, string];
});
/** Books it, and holds the booking to the price that was told. */
const book = async (path: string, body: object, { total_minor }: Slot) => {
  const booked = await call(`POST /api/v1/${path}`, { token: tourist, body });
  expect(booked.status, JSON.stringify(booked.body)).toBe(201);
  expect(booked.body.total_minor).toBe(total_minor);
};

const place = { timezone: TIMEZONE, currency: 'RUB', city: 'Slotograd', location: { latitude: 10, longitude: 20 } };

describe('departures of a tour', () => {
  it('return free seats and the price for the party', async () => {
    const schedule = [{ from: on(0), to: on(40), weekdays: DAILY, time: '21:00' }];
    const body = {
      ...place,
      name: 'Bat watch',
      activity: 'hike',
      difficulty: 'easy',
      meeting_point: 'Cave',
      duration_minutes: 60,
      seats: 5,
      price_per_person: 1_000,
      schedule,
      closed_dates: [on(4)],
    };
    const { id } = (await call('POST /api/v1/tours', { token: tours, body })).body;
    const find = (query: string) => slotsOf(`tours/${id}/departures?${query}`);
    const week = await find(`from=${on(2)}&to=${on(5)}&guests=2`);
    expect(week.map((slot) => slot.slot_start)).toEqual([msk(2, '21:00'), msk(3, '21:00'), msk(5, '21:00')]);
    const [slot] = week as [Slot];
    expect(slot).toMatchObject({ slot_end: msk(2, '22:00'), left: 5, available: true, total_minor: 200_000 });

    await book('tour-bookings', { tour_id: id, slot_start: slot.slot_start, guests: 2 }, slot);
    expect((await find(`from=${on(2)}&to=${on(2)}&guests=3`))[0]).toMatchObject({ left: 3, available: true });
    expect((await find(`from=${on(2)}&to=${on(2)}&guests=4`))[0]).toMatchObject({ left: 3, available: false });
    expect((await find(`from=${on(3)}&to=${on(3)}`))[0]).toMatchObject({ left: 5 });
    expect(await find(`from=${on(2)}&guests=6`)).toEqual([]);
    expect((await find('')).length).toBeGreaterThan(4);

    const departures = `tours/${id}/departures`;
    expect(await refused(`${departures}?from=${on(-1)}`)).toBe('/query/from');
    expect(await refused(`${departures}?from=${on(400)}`)).toBe('/query/from');
    expect(await refused(`${departures}?from=${on(2)}&to=${on(1)}`)).toBe('/query/to');
    expect(await refused(`${departures}?from=${on(2)}&to=${on(33)}`)).toBe('/query/to');
    await call(`DELETE /api/v1/tours/${id}`, { token: tours });
    expect((await call(`GET /api/v1/${departures}`)).status).toBe(404);
  });
});

describe('tables of a restaurant', () => {
  it('are listed by sitting and overlap', async () => {
    const body = {
      ...place,
      name: 'Cellar',
      address: 'Lesnaya 7',
      average_bill: 900,
      opening_hours: [{ weekdays: DAILY, from: '18:00', to: '01:00' }],
      sitting_minutes: 120,
      deposit_per_guest: 100,
      tables: [
        { name: 'Bench', seats: 6, units: 2 },
        { name: 'Barrel', seats: 2, units: 1 },
      ],
    };
    const { id } = (await call('POST /api/v1/restaurants', { token: restaurants, body })).body;
    const find = (guests: number) => slotsOf(`restaurants/${id}/availability?date=${on(3)}&guests=${guests}`);
    const before = await find(2);
    expect(before).toHaveLength(2 * 21);
    expect(before[0]).toMatchObject({ slot_start: msk(3, '18:00'), table: { name: 'Barrel', seats: 2 }, left: 1 });
    expect(before.at(-1)).toMatchObject({ slot_start: msk(3, '23:00'), table: { name: 'Bench' }, left: 2 });
    expect(await find(7)).toEqual([]);

    const slot = before.find((one) => one.slot_start === msk(3, '20:00')) as Slot;
    expect(slot.total_minor).toBe(20_000);
    await book(`restaurants/${id}/table-bookings`, { slot_start: slot.slot_start, guests: 2 }, slot);
    const taken = (await find(2)).filter((one) => !one.available).map((one) => [one.table?.name, one.slot_start]);
    expect(taken).toHaveLength(15);
    expect([taken[0], taken.at(-1)]).toEqual([
      ['Barrel', msk(3, '18:15')],
      ['Barrel', msk(3, '21:45')],
    ]);
    // Yesterday's evening can be asked for until it closes, at one o'clock.
    expect(await refused(`restaurants/${id}/availability?date=${on(-2)}`)).toBe('/query/date');
    expect(await refused(`restaurants/${id}/availability`)).toBe('/query/date');
  });
});

describe('transfers and lessons', () => {
  it('occupy a vehicle until it has returned', async () => {
    const { body } = await call('GET /api/v1/transfers/routes?from=adler');
    const [{ id }] = body.data;
    const find = (time: string, guests = 5) =>
      slotsOf(`transfers/${id}/availability?slot_start=${encodeURIComponent(msk(12, time))}&guests=${guests}`);
    const [van, bus, ...none] = (await find('06:00')) as [Slot, Slot];
    expect(none).toEqual([]);
    expect([van.vehicle?.class, bus.vehicle?.class]).toEqual(['minivan', 'minibus']);
    expect(van).toMatchObject({ slot_end: msk(12, '07:15'), left: 4, total_minor: 544_000 });
    expect(await find('06:00', 17)).toEqual([]);
    await book('transfers/bookings', { transfer_id: id, slot_start: van.slot_start, guests: 5 }, van);
    const left = async (time: string) => (await find(time))[0]?.left;
    expect([await left('06:00'), await left('08:30'), await left('08:45')]).toEqual([3, 3, 4]);
    for (const wrong of [msk(12, '06:07'), msk(-1, '06:00'), '2026-12-31T23:59:60Z'])
      expect(await refused(`transfers/${id}/availability?slot_start=${wrong}`), wrong).toBe('/query/slot_start');
  });

  it('occupy the instructor', async () => {
    const { body } = await call('GET /api/v1/instructors?discipline=telemark');
    const [{ id }] = body.data;
    const find = (minutes: number) =>
      slotsOf(`instructors/${id}/availability?date=${on(13)}&minutes=${minutes}&guests=2`);
    const before = await find(120);
    expect([before.length, before[0]?.slot_start, before.at(-1)?.slot_end]).toEqual([
      25,
      msk(13, '09:00'),
      msk(13, '17:00'),
    ]);
    const slot = before.find((one) => one.slot_start === msk(13, '11:00')) as Slot;
    expect(slot.total_minor).toBe(2 * 790_000);
    const { slot_start, slot_end } = slot;
    await book(`instructors/booking/${id}`, { slot_start, slot_end, guests: 2 }, slot);
    const free = (await find(60)).filter((one) => one.available).map((one) => one.slot_start);
    expect(free).toContain(msk(13, '10:00'));
    expect(free).not.toContain(msk(13, '10:15'));
    expect(free).not.toContain(msk(13, '12:45'));
    expect(free).toContain(msk(13, '13:00'));
    expect(await find(45)).toEqual([]);
    expect(await refused(`instructors/${id}/availability?date=${on(13)}&minutes=50`)).toBe('/query/minutes');
  });
});
