/** Listings and their stock on aggregates in memory: the inventory is told first, and never sells more than asked. */

import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { addListing, changeListing } from '../../commands/catalog/listings.ts';
import type { Aggregates, CommandContext } from '../../commands/core/handle.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { type AnyEvent, type Decider, streamName } from '../../domain/core/decider.ts';
import { contextOf } from '../kit/context.ts';

import { restaurantDetails } from './listingFixtures.ts';

const { restaurant } = listingKinds;
const OWNER = randomUUID();
const context = (): CommandContext => contextOf(OWNER, 'restaurant');

const streams = new Map<string, AnyEvent[]>();
let diesBefore: string | undefined;
const load = <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, id: string) => {
  const events = (streams.get(streamName(decider.category, id)) ?? []) as E[];
  return { state: events.reduce(decider.evolve, decider.initial), revision: null, position: null };
};
const aggregates: Aggregates = {
  load: async (decider, id) => load(decider, id),
  handle: async (decider, id, command) => {
    if (command.type === diesBefore) throw new Error('died');
    const stream = streamName(decider.category, id);
    const events = decider.decide(command, load(decider, id).state);
    streams.set(stream, [...(streams.get(stream) ?? []), ...events]);
    return { ...load(decider, id), events };
  },
};
const deps = { aggregates };
beforeEach(() => {
  streams.clear();
  diesBefore = undefined;
});

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
const open = () => addListing(deps, context(), restaurant, wanted);
const unitsOf = (items: readonly { readonly id: string }[]) =>
  items.map(({ id }) => load(inventory, id).state.capacity);

it('what is added is in stock, wherever the process dies and the request is repeated', async () => {
  const asked = context();
  for (const step of ['SetCapacity', 'Add', 'Publish']) {
    diesBefore = step;
    await expect(addListing(deps, asked, restaurant, wanted)).rejects.toThrow('died');
  }
  diesBefore = undefined;
  const added = await addListing(deps, asked, restaurant, wanted);
  expect(await addListing(deps, asked, restaurant, wanted)).toEqual(added);
  expect(added).toMatchObject({ status: 'published', tables: [bench, barrel] });
  expect(unitsOf(added.tables)).toEqual([2, 5]);
});

it('what is taken away is out of stock before the listing says so', async () => {
  const { id, tables } = await open();
  const change = { details: { tables: [{ ...tables[0]!, units: 1 }] } };
  const asked = context();
  diesBefore = 'ChangeDetails';
  await expect(changeListing(deps, asked, restaurant, id, change)).rejects.toThrow('died');
  expect(load(restaurant.decider, id).state).toMatchObject({ tables });
  expect(unitsOf(tables)).toEqual([1, 0]);
  diesBefore = undefined;
  expect(await changeListing(deps, asked, restaurant, id, change)).toMatchObject(change.details);
  expect(unitsOf(tables)).toEqual([1, 0]);
});

it('a refused change leaves the stock unchanged', async () => {
  const [{ id, tables }, other] = [await open(), await open()];
  const twins = [
    { ...tables[0]!, units: 9 },
    { ...tables[0]!, units: 8 },
  ];
  for (const refused of [twins, [{ ...other.tables[0]!, units: 9 }]])
    await expect(
      changeListing(deps, context(), restaurant, id, { details: { tables: refused } }),
    ).rejects.toMatchObject({
      code: 'invalid',
    });
  const stranger = contextOf(randomUUID(), 'restaurant');
  await expect(changeListing(deps, stranger, restaurant, id, { details: { tables: [] } })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(unitsOf([...tables, ...other.tables])).toEqual([2, 5, 2, 5]);
});
