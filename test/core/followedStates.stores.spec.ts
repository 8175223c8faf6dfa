/** What prices are quoted from is followed: it is read once, and again after it was changed. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFollowedStates } from '../../commands/core/followedStates.ts';
import { createAggregates } from '../../commands/core/handle.ts';
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

const change = (item: string, capacity: number) =>
  other.aggregates.handle(inventory, item, { type: 'SetCapacity', capacity }, contextOf('system'));

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
  const followed = createFollowedStates();
  const aggregates = createAggregates(store, createCodec(allEvents, stores.vault), { followed });
  running.push(followed.follow({ store, log: stores.log }, [inventory], stopping.signal));
  return {
    capacityOf: async (item: string) => (await aggregates.load(inventory, item, { maxAgeMs: -1 })).state.capacity,
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

it('is read once, and again after another process has changed it', async () => {
  const item = randomUUID();
  await change(item, 5);
  const quotes = follower();
  await untilFollowed(quotes, item);
  const before = quotes.reads();
  for (let n = 0; n < 10; n += 1) expect(await quotes.capacityOf(item)).toBe(5);
  expect(quotes.reads()).toBe(before);

  await change(item, 7);
  await until(async () => (await quotes.capacityOf(item)) === 7);
  expect(quotes.reads()).toBe(before + 1);
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
