/** Listings and their stock on aggregates in memory: whoever edits and wherever a process dies, the stock follows the listing. */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { addListing, changeListing, type ListingChange } from '../../commands/catalog/listings.ts';
import { findLostPlaces } from '../../commands/catalog/lostPlaces.ts';
import { addRoom, changeRoom } from '../../commands/catalog/rooms.ts';
import { stockJob } from '../../commands/catalog/stock.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { JobSink } from '../../commands/core/jobChanges.ts';
import { freeAt, inventory } from '../../domain/catalog/inventory.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import type { RestaurantDetails } from '../../domain/catalog/restaurant.ts';
import { room } from '../../domain/catalog/room.ts';
import { WEEKDAYS } from '../../domain/core/dates.ts';
import { contextOf } from '../kit/context.ts';
import { type MemoryAggregates, memoryAggregates } from '../kit/memoryAggregates.ts';
import { hotelDetails } from './catalogFixtures.ts';
import { restaurantDetails, transferDetails } from './listingFixtures.ts';

const { restaurant, hotel } = listingKinds;
const OWNER = randomUUID();
const AT = '2026-01-01T00:00:00.000Z';
const context = (): CommandContext => contextOf(OWNER, 'restaurant', AT);
const held = (key: string) => ({
  type: 'HoldPlaced',
  data: {
    holdId: randomUUID(),
    bookingId: randomUUID(),
    keys: [key],
    quantity: 1,
    expiresAt: '2026-01-02T00:00:00.000Z',
  },
});

/** Jobs that are set, by id. */
const jobs = new Map<string, unknown>();
const sink: JobSink = {
  add: (change) => void ('data' in change ? jobs.set(change.id, JSON.parse(change.data)) : jobs.delete(change.id)),
};
let aggregates: MemoryAggregates;
let before: (command: { readonly type: string }) => Promise<void>;
const dieBefore = (type: string | undefined) => {
  before = async (command) => {
    if (command.type === type) throw new Error('died');
  };
};
beforeEach(() => {
  jobs.clear();
  dieBefore(undefined);
  aggregates = memoryAggregates((command) => before(command));
});
const deps = () => ({ aggregates, pool: sink as never, now: () => AT });
const runJobs = async () => {
  for (const data of jobs.values())
    await stockJob.run({ id: '', data: data as never, attempt: 1 }, { deps: deps(), context: context() });
};

const [bench, barrel] = [
  { name: 'Bench', seats: 6, units: 2 },
  { name: 'Barrel', seats: 2, units: 5 },
];
const wanted = {
  ownerId: OWNER,
  timezone: 'Europe/Moscow',
  currency: 'RUB',
  details: { ...restaurantDetails, tables: [bench, barrel] },
};
const open = () => addListing(deps(), context(), restaurant, wanted);
const unitsOf = (items: readonly { readonly id: string }[]) =>
  items.map(({ id }) => aggregates.stateOf(inventory, id).capacity);

it('what is added is in stock, wherever the process dies and the request is repeated', async () => {
  const asked = context();
  for (const step of ['Add', 'SetCapacity', 'Publish']) {
    dieBefore(step);
    await expect(addListing(deps(), asked, restaurant, wanted)).rejects.toThrow('died');
  }
  dieBefore(undefined);
  const added = await addListing(deps(), asked, restaurant, wanted);
  expect(await addListing(deps(), asked, restaurant, wanted)).toEqual({ ...added, edition: 2 });
  expect(added).toMatchObject({ status: 'published', tables: [bench, barrel] });
  expect(unitsOf(added.tables)).toEqual([2, 5]);
});

describe('a process that dies before the stock follows', () => {
  const removed = async () => {
    const { id, tables } = await open();
    const change = { details: { tables: [{ ...tables[0]!, units: 1 }] } };
    const asked = context();
    dieBefore('SetCapacity');
    await expect(changeListing(deps(), asked, restaurant, id, change)).rejects.toThrow('died');
    dieBefore(undefined);
    expect(unitsOf(tables)).toEqual([2, 0]);
    return { again: () => changeListing(deps(), asked, restaurant, id, change), tables, change };
  };

  it('leaves a job that completes the change', async () => {
    const { tables } = await removed();
    await runJobs();
    expect(unitsOf(tables)).toEqual([1, 0]);
  });

  it('does not stop the same request from completing it', async () => {
    const { again, tables, change } = await removed();
    expect(await again()).toMatchObject(change.details);
    expect(unitsOf(tables.slice(0, 1))).toEqual([1]);
  });

  it('leaves no job when the change is complete', async () => {
    await open();
    expect(jobs).toEqual(new Map());
  });
});

describe('a process that dies between withdrawing a table and writing the listing', () => {
  it('leaves a job that sells the table again, and its late write is made again from the beginning', async () => {
    const { id, tables } = await open();
    const [kept, dropped] = tables as [(typeof tables)[0], (typeof tables)[0]];
    const drop = (asked: CommandContext) =>
      changeListing(deps(), asked, restaurant, id, { details: { tables: [kept] } });
    dieBefore('ChangeDetails');
    await expect(drop(context())).rejects.toThrow('died');
    expect(unitsOf(tables)).toEqual([2, 0]);
    // It was not dead but slow: the job runs before it goes on, and somebody books the table.
    dieBefore(undefined);
    const asked = context();
    before = async ({ type }) => {
      if (type !== 'ChangeDetails') return;
      dieBefore(undefined);
      await runJobs();
      expect(unitsOf(tables)).toEqual([2, 5]);
      aggregates.given(`inventory-${dropped.id}`, [held('2026-12-18T18:00:00.000Z')]);
    };
    await expect(drop(asked)).rejects.toMatchObject({ code: 'bookings_ahead', facts: { ids: [dropped.id] } });
    expect(unitsOf(tables)).toEqual([2, 5]);
  });
});

describe('what has bookings ahead', () => {
  const refused = (id: string, details: ListingChange<RestaurantDetails>['details']) =>
    expect(changeListing(deps(), context(), restaurant, id, { details })).rejects;
  const booked = async () => {
    const { id, tables } = await open();
    const [table, other] = tables as [(typeof tables)[0], (typeof tables)[0]];
    const hold = held('2026-12-18T18:00:00.000Z');
    aggregates.given(`inventory-${table.id}`, [hold]);
    return { id, table, other, bookingId: hold.data.bookingId };
  };

  it('is refused where it is missing or has no id, and the refusal names it, its bookings and until when', async () => {
    const { id, table, other, bookingId } = await booked();
    const { id: _, ...withoutId } = table;
    for (const tables of [[other], [], [withoutId, other], [withoutId, { ...other, units: 0 }]])
      await refused(id, { name: 'Renamed', tables }).toMatchObject({
        code: 'bookings_ahead',
        facts: {
          ids: [table.id],
          ahead: [
            {
              ...{ id: table.id, name: 'Bench', bookings: 1, until: '2026-12-18T18:15:00.000Z' },
              ...{ starts: ['2026-12-18T18:00:00.000Z'], booking_ids: [bookingId] },
            },
          ],
        },
      });
    expect(aggregates.stateOf(restaurant.decider, id)).toMatchObject({ name: 'Ember', tables: [table, other] });
    expect(unitsOf([table, other])).toEqual([2, 5]);
    expect(jobs).toEqual(new Map());
  });

  it('keeps its place with its id: fewer units, fewer seats, another name, closed dates and closing are allowed', async () => {
    const { id, table, other } = await booked();
    const tables = [{ ...table, units: 0, seats: 1, name: 'Stool' }, other];
    const details = { tables, closedDates: ['2026-12-18'] };
    expect(await changeListing(deps(), context(), restaurant, id, { details, status: 'closed' })).toMatchObject(
      details,
    );
    expect(freeAt(aggregates.stateOf(inventory, table.id), '2026-12-18T18:00:00.000Z', AT)).toBe(-1);
  });

  it('is refused where the hours would no longer include it, also on a closed date', async () => {
    const { id, table } = await booked();
    const openingHours = [{ weekdays: [...WEEKDAYS], from: '12:00', to: '20:00' }];
    await refused(id, { openingHours, closedDates: ['2026-12-18'] }).toMatchObject({
      code: 'bookings_ahead',
      facts: { ids: [table.id] },
    });
    const longer = [{ weekdays: [...WEEKDAYS], from: '20:00', to: '23:00' }];
    expect(await changeListing(deps(), context(), restaurant, id, { details: { openingHours: longer } })).toMatchObject(
      {
        openingHours: longer,
      },
    );
  });

  it('is refused where a route would lead elsewhere, but a name is corrected', async () => {
    const { transfer } = listingKinds;
    const { vehicles, ...details } = transferDetails;
    const whole = { ...details, vehicles: vehicles.map(({ id: _, ...vehicle }) => vehicle) };
    const { id, vehicles: listed } = await addListing(deps(), context(), transfer, { ...wanted, details: whole });
    const change = (end: 'origin' | 'destination', name: string, latitude: number) => {
      const place = { name, location: { ...details[end].location, latitude } };
      return changeListing(deps(), context(), transfer, id, { details: { [end]: place } });
    };
    const { latitude } = details.origin.location;
    await change('origin', 'Krasnodar airport', 45.03);
    await change('origin', 'Sochi airport', latitude);
    aggregates.given(`inventory-${listed[1]!.id}`, [held('2026-12-18T18:00:00.000Z')]);
    await expect(change('origin', 'Krasnodar airport', 45.03)).rejects.toMatchObject({
      code: 'bookings_ahead',
      message: expect.stringContaining('add another transfer'),
      facts: { ids: [listed[1]!.id] },
    });
    await expect(change('destination', 'Krasnodar', 45.03)).rejects.toMatchObject({ code: 'bookings_ahead' });
    const corrected = { name: 'Sochi airport, terminal A', location: { latitude: latitude + 0.001 } };
    expect(await change('origin', corrected.name, latitude + 0.001)).toMatchObject({ origin: corrected });
  });

  it('and was dropped before that was refused is found, and nothing is changed', async () => {
    const { id, tables } = await open();
    const booked = (unitId: string, key: string) => ({
      ...({ bookingId: randomUUID(), type: 'restaurant', listingId: id, unitId, keys: [key] } as const),
    });
    const [dropped, kept, late] = [
      booked(randomUUID(), '2026-12-18T18:00:00.000Z'),
      booked(tables[0]!.id, '2026-12-18T18:00:00.000Z'),
      booked(tables[0]!.id, '2026-12-18T01:00:00.000Z'),
    ];
    expect(await findLostPlaces(deps(), [dropped, kept, late])).toEqual([
      { ...dropped, missing: 'unit' },
      { ...late, missing: 'time' },
    ]);
  });

  it('may go once it is over or released, and what comes without an id takes its place', async () => {
    const { id, tables } = await open();
    aggregates.given(`inventory-${tables[0]!.id}`, [held('2025-12-31T18:00:00.000Z')]);
    const released = held('2026-12-18T18:00:00.000Z');
    const { expiresAt: _, ...places } = released.data;
    aggregates.given(`inventory-${tables[1]!.id}`, [
      released,
      { type: 'HoldReleased', data: { ...places, reason: 'cancelled' } },
    ]);
    const again = await changeListing(deps(), context(), restaurant, id, { details: { tables: [bench, barrel] } });
    expect(unitsOf(tables)).toEqual([0, 0]);
    expect(unitsOf(again.tables)).toEqual([2, 5]);
  });

  it('is told apart from an id that is not of this listing: 422 at its place', async () => {
    const { id } = await open();
    await refused(id, { tables: [bench, { ...barrel, id: randomUUID() }] }).toMatchObject({
      code: 'invalid',
      fields: ['tables/1/id'],
    });
  });
});

describe('two editors at once', () => {
  const expectStockAsListed = (id: string, all: readonly { readonly id: string }[]) => {
    const state = aggregates.stateOf(restaurant.decider, id) as RestaurantDetails;
    const listed = new Map(state.tables.map((table) => [table.id, table.units]));
    expect(unitsOf(all)).toEqual(all.map((table) => listed.get(table.id) ?? 0));
  };

  it('leave the stock of the listing as it is in the end, in any order of their commands', async () => {
    const units = fc.nat(4);
    const edit = fc.oneof(
      fc.record({ large: units, small: units }).map(({ large, small }) => [large, small]),
      units.map((large) => [large]),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(edit, { minLength: 2, maxLength: 3 }), async (scheduler, edits) => {
        dieBefore(undefined);
        const { id, tables } = await open();
        before = scheduler.scheduleFunction(async () => undefined);
        const editing = edits.map((counts, editor) => {
          const details: ListingChange<RestaurantDetails>['details'] =
            counts === null
              ? { name: `Name ${editor}` }
              : { tables: counts.map((count, table) => ({ ...tables[table]!, units: count })) };
          // An editor who names a table that another has just removed is refused.
          return changeListing(deps(), context(), restaurant, id, { details }).catch(() => undefined);
        });
        await scheduler.waitFor(Promise.all(editing));
        expectStockAsListed(id, tables);
      }),
      { numRuns: 200 },
    );
  });

  it('of a room: a rename does not bring back the units that the other takes away', async () => {
    const asHotelier = () => contextOf(OWNER, 'hotelier');
    const place = { ownerId: OWNER, timezone: 'Europe/Moscow', currency: 'RUB', details: hotelDetails };
    const { id: hotelId } = await addListing(deps(), asHotelier(), hotel, place);
    const details = { name: 'Twin', description: '', capacity: 2, units: 10, amenities: [], images: [] };
    const { id } = await addRoom(deps(), asHotelier(), hotelId, { ...details, pricePerNight: 100 });
    for (const moment of ['SetCapacity', 'ChangeRoomDetails']) {
      const { units } = aggregates.stateOf(room, id);
      before = async ({ type }) => {
        if (type !== moment) return;
        dieBefore(undefined);
        await changeRoom(deps(), asHotelier(), id, { units: units - 5 });
      };
      await changeRoom(deps(), asHotelier(), id, { name: `Renamed at ${moment}` });
      dieBefore(undefined);
      expect(unitsOf([{ id }])).toEqual([aggregates.stateOf(room, id).units]);
    }
  });

  it('are told apart from an edit that leaves the units alone: it does not touch the stock', async () => {
    const { id } = await open();
    const commands: string[] = [];
    before = async ({ type }) => void commands.push(type);
    await changeListing(deps(), context(), restaurant, id, { details: { name: 'Renamed' } });
    expect(commands).toEqual(['ChangeDetails']);
  });
});

it('a refused change leaves the stock unchanged', async () => {
  const [{ id, tables }, other] = [await open(), await open()];
  const twins = [
    { ...tables[0]!, units: 9 },
    { ...tables[0]!, units: 8 },
  ];
  for (const refused of [twins, [{ ...other.tables[0]!, units: 9 }]])
    await expect(
      changeListing(deps(), context(), restaurant, id, { details: { tables: refused } }),
    ).rejects.toMatchObject({
      code: 'invalid',
    });
  const stranger = contextOf(randomUUID(), 'restaurant');
  await expect(changeListing(deps(), stranger, restaurant, id, { details: { tables: [] } })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(unitsOf([...tables, ...other.tables])).toEqual([2, 5, 2, 5]);
});
