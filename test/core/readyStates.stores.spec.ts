/** States that are kept ready: a first command reads nothing, and what came meanwhile is not lost. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CachedAggregates, createAggregates } from '../../commands/core/handle.ts';
import { keepReady } from '../../commands/core/readyStates.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { allEvents } from '../../domain/modules.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { contextOf } from '../kit/context.ts';
import { countingStore } from '../kit/counts.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stores: Stores;
/** Another process. */
let other: Node;
/** The one that keeps states ready, and its calls of the event store. */
let aggregates: CachedAggregates;
let calls: string[];
/** Streams whose events it was given. */
const advanced = new Set<string>();
let keeping: Promise<void>;
const stopping = new AbortController();
const before = randomUUID();
beforeAll(async () => {
  stores = await freshStores({ amongOthers: true });
  other = testDeps(stores);
  await set(before, 5, other.aggregates);
  const { store, counted } = countingStore(stores.store);
  calls = counted.calls;
  aggregates = createAggregates(store, createCodec(allEvents, stores.vault));
  const told: CachedAggregates = {
    ...aggregates,
    advance: async (decider, stream, next) => {
      await aggregates.advance(decider, stream, next);
      advanced.add(`${stream}@${next.at(-1)?.revision}`);
    },
  };
  keeping = keepReady({ store, log: stores.log, aggregates: told }, [inventory], stopping.signal);
  await until(() => counted.subscriptions > 0);
});
afterAll(async () => {
  stopping.abort();
  await keeping;
});

const set = (item: string, capacity: number, by: Pick<CachedAggregates, 'handle'> = aggregates) =>
  by.handle(inventory, item, { type: 'SetCapacity', capacity }, { ...contextOf('system'), isFirstAttempt: false });
const isAdvanced = (item: string, revision: number) => until(() => advanced.has(`inventory-${item}@${revision}`));
const callsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const from = calls.length;
  await work();
  return calls.slice(from).filter((call) => call.endsWith('inventory'));
};

it('a command for what another process has made and changed reads nothing', async () => {
  const item = randomUUID();
  await set(item, 5, other.aggregates);
  await set(item, 6, other.aggregates);
  await isAdvanced(item, 1);
  expect(await callsOf(() => set(item, 7))).toEqual(['append inventory']);
  expect((await other.aggregates.load(inventory, item)).state.capacity).toBe(7);
});

it('what this process has changed itself stays as it is', async () => {
  const item = randomUUID();
  await set(item, 5);
  await set(item, 6);
  await isAdvanced(item, 1);
  expect(await callsOf(() => set(item, 7))).toEqual(['append inventory']);
});

it('what was made before is read once, and followed from then on', async () => {
  expect(await callsOf(() => set(before, 6))).toEqual(['read inventory', 'append inventory']);
  await set(before, 7, other.aggregates);
  await isAdvanced(before, 2);
  expect(await callsOf(() => set(before, 8))).toEqual(['append inventory']);
});

it('a refusal is decided on what the log has', async () => {
  const item = randomUUID();
  await set(item, 5, other.aggregates);
  await isAdvanced(item, 0);
  expect(await callsOf(() => set(item, 5))).toEqual(['read inventory']);
});
