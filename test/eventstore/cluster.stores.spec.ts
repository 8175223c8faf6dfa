/** The client on a cluster in trouble: its leader hangs, changes or is unknown, and answers come late. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AccessDenied,
  type ConnectedStore,
  connectEventStore,
  KnownAway,
  StoreUnavailable,
} from '../../eventstore/client/index.ts';
import { subscribe } from '../../eventstore/subscribe.ts';
import { createLogger } from '../../infra/log.ts';
import { quickest } from '../kit/quickest.ts';
import { until } from '../kit/until.ts';
import { type ScriptedCluster, startCluster } from './cluster.ts';
import { events, numbersOf } from './stage.ts';

let cluster: ScriptedCluster;
let store: ConnectedStore;
const faults: unknown[] = [];
const onFault = (reason: unknown) => void faults.push(reason);

beforeEach(async () => {
  process.on('unhandledRejection', onFault).on('uncaughtException', onFault);
  cluster = await startCluster();
  store = connectEventStore(cluster.connectionString);
});
afterEach(async () => {
  await store.close();
  await cluster.stop();
  process.off('unhandledRejection', onFault).off('uncaughtException', onFault);
  expect(faults.splice(0)).toEqual([]);
});

/** The client gives a request up after 4.5 s, and gRPC by itself after 10 s; a busy machine notices it later. */
const TOO_LONG_MS = 9_500;
/** A call looks for 0.3 s whether a store is back that was away. */
const TOO_LONG_TO_LOOK_MS = 2_500;
const isAnswered = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );
const aStream = () => `counter-${randomUUID()}`;
const append = () => store.append(aStream(), events(), 'no_stream');
/** However long a busy machine takes: the ids of the events make it safe to repeat. */
const appendPatiently = (n: number) => {
  const [stream, some] = [aStream(), events(1, n)];
  return until(() => isAnswered(store.append(stream, some, 'no_stream')));
};
/** Milliseconds until `work` is settled, and how. */
const timed = async (work: Promise<unknown>) => {
  const begun = performance.now();
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { ms: performance.now() - begun, error };
};

describe('a leader that hangs', () => {
  it('costs a request at most five seconds, and writing goes on with the next leader', async () => {
    await append();
    cluster.nodes[0].freeze(); // the others go on calling it the leader
    const [appended, read] = await Promise.all([timed(append()), timed(store.read(aStream()))]);
    for (const { ms, error } of [appended, read]) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(ms).toBeLessThan(TOO_LONG_MS);
    }
    cluster.elect(1);
    await until(() => isAnswered(append()));
    expect(cluster.nodes[1].calls.batchAppend).toBe(1);
  });

  it('is left by the request that notices it, when the others have elected another', async () => {
    const stream = aStream();
    await store.append(stream, events(1), 'no_stream');
    cluster.nodes[0].freeze();
    cluster.views = [0, 2, 2];
    const { ms, error } = await timed(store.append(stream, events(1, 1), 0n));
    expect(error).toBeUndefined();
    expect(ms).toBeLessThan(TOO_LONG_MS);
    expect(numbersOf(await store.read(stream))).toEqual([0, 1]);
    cluster.nodes[0].thaw();
  });

  it('is left by a subscription, which misses nothing', async () => {
    const handled: unknown[] = [];
    const stopping = new AbortController();
    const ended = subscribe({
      store,
      name: 'test',
      after: null,
      log: createLogger({ level: 'silent' }),
      signal: stopping.signal,
      handle: async (batch) => void handled.push(...numbersOf(batch.events)),
    });
    await appendPatiently(0);
    await until(() => handled.length === 1);
    cluster.nodes[0].freeze();
    cluster.views = [0, 1, 1];
    await appendPatiently(1);
    await until(() => handled.length === 2);
    stopping.abort();
    await ended;
    expect(handled).toEqual([0, 1]);
  });
});

it('keeps its connection when calls are cancelled and streams are missing', async () => {
  await append();
  for (let n = 0; n < 3; n += 1) {
    const stopping = new AbortController();
    const handle = async () => stopping.abort();
    const log = createLogger({ level: 'silent' });
    await subscribe({ store, name: 'test', after: null, log, signal: stopping.signal, handle });
    expect(await store.read(aStream())).toEqual([]);
    await append();
  }
  expect(cluster.nodes[0].calls.batchAppend).toBe(1);
});

describe('a leader that changed', () => {
  it('is found when the old one refuses a call', async () => {
    await append();
    cluster.elect(2);
    expect(await store.read(aStream())).toEqual([]);
    await append();
    expect(cluster.nodes[2].calls).toMatchObject({ read: 1, batchAppend: 1 });
  });

  it('is found by the hint of the one host that is configured', async () => {
    const single = connectEventStore(`esdb://127.0.0.1:${cluster.nodes[0].port}?tls=false`);
    cluster.elect(2);
    const stream = aStream();
    await single.append(stream, events(), 'no_stream');
    expect(await single.read(stream)).toHaveLength(1);
    await single.close();
  });

  it('does no harm with answers that arrive over the earlier connection', async () => {
    await append();
    cluster.nodes[0].holdsAnswers = true;
    const slow = append();
    await until(() => cluster.nodes[0].calls.batchAppend === 1);
    cluster.elect(1);
    await store.read(aStream()); // refused by the old leader: the connection is replaced
    cluster.nodes[0].holdsAnswers = false;
    await Promise.all([slow, append(), append()]);
    expect(cluster.nodes[1].calls.batchAppend).toBeGreaterThan(0);
  });

  it('does no harm to another client of the process', async () => {
    // A busy machine may be too slow for so many in one round, a fault is there in each.
    await until(async () => {
      const other = connectEventStore(cluster.connectionString);
      const both = await isAnswered(Promise.all([append(), other.append(aStream(), events(), 'no_stream')]));
      const appends = isAnswered(Promise.all(Array.from({ length: 50 }, append)));
      await other.close();
      return both && (await appends);
    });
  });
});

describe('a user', () => {
  it('with all rights passes, and the check leaves no event', async () => {
    await expect(store.assertAccess()).resolves.toBeUndefined();
    expect(await store.head()).toBeNull();
  });

  it.each([
    ['read', 'may not read $all'],
    ['append', 'may not write streams'],
  ] as const)('without the right to %s is refused in one clear line', async (denied, words) => {
    cluster.denies = denied;
    await expect(store.assertAccess()).rejects.toThrow(AccessDenied);
    await expect(store.assertAccess()).rejects.toThrow(words);
  });
});

describe('a cluster without a leader', () => {
  it('is away for a request, and serves the next one when it has a leader again', async () => {
    cluster.elect(undefined);
    const attempts = [append(), store.read(aStream()), store.readAll({ max: 1 })];
    for (const { ms, error } of await Promise.all(attempts.map(timed))) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(ms).toBeLessThan(TOO_LONG_MS);
    }
    cluster.elect(1);
    await until(() => isAnswered(append()));
  });

  it('is not waited for when it has been missing for some seconds', async () => {
    cluster.elect(undefined);
    await isAnswered(append());
    await until(() => store.away());
    const slowest = async () => {
      const attempts = [append(), store.read(aStream()), store.readAll({ max: 1 })];
      const all = await Promise.all(attempts.map(timed));
      for (const { error } of all) expect(error).toBeInstanceOf(KnownAway);
      return Math.max(...all.map(({ ms }) => ms));
    };
    expect(await quickest(TOO_LONG_TO_LOOK_MS, slowest)).toBeLessThan(TOO_LONG_TO_LOOK_MS);
    cluster.elect(1);
    await until(() => !store.away());
  });

  it('that cannot tell its features still takes appends', async () => {
    cluster.failsFeatures = true;
    await append();
    expect(cluster.nodes[0].calls.features).toBe(0);
  });
});
