/**
 * A subscription delivers every event once and in order, despite failures of the node, the handler or the connection.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Position } from '../../domain/core/decider.ts';
import type { EventStore, StoredEvent, SubscriptionHandlers } from '../../eventstore/client/index.ts';
import { readPages } from '../../eventstore/pages.ts';
import { type Batch, isAfter, type SubscribeOptions, subscribe } from '../../eventstore/subscribe.ts';
import { createLogger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { quickest } from '../kit/quickest.ts';
import { until } from '../kit/until.ts';
import { events, numbers, numbersOf, type Stage, startQuietStage, startStage } from './stage.ts';

let stage: Awaited<ReturnType<typeof startQuietStage>>;
beforeEach(async () => {
  stage = await startQuietStage();
});
afterEach(() => stage.stop());

const aStream = () => `counter-${randomUUID()}`;
const append = (count: number, first = 0) => stage.store.append(aStream(), events(count, first), 'no_stream');
const appendMany = async (count: number, first = 0) => {
  for (let n = first; n < first + count; n += 50) await append(Math.min(50, first + count - n), n);
};

type Overrides = Partial<Omit<SubscribeOptions, 'handle'>> & { before?: (batch: Batch) => Promise<void> };

/** Follows the log from a position and records the handled events and the checkpoint that a consumer would save. */
const follow = ({ before, ...overrides }: Overrides = {}) => {
  const stopping = new AbortController();
  const handled: unknown[] = [];
  const batches: Batch[] = [];
  let checkpoint: Position | null = overrides.after ?? null;
  const ended = subscribe({
    store: stage.store,
    name: 'test',
    after: checkpoint,
    log: createLogger({ level: 'silent' }),
    signal: stopping.signal,
    handle: async (batch) => {
      await before?.(batch);
      expect(isAfter(batch.position, checkpoint)).toBe(true);
      for (const { position } of batch.events) expect(isAfter(position, checkpoint)).toBe(true);
      handled.push(...numbersOf(batch.events));
      batches.push(batch);
      checkpoint = batch.position;
    },
    ...overrides,
  });
  return {
    handled,
    batches,
    checkpoint: () => checkpoint,
    reached: (count: number) => until(() => handled.length >= count),
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};

/** The store, with the messages of its subscriptions passed through `change`. */
const tampered = (change: (on: SubscriptionHandlers) => SubscriptionHandlers): EventStore => ({
  ...stage.store,
  subscribe: (after, on) => stage.store.subscribe(after, change(on)),
});

/** The store, and how often it was asked whether events were missed. */
const probed = (): { store: EventStore; probes: () => number } => {
  let probes = 0;
  const store: EventStore = {
    ...stage.store,
    readAll: (options) => {
      probes += 1;
      return stage.store.readAll(options);
    },
  };
  return { store, probes: () => probes };
};

const countOf = async (counter: typeof metrics.eventstoreReconnects): Promise<number> => {
  const { values } = await counter.get();
  return values.reduce((sum, { value }) => sum + value, 0);
};
const dropsCounted = () => countOf(metrics.eventstoreReconnects);

/** How many batches the events came in: one by one, the third and the fourth at the same time. */
const pacedBatches = async (paceMs: number): Promise<{ sizes: number[]; secondAfterMs: number }> => {
  const following = follow({ after: await stage.store.head(), paceMs });
  await append(1, 0);
  await following.reached(1);
  const begun = performance.now();
  await append(1, 1);
  await following.reached(2);
  const secondAfterMs = performance.now() - begun;
  await Promise.all([append(1, 2), append(1, 3)]);
  await following.reached(4);
  await following.stop();
  return {
    sizes: following.batches.map(({ events: { length } }) => length).filter((length) => length > 0),
    secondAfterMs,
  };
};

it('has events wait for each other under load, but not one that follows a single one', async () => {
  const paceMs = 500;
  // On a busy machine, the third and the fourth are appended too far apart to come together.
  const soonest = await quickest(paceMs / 2, async () => {
    const { sizes, secondAfterMs } = await pacedBatches(paceMs);
    return sizes.length === 3 ? secondAfterMs : Number.POSITIVE_INFINITY;
  });
  expect(soonest).toBeLessThan(paceMs / 2);
});

describe('a subscription', () => {
  it.each([1, 2, 5, 50, 1_000])('delivers history in batches of at most %i', async (maxBatch) => {
    await appendMany(1_500);
    // A handler of varying speed, so that the client's buffers fill and drain.
    const before = async ({ position }: Batch) => {
      const turn = position.commit % 7n;
      if (turn < 3n) await delay(1);
      else if (turn < 5n) await nextTurn();
    };
    const following = follow({ maxBatch, before });
    await following.reached(1_500);
    await following.stop();
    expect(following.handled).toEqual(numbers(1_500));
    expect(Math.max(...following.batches.map((batch) => batch.events.length))).toBeLessThanOrEqual(maxBatch);
  });

  it('continues from history to new events, and reports when it has caught up', async () => {
    await appendMany(120);
    const following = follow();
    await appendMany(120, 120);
    await following.reached(240);
    await until(() => following.batches.at(-1)?.caughtUp);
    await append(1, 240);
    await following.reached(241);
    await following.stop();
    expect(following.handled).toEqual(numbers(241));
  });

  it('starts after the given position', async () => {
    await appendMany(100);
    const { events: all } = await stage.store.readAll({ max: 1_000 });
    const following = follow({ after: all[41]?.position ?? null });
    await following.reached(58);
    await following.stop();
    expect(following.handled).toEqual(numbers(100).slice(42));
  });

  it('buffers at most two batches while its handler is busy', async () => {
    await appendMany(3_000);
    let inFlight = 0;
    let released = (): void => undefined;
    const busy = new Promise<void>((resolve) => {
      released = resolve;
    });
    const store = tampered((on) => ({
      ...on,
      event: (event) => {
        inFlight += 1;
        on.event(event);
      },
    }));
    const following = follow({ store, maxBatch: 100, before: () => busy });
    await until(() => inFlight >= 200);
    const quiet = follow({ maxBatch: 1_000 });
    await quiet.reached(3_000); // enough time for all events to arrive
    expect(inFlight).toBeLessThanOrEqual(300);
    released();
    await following.reached(3_000);
    await Promise.all([following.stop(), quiet.stop()]);
    expect(following.handled).toEqual(numbers(3_000));
  });

  it('delivers a batch again after its handler failed', async () => {
    await appendMany(200);
    let failures = 3;
    const before = async () => {
      if (failures > 0) throw new Error(`failure ${failures--}`);
    };
    const following = follow({ maxBatch: 60, before });
    await following.reached(200);
    await following.stop();
    expect(following.handled).toEqual(numbers(200));
  });

  it('ends when it is stopped, also while its handler fails or it waits', async () => {
    await append(1);
    const failing = follow({ before: () => Promise.reject(new Error('always')) });
    const waiting = follow({ silenceMs: 600_000 });
    await waiting.reached(1);
    await Promise.all([failing.stop(), waiting.stop()]);
    expect(failing.checkpoint()).toBeNull();
  });
});

describe('a live subscription that a server ends because of a burst', () => {
  it('resumes at once, and counts no lost connection', async () => {
    const [reconnects, fallenBehind] = [await dropsCounted(), await countOf(metrics.eventstoreFellBehind)];
    const following = follow();
    let written = 0;
    while (!following.batches.at(-1)?.caughtUp) {
      await append(1, written);
      written += 1;
      await following.reached(written);
    }
    for (let burst = 0; burst < 5; burst += 1) {
      await append(200, written);
      written += 200;
      await following.reached(written);
    }
    await following.stop();
    expect(following.handled).toEqual(numbers(written));
    expect(await countOf(metrics.eventstoreFellBehind)).toBeGreaterThan(fallenBehind);
    expect(await dropsCounted()).toBe(reconnects);
  });
});

describe('a checkpoint', () => {
  it('is never ahead of the handled events', async () => {
    await appendMany(2_000);
    let handed = 0;
    const given: { position: Position; after: number }[] = [];
    const store = tampered((on) => ({
      ...on,
      event: (event) => {
        handed += 1;
        on.event(event);
      },
      checkpoint: (position) => {
        given.push({ position, after: handed });
        on.checkpoint(position);
      },
    }));
    const following = follow({ store, maxBatch: 3, before: () => delay(1) });
    await following.reached(2_000);
    await following.stop();
    const all: StoredEvent[] = [];
    for await (const page of readPages(stage.store)) all.push(...page.events);
    expect(given.length).toBeGreaterThanOrEqual(2);
    for (const { position, after } of given)
      expect(all.filter((event) => !isAfter(event.position, position)).length).toBe(after);
  });

  it('moves past excluded events', async () => {
    await append(1);
    const system = EventStoreDBClient.connectionString(stage.connectionString);
    for (let n = 0; n < 40; n += 1) await system.setStreamMetadata(aStream(), { maxCount: 5 });
    await system.dispose();
    const head = await stage.store.head();
    const following = follow({ silenceMs: 100 });
    await until(() => head && !isAfter(head, following.checkpoint())); // the server may have written more by then
    await following.stop();
    expect(following.handled).toEqual([0]);
  });
});

describe('a subscription that receives nothing', () => {
  it('detects missed events and reconnects', async () => {
    await append(3);
    const reconnects = await dropsCounted();
    let passing = true;
    const store = tampered((on) => ({
      ...on,
      event: (event) => passing && on.event(event),
      checkpoint: () => undefined,
    }));
    const following = follow({ store, silenceMs: 200 });
    await following.reached(3);
    passing = false;
    await append(3, 3);
    await until(async () => (await dropsCounted()) > reconnects);
    passing = true;
    await following.reached(6);
    await following.stop();
    expect(following.handled).toEqual(numbers(6));
  });

  it('keeps a connection on which nothing was missed', async () => {
    await append(3);
    const { store, probes } = probed();
    const following = follow({ store, silenceMs: 50 });
    // On a busy machine, those events themselves may seem to be missing.
    await following.reached(3);
    const [reconnects, before] = [await dropsCounted(), probes()];
    await until(() => probes() > before + 5);
    await following.stop();
    expect(await dropsCounted()).toBe(reconnects);
  });
});

describe('a subscription to a node in trouble', () => {
  let troubled: Stage;
  beforeEach(async () => {
    await stage.stop();
    troubled = await startStage({ amongOthers: true });
    stage = troubled;
  });

  it('neither loses nor repeats events over many kills and restarts of the node', async () => {
    const following = follow({ maxBatch: 20, before: () => nextTurn() });
    let written = 0;
    for (const leave of [troubled.kill, troubled.end, troubled.kill]) {
      await appendMany(400, written);
      written += 400;
      await following.reached(written - 300);
      leave();
      await troubled.restart();
    }
    await appendMany(100, written);
    await following.reached(written + 100);
    await following.stop();
    expect(following.handled).toEqual(numbers(written + 100));
  });

  it('survives a frozen node', async () => {
    await append(1);
    const { store, probes } = probed();
    const following = follow({ store, silenceMs: 200 });
    await following.reached(1);
    troubled.freeze();
    const before = probes();
    await until(() => probes() > before);
    troubled.thaw();
    await append(1, 1);
    await following.reached(2);
    await following.stop();
    expect(following.handled).toEqual(numbers(2));
  });

  it('ends at once on a frozen node', async () => {
    await append(1);
    const { store, probes } = probed();
    const followers = [1, 2, 3].map(() => follow({ store, silenceMs: 100 }));
    for (const following of followers) await following.reached(1);
    troubled.freeze();
    const before = probes();
    await until(() => probes() >= before + followers.length);
    const stopped = await quickest(
      2_000,
      async () => {
        const begun = performance.now();
        await followers.pop()?.stop();
        return performance.now() - begun;
      },
      followers.length,
    );
    troubled.thaw();
    expect(stopped).toBeLessThan(2_000);
    await Promise.all(followers.map((following) => following.stop()));
  });
});
