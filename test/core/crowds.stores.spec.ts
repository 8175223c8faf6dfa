/** What a crowd at one aggregate costs the log: those who are refused share what was read. */

import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { type Aggregates, createAggregates } from '../../commands/core/handle.ts';
import { type InventoryCommand, inventory } from '../../domain/catalog/inventory.ts';
import { allEvents } from '../../domain/modules.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { contextOf } from '../kit/context.ts';

import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
});

/** A process of its own, and how often it has read. */
const aProcess = (): { aggregates: Aggregates; reads: () => number } => {
  let count = 0;
  const store = {
    ...stores.store,
    read: (...given: Parameters<typeof stores.store.read>) => {
      count += 1;
      return stores.store.read(...given);
    },
  };
  return { aggregates: createAggregates(store, createCodec(allEvents, stores.vault)), reads: () => count };
};
const place = (): InventoryCommand => ({
  type: 'PlaceHold',
  holdId: randomUUID(),
  bookingId: randomUUID(),
  keys: ['2030-01-01'],
  quantity: 1,
  expiresAt: '2029-12-01T00:30:00.000Z',
  at: '2029-12-01T00:00:00.000Z',
});

it('two hundred commands for three places read the log a few times, and once more after another process has changed it', async () => {
  const { aggregates, reads } = aProcess();
  const item = randomUUID();
  await aggregates.handle(inventory, item, { type: 'SetCapacity', capacity: 3 }, contextOf('system'));
  const crowd = () =>
    Promise.all(
      Array.from({ length: 200 }, () =>
        aggregates.handle(inventory, item, place(), contextOf('system')).then(
          () => 'held',
          (error: { code?: string }) => error.code,
        ),
      ),
    );
  const before = reads();
  const outcomes = await crowd();
  expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(3);
  expect(outcomes.filter((outcome) => outcome === 'sold_out')).toHaveLength(197);
  expect(reads() - before).toBeLessThan(5);

  const other = aProcess().aggregates;
  await other.handle(inventory, item, { type: 'SetCapacity', capacity: 5 }, contextOf('system'));
  expect((await crowd()).filter((outcome) => outcome === 'held')).toHaveLength(2);
});

it('concurrent loads share reads, and each sees at least what was recorded when it started', async () => {
  const { aggregates, reads } = aProcess();
  const item = randomUUID();
  const other = aProcess().aggregates;
  const first = aggregates.load(inventory, item);
  await other.handle(inventory, item, { type: 'SetCapacity', capacity: 7 }, contextOf('system'));
  const before = reads();
  const loaded = await Promise.all(Array.from({ length: 100 }, () => aggregates.load(inventory, item)));
  await first;
  expect(loaded.map(({ state }) => state.capacity)).toEqual(Array(100).fill(7));
  expect(reads() - before).toBeLessThanOrEqual(2);
});
