/** Listings and their stock on aggregates in memory: whoever edits and wherever a process dies, the stock follows the listing. */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { addListing, changeListing, type ListingChange } from '../../commands/catalog/listings.ts';
import { addRoom, changeRoom } from '../../commands/catalog/rooms.ts';
import { stockJob } from '../../commands/catalog/stock.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { JobSink } from '../../commands/core/jobChanges.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import type { RestaurantDetails } from '../../domain/catalog/restaurant.ts';
import { room } from '../../domain/catalog/room.ts';
import { contextOf } from '../kit/context.ts';
import { type MemoryAggregates, memoryAggregates } from '../kit/memoryAggregates.ts';
import { hotelDetails } from './catalogFixtures.ts';
import { restaurantDetails } from './listingFixtures.ts';

const { restaurant, hotel } = listingKinds;
const OWNER = randomUUID();
const context = (): CommandContext => contextOf(OWNER, 'restaurant');

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
const deps = () => ({ aggregates, pool: sink as never, now: () => '2026-01-01T00:00:00.000Z' });
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
  expect(await addListing(deps(), asked, restaurant, wanted)).toEqual(added);
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
    expect(unitsOf(tables)).toEqual([2, 5]);
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
