/** The guards around the client package, on a real node: frozen, killed, conflicting, oversized. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Position } from '../../domain/core/decider.ts';
import {
  connectEventStore,
  type Direction,
  type EventStore,
  EventTooLarge,
  KnownAway,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../eventstore/client/index.ts';
import { registry } from '../../infra/metrics.ts';
import { quickest } from '../kit/quickest.ts';
import { until } from '../kit/until.ts';
import { events, numbers, numbersOf, type Stage, startStage } from './stage.ts';

const aStream = () => `counter-${randomUUID()}`;

describe('a stream', () => {
  let stage: Stage;
  let store: EventStore;
  beforeAll(async () => {
    stage = await startStage();
    store = stage.store;
  });
  afterAll(() => stage.stop());

  it('returns the appended events, in both directions and from any revision', async () => {
    const stream = aStream();
    const written = events(5);
    const appended = await store.append(stream, written, 'no_stream');
    const found = await store.read(stream);
    expect(found).toEqual(
      written.map((event, n) => expect.objectContaining({ ...event, stream, revision: BigInt(n) })),
    );
    expect(appended).toEqual({ revision: 4n, position: found.at(-1)?.position });
    expect(numbersOf(await store.read(stream, { from: 2n, max: 2 }))).toEqual([2, 3]);
    expect(numbersOf(await store.read(stream, { direction: 'backwards', max: 2 }))).toEqual([4, 3]);
    expect(numbersOf(await store.read(stream, { direction: 'backwards', from: 1n }))).toEqual([1, 0]);
    expect(await store.read(stream, { from: 5n })).toEqual([]);
    expect(await store.read(aStream())).toEqual([]);
  });

  it('reads thousands of missing streams over one connection', async () => {
    // Cancelling each read would reset its call: after a thousand resets the server assumes an attack and disconnects.
    const reader = async () => {
      for (let n = 0; n < 40; n += 1) expect(await store.read(aStream())).toEqual([]);
    };
    await Promise.all(Array.from({ length: 64 }, reader));
  });

  it('accepts an append only at the expected revision', async () => {
    const stream = aStream();
    await store.append(stream, events(2), 'no_stream');
    for (const expected of ['no_stream', 0n, 2n, 7n] as const)
      await expect(store.append(stream, events(), expected)).rejects.toThrow(WrongExpectedRevision);
    await expect(store.append(aStream(), events(), 0n)).rejects.toThrow(WrongExpectedRevision);
    expect(await store.read(stream)).toHaveLength(2);
  });

  it('recognises a repeated append, also after later appends', async () => {
    const stream = aStream();
    const [first, second] = [events(3), events(2, 3)];
    const appended = await store.append(stream, first, 'no_stream');
    expect(await store.append(stream, first, 'no_stream')).toEqual(appended);
    await store.append(stream, second, 2n);
    expect(await store.append(stream, first, 'no_stream')).toEqual(appended);
    expect(numbersOf(await store.read(stream))).toEqual(numbers(5));
  });

  it('rejects an append of which only a part exists', async () => {
    const stream = aStream();
    const [one, two] = events(2);
    if (!one || !two) throw new Error('two events');
    await store.append(stream, [one], 'no_stream');
    await expect(store.append(stream, [one, two], 'no_stream')).rejects.toThrow(WrongExpectedRevision);
    await expect(store.append(stream, [two, one], 'no_stream')).rejects.toThrow(WrongExpectedRevision);
    expect(await store.read(stream)).toHaveLength(1);
  });

  it('rejects events that would block the client, and keeps working', async () => {
    const stream = aStream();
    const [event] = events();
    if (!event) throw new Error('an event');
    await expect(store.append(stream, [{ ...event, data: { n: 1n } }], 'no_stream')).rejects.toThrow(TypeError);
    const outsize = { ...event, data: { text: 'ж'.repeat(600_000) } };
    await expect(store.append(stream, [outsize], 'no_stream')).rejects.toThrow(EventTooLarge);
    await store.append(stream, [event], 'no_stream');
    expect(await store.read(stream)).toHaveLength(1);
  });

  it('is reached by either scheme of the connection string', async () => {
    const stream = aStream();
    await store.append(stream, events(), 'no_stream');
    const renamed = connectEventStore(stage.connectionString.replace('esdb:', 'kurrentdb:'));
    expect(await renamed.read(stream)).toHaveLength(1);
    await renamed.close();
  });

  it('counts appends by outcome', async () => {
    const stream = aStream();
    registry.resetMetrics();
    await store.append(stream, events(), 'no_stream');
    await store.append(stream, events(), 7n).catch(() => undefined);
    const text = await registry.getSingleMetricAsString('eventstore_append_seconds');
    expect(text).toContain('eventstore_append_seconds_count{outcome="done"} 1');
    expect(text).toContain('eventstore_append_seconds_count{outcome="conflict"} 1');
  });
});

describe('the whole log', () => {
  const COUNT = 30;
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
    const system = EventStoreDBClient.connectionString(stage.connectionString);
    for (let n = 0; n < COUNT; n += 3) {
      await stage.store.append(aStream(), events(3, n), 'no_stream');
      await system.setStreamMetadata(aStream(), { maxCount: n + 1 });
    }
    await system.dispose();
  });
  afterAll(() => stage.stop());

  const pages = async (direction: Direction, max: number, from?: Position) => {
    const found: unknown[] = [];
    let sizes = 0;
    for (let after = from; ; ) {
      const page = await stage.store.readAll({ direction, max, ...(after && { after }) });
      if (page.last === null) return { found, sizes };
      found.push(...numbersOf(page.events));
      sizes = Math.max(sizes, page.events.length);
      after = page.last;
    }
  };

  it.each([1, 2, 3, 7, 29, 30, 31, 5_000])('is complete in pages of %i, in both directions', async (max) => {
    const forwards = await pages('forwards', max);
    const backwards = await pages('backwards', max);
    expect(forwards.found).toEqual(numbers(COUNT));
    expect(backwards.found).toEqual(numbers(COUNT).reverse());
    expect(Math.max(forwards.sizes, backwards.sizes)).toBeLessThanOrEqual(max);
  });

  it('continues after any event, and backwards before any event', async () => {
    const { events: all } = await stage.store.readAll({ max: 1_000 });
    for (const { position, data } of all) {
      const n = Number(data.n);
      expect((await pages('forwards', 50, position)).found).toEqual(numbers(COUNT).slice(n + 1));
      expect((await pages('backwards', 50, position)).found).toEqual(numbers(COUNT).slice(0, n).reverse());
    }
  });

  it('has a head at or after the last event, where the last page ends', async () => {
    const head = await stage.store.head();
    const { last, events: all } = await stage.store.readAll({ max: 1_000 });
    expect(head).toEqual(last);
    expect(head?.commit).toBeGreaterThan(all.at(-1)?.position.commit ?? 0n);
  });
});

/** After some seconds without a store, calls are refused until it is found again. */
const answers = (store: EventStore) =>
  until(() =>
    store.head().then(
      () => true,
      () => false,
    ),
  );

describe('a node in trouble', () => {
  let stage: Stage;
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => void unhandled.push(reason);
  beforeEach(async () => {
    process.on('unhandledRejection', onUnhandled);
    stage = await startStage();
  });
  afterEach(async () => {
    await stage.stop();
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });

  it('lets appends and reads time out while frozen, and stores nothing twice', async () => {
    const streams = Array.from({ length: 200 }, aStream);
    const written = streams.map(() => events());
    const appendAll = () => streams.map((stream, n) => stage.store.append(stream, written[n] ?? [], 'no_stream'));
    stage.freeze();
    const begun = performance.now();
    const work = [stage.store.read('counter-1'), ...appendAll()];
    for (const outcome of await Promise.allSettled<unknown>(work))
      expect(outcome).toEqual({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    expect(performance.now() - begun).toBeLessThan(9_500); // gRPC by itself waits ten seconds
    stage.thaw();
    await answers(stage.store);
    await Promise.all(appendAll());
    for (const stream of streams) expect(await stage.store.read(stream)).toHaveLength(1);
  });

  it('is not waited for by those whose turn comes when it has been silent for as long as a call may take', async () => {
    await stage.store.append(aStream(), events(), 'no_stream');
    stage.freeze();
    await expect(stage.store.append(aStream(), events(), 'no_stream')).rejects.toThrow(StoreUnavailable);
    const refused = async () => {
      const begun = performance.now();
      await expect(stage.store.append(aStream(), events(), 'no_stream')).rejects.toThrow(KnownAway);
      return performance.now() - begun;
    };
    expect(await quickest(1_500, refused)).toBeLessThan(1_500);
    stage.thaw();
  });

  it('stores an append once although it was sent again after the time limit', async () => {
    const stream = aStream();
    await stage.store.append(stream, events(1), 'no_stream');
    stage.freeze();
    const same = events(2, 1);
    const append = () => stage.store.append(stream, same, 0n);
    // A server can hold a retry that meets its first attempt until the time of the request is over: one more repeat.
    const appending = append().catch(async (error: unknown) => {
      expect(error).toBeInstanceOf(StoreUnavailable);
      await answers(stage.store);
      return append();
    });
    await delay(2_300); // longer than one attempt may take, so it is in its second
    stage.thaw();
    expect(await appending).toMatchObject({ revision: 2n });
    expect(numbersOf(await stage.store.read(stream))).toEqual(numbers(3));
    expect(await stage.store.append(stream, events(1, 3), 2n)).toMatchObject({ revision: 3n });
  });

  it('serves a client whose first call was made while it was frozen', async () => {
    stage.freeze();
    await expect(stage.store.append(aStream(), events(), 'no_stream')).rejects.toThrow(StoreUnavailable);
    stage.thaw();
    await answers(stage.store);
    expect(await stage.store.append(aStream(), events(), 'no_stream')).toMatchObject({ revision: 0n });
  });

  it('keeps acknowledged appends when it is killed, and accepts repeats of the failed ones', async () => {
    // More than are under way at once, so that some are refused; no more than are sent in the time of one request.
    const streams = Array.from({ length: 500 }, aStream);
    const written = streams.map(() => [{ ...events()[0], data: { n: 0, text: 'x'.repeat(2_000) } }] as never);
    const append = (n: number) => stage.store.append(streams[n] ?? '', written[n] ?? [], 'no_stream');
    await stage.store.append(aStream(), events(), 'no_stream'); // so that it is connected
    const appending = streams.map((_, n) => append(n));
    const settled = Promise.allSettled(appending);
    await Promise.any(appending);
    stage.kill();
    const outcomes = await settled;
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toBeInstanceOf(StoreUnavailable);
    await stage.restart();
    await answers(stage.store);
    for (const [n, stream] of streams.entries())
      if (outcomes[n]?.status === 'fulfilled') expect(await stage.store.read(stream)).toHaveLength(1);
    // A hundred at a time: a busy machine need not write all in the time of one request.
    for (let n = 0; n < streams.length; n += 100) await Promise.all(numbers(100).map((k) => append(n + k)));
    for (const stream of streams) expect(await stage.store.read(stream)).toHaveLength(1);
  });

  it('is not there at all', async () => {
    const nowhere = connectEventStore('esdb://127.0.0.1:9?tls=false');
    await Promise.all([
      expect(nowhere.append(aStream(), events(), 'no_stream')).rejects.toThrow(StoreUnavailable),
      expect(nowhere.read(aStream())).rejects.toThrow(StoreUnavailable),
      expect(nowhere.readAll({ max: 1 })).rejects.toThrow(StoreUnavailable),
    ]);
    await nowhere.close();
  });
});
