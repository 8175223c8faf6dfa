/** Followed states: each is read once, then known as it changes, and what came meanwhile is not lost. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFollowedStates } from '../../commands/core/followedStates.ts';
import { type CachedAggregates, createAggregates } from '../../commands/core/handle.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { allEvents } from '../../domain/modules.ts';
import type { EventStore, SubscriptionHandlers } from '../../eventstore/client/index.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { contextOf } from '../kit/context.ts';
import { countingStore } from '../kit/counts.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stores: Stores;
/** Another process. */
let other: Node;
let stopping: AbortController;
const running: Promise<void>[] = [];
beforeEach(async () => {
  stores = await freshStores({ amongOthers: true });
  other = testDeps(stores);
  stopping = new AbortController();
});
afterEach(async () => {
  stopping.abort();
  await Promise.all(running.splice(0));
});

const change = (item: string, capacity: number, by: Pick<CachedAggregates, 'handle'> = other.aggregates) =>
  by.handle(inventory, item, { type: 'SetCapacity', capacity }, { ...contextOf('system'), isFirstAttempt: false });

/** A process that follows, and is content with a state of any moment in which it was the newest. */
const follower = () => {
  let handlers: SubscriptionHandlers | undefined;
  const { store: counting, counted } = countingStore(stores.store);
  const store: EventStore = {
    ...counting,
    subscribe: (after, on, types) => {
      handlers = on;
      return counting.subscribe(after, on, types);
    },
  };
  /** Streams whose events it was given. */
  const advanced = new Set<string>();
  const followed = createFollowedStates();
  const aggregates = createAggregates(store, createCodec(allEvents, stores.vault), { followed });
  const told: Pick<CachedAggregates, 'advance'> = {
    advance: async (decider, stream, next) => {
      await aggregates.advance(decider, stream, next);
      advanced.add(`${stream}@${next.at(-1)?.revision}`);
    },
  };
  running.push(followed.follow({ store, log: stores.log, aggregates: told }, [inventory], stopping.signal));
  return {
    capacityOf: async (item: string) => (await aggregates.load(inventory, item, { maxAgeMs: -1 })).state.capacity,
    set: (item: string, capacity: number) => change(item, capacity, aggregates),
    callsOf: async (work: () => Promise<unknown>): Promise<string[]> => {
      const from = counted.calls.length;
      await work();
      return counted.calls.slice(from).filter((call) => call.endsWith('inventory'));
    },
    advanced: (item: string, revision: number) => until(() => advanced.has(`inventory-${item}@${revision}`)),
    reads: () => counted.calls.filter((call) => call === 'read inventory').length,
    drop: () => handlers?.dropped('by the test'),
    subscriptions: () => counted.subscriptions,
  };
};

/** Waits until loads read nothing. */
const untilFollowed = ({ capacityOf, reads }: ReturnType<typeof follower>, item: string) =>
  until(async () => {
    await capacityOf(item);
    const before = reads();
    await capacityOf(item);
    return reads() === before;
  });

it('is read once, and known as another process changes it', async () => {
  const item = randomUUID();
  await change(item, 5);
  const quotes = follower();
  await untilFollowed(quotes, item);
  const before = quotes.reads();
  for (let n = 0; n < 10; n += 1) expect(await quotes.capacityOf(item)).toBe(5);
  expect(quotes.reads()).toBe(before);

  await change(item, 7);
  await quotes.advanced(item, 1);
  expect(await quotes.capacityOf(item)).toBe(7);
  expect(quotes.reads()).toBe(before);
});

it('is read each time while its events do not arrive, and once they do again, what was missed is read', async () => {
  const item = randomUUID();
  await change(item, 5);
  const quotes = follower();
  await untilFollowed(quotes, item);

  quotes.drop();
  await until(async () => {
    const before = quotes.reads();
    await quotes.capacityOf(item);
    return quotes.reads() > before || quotes.subscriptions() > 1;
  });
  await change(item, 8);
  await until(async () => (await quotes.capacityOf(item)) === 8);
  await untilFollowed(quotes, item);
  expect(quotes.subscriptions()).toBe(2);
});

it('that does not exist is known as well, until it begins to', async () => {
  const item = randomUUID();
  const quotes = follower();
  await untilFollowed(quotes, item);
  await change(item, 3);
  await until(async () => (await quotes.capacityOf(item)) === 3);
});

it('a command for what another process has made and changed reads nothing', async () => {
  const scans = follower();
  await untilFollowed(scans, randomUUID());
  const item = randomUUID();
  await change(item, 5);
  await change(item, 6);
  await scans.advanced(item, 1);
  expect(await scans.callsOf(() => scans.set(item, 7))).toEqual(['append inventory']);
  expect((await other.aggregates.load(inventory, item)).state.capacity).toBe(7);
});

it('what this process has changed itself stays as it is', async () => {
  const scans = follower();
  await untilFollowed(scans, randomUUID());
  const item = randomUUID();
  await scans.set(item, 5);
  await scans.set(item, 6);
  await scans.advanced(item, 1);
  expect(await scans.callsOf(() => scans.set(item, 7))).toEqual(['append inventory']);
});

it('what was made before is read once by a command, and followed from then on', async () => {
  const item = randomUUID();
  await change(item, 5);
  const scans = follower();
  await untilFollowed(scans, randomUUID());
  expect(await scans.callsOf(() => scans.set(item, 6))).toEqual(['read inventory', 'append inventory']);
  await change(item, 7);
  await scans.advanced(item, 2);
  expect(await scans.callsOf(() => scans.set(item, 8))).toEqual(['append inventory']);
});

it('a refusal is decided on what the log has', async () => {
  const scans = follower();
  await untilFollowed(scans, randomUUID());
  const item = randomUUID();
  await change(item, 5);
  await scans.advanced(item, 0);
  expect(await scans.callsOf(() => scans.set(item, 5))).toEqual(['read inventory']);
});
