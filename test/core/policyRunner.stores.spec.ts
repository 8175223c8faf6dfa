/** Policies that share a subscription: none waits for another, each continues where it was, workers share the streams. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineJob } from '../../commands/core/jobs.ts';
import { type Policy, type PolicyHandler, policy, policyRetry } from '../../commands/core/policy.ts';
import { runPolicies } from '../../commands/core/policyRunner.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { formatPosition, listCheckpoints } from '../../eventstore/checkpoints.ts';
import { type StoredEvent, StoreUnavailable } from '../../eventstore/client/index.ts';
import { consumerLags } from '../../eventstore/lag.ts';
import { watchConsumers } from '../../ops/consumers.ts';
import { contextOf } from '../kit/context.ts';
import { countingStore } from '../kit/counts.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { patiently } from '../kit/patiently.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stores: Stores;
let node: Node;
let stopping: AbortController;
let running: Promise<void>[];
/** A handler hangs until the test has ended. */
let stuck: Promise<void>;
let release: () => void;
beforeEach(async () => {
  stores = await freshStores({ amongOthers: true });
  node = testDeps(stores);
  stopping = new AbortController();
  running = [];
  stuck = new Promise((resolve) => {
    release = resolve;
  });
});
afterEach(async () => {
  release();
  stopping.abort();
  await Promise.all(running);
});

type Handler = PolicyHandler<Recorded<EventOf<'CapacitySet'>>, Node>;
const watching = (name: string, handler: Handler): Policy<Node> => policy<Node>(name, { CapacitySet: handler });
const start = (policies: readonly Policy<Node>[], deps: Node = node, stop = stopping) => {
  const ended = runPolicies(deps, policies, policyRetry(policies), stop.signal);
  running.push(ended);
  return ended;
};
const change = (item: string, capacity: number) => {
  const context = contextOf('system');
  return patiently(() => node.aggregates.handle(inventory, item, { type: 'SetCapacity', capacity }, context));
};
const checkpoints = async () =>
  new Map([...(await listCheckpoints(stores.pool))].map(([name, position]) => [name, formatPosition(position)]));
/** Collects `<item> <capacity>` of what it handles. */
const noting = (name: string) => {
  const seen: string[] = [];
  return { seen, policy: watching(name, async ({ streamId, data }) => void seen.push(`${streamId} ${data.capacity}`)) };
};

describe('policies of one worker', () => {
  it('get each event by one subscription, and are all up to date, also those that had nothing to do', async () => {
    const [one, two] = [noting('one'), noting('two')];
    const idle = policy<Node>('idle', { HoldPlaced: async () => undefined });
    const { store, counted } = countingStore(stores.store);
    start([one.policy, two.policy, idle], testDeps({ ...stores, store }));
    const items = Array.from({ length: 20 }, () => randomUUID());
    await Promise.all(items.map((item) => change(item, 1)));
    const names = ['policy:one', 'policy:two', 'policy:idle'];
    await until(async () => (await consumerLags(stores, names, 10)).every(({ events }) => events === 0));
    expect(one.seen.toSorted()).toEqual(items.map((item) => `${item} 1`).toSorted());
    expect(two.seen.toSorted()).toEqual(one.seen.toSorted());
    expect(counted.delivered).toEqual(Array(20).fill('CapacitySet'));
    // A position without events may have come to some of them before it comes to the others.
    await until(async () => new Set((await checkpoints()).values()).size === 1);
  });

  it('do not wait for a slow one: only its checkpoint stays behind', async () => {
    const quick = noting('quick');
    const item = randomUUID();
    start([watching('slow', () => stuck), quick.policy]);
    await change(item, 1);
    await until(() => quick.seen.length === 1);
    await change(item, 2);
    await until(() => quick.seen.length === 2);
    // Before, both may be where the log began.
    const isUpToDate = async (name: string) => (await consumerLags(stores, [name], 10))[0]?.events === 0;
    await until(() => isUpToDate('policy:quick'));
    expect(await isUpToDate('policy:slow')).toBe(false);
    release();
    await until(async () => {
      const at = await checkpoints();
      return at.get('policy:slow') !== undefined && at.get('policy:slow') === at.get('policy:quick');
    });
  });

  it('have nothing to do while one hangs: it alone is reported to have stopped', async () => {
    const names = ['policy:stuck', 'policy:idle'];
    const idle = policy<Node>('idle', { HoldPlaced: async () => undefined });
    start([watching('stuck', () => stuck), idle]);
    await change(randomUUID(), 1);
    await until(async () => (await checkpoints()).has('policy:idle'));
    // Of no policy.
    await stores.store.append(
      'other',
      [{ id: randomUUID(), type: 'Other', data: {}, metadata: {} as never }],
      'no_stream',
    );
    await until(async () => (await consumerLags(stores, names, 10))[1]?.events === 0);
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line) => lines.push(line) });
    const watch = watchConsumers({ ...stores, log }, names, { everyMs: 5, patienceMs: 500 });
    const line = await until(() => lines.find((each) => each.includes('consumers of the log have stopped')));
    expect(line).toContain('"consumers":"policy:stuck"');
    await until(() => watch.faults().some((fault) => fault.startsWith('policy:stuck has stopped')));
    await watch.stop();
  });

  it('do not wait for one that hangs, however much it has to handle, also when a worker joins', async () => {
    const item = randomUUID();
    await change(item, 1);
    const [stored] = await stores.store.read(`inventory-${item}`, { max: 1 });
    const { type, data, metadata } = stored as StoredEvent;
    const many = 1_600;
    const copies = Array.from({ length: many }, () => ({ id: randomUUID(), type, data, metadata }));
    const stream = `inventory-${randomUUID()}`;
    await patiently(() => stores.store.append(stream, copies as never, 'no_stream'));
    const [quick, idle] = [noting('quick'), noting('other')];
    start([watching('stuck', () => stuck), quick.policy, idle.policy]);
    await until(() => quick.seen.length >= many + 1);
    await change(item, 2);
    await until(() => quick.seen.at(-1) === `${item} 2`);
    // One of its policies goes to the new worker, which waits for what is being handled.
    start([watching('stuck', () => stuck), quick.policy, idle.policy], testDeps(stores));
    const holders = async () =>
      (await stores.pool.query(`select distinct holder from ops.leases where name like 'policy:%'`)).rows.length;
    await until(async () => (await holders()) === 2);
    await change(item, 3);
    await until(() => quick.seen.at(-1) === `${item} 3` && idle.seen.at(-1) === `${item} 3`);
  });

  it('repeat what a lost store interrupted, each for itself', async () => {
    const other = noting('other');
    let failures = 2;
    const seen: number[] = [];
    const failing = watching('failing', async ({ data }) => {
      if (failures > 0) {
        failures -= 1;
        throw new StoreUnavailable('away');
      }
      seen.push(data.capacity);
    });
    start([failing, other.policy]);
    await change(randomUUID(), 3);
    await until(() => seen.length > 0);
    await until(() => other.seen.length > 0);
    expect(seen).toEqual([3]);
    expect(other.seen).toHaveLength(1);
  });

  it('a job that the database refuses concerns its event only', async () => {
    const noticing = defineJob<object, Node>('noticing', async () => undefined);
    const setting = watching('setting', async ({ streamId, data, meta }, { deps }) => {
      const dueAt = data.capacity === 2 ? 'never' : '2026-01-01T00:00:00Z';
      await noticing.schedule(deps.jobs, meta, { id: streamId, dueAt, data: {} });
    });
    const items = [randomUUID(), randomUUID(), randomUUID()];
    for (const [n, item] of items.entries()) await change(item, n + 1);
    start([setting]);
    const jobs = async () =>
      (
        await stores.pool.query<{ kind: string; id: string }>(
          `select kind, id from ops.jobs where kind <> 'push_lane' order by kind, id`,
        )
      ).rows;
    await until(async () => (await consumerLags(stores, ['policy:setting'], 10))[0]?.events === 0);
    expect(await jobs()).toEqual([
      ...[items[0], items[2]].toSorted().map((id) => ({ kind: 'noticing', id })),
      { kind: 'policy_retry', id: expect.stringMatching(/^setting:/) },
    ]);
  });
});

describe('a new policy', () => {
  it('reads the log from its beginning; the others get no event again and do not wait for it', async () => {
    const first = noting('first');
    const one = new AbortController();
    const item = randomUUID();
    const ended = start([first.policy], node, one);
    await change(item, 1);
    // So much log that the two do not follow it together.
    const large = (n: number) => ({
      id: randomUUID(),
      type: 'Large',
      data: { text: 'x'.repeat(900_000) },
      metadata: { n } as never,
    });
    for (let n = 0; n < 6; n += 1) await stores.store.append(`large-${n}`, [large(n)], 'no_stream');
    await change(item, 2);
    await until(() => first.seen.length === 2);
    one.abort();
    await ended;

    const seen: number[] = [];
    const second = watching('second', async ({ data }) => {
      await stuck;
      seen.push(data.capacity);
    });
    const { store, counted } = countingStore(stores.store);
    start([first.policy, second], testDeps({ ...stores, store }));
    await change(item, 3);
    await until(() => first.seen.length === 3);
    expect(seen).toEqual([]);
    await until(() => counted.subscriptions === 3); // the last one is of both
    release();
    await until(() => seen.length === 3);
    counted.delivered.length = 0;
    await change(item, 4);
    await until(() => seen.length === 4 && first.seen.length === 4);
    expect(counted.delivered).toEqual(['CapacitySet']);
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(first.seen).toEqual([1, 2, 3, 4].map((capacity) => `${item} ${capacity}`));
  });
});

describe('policies that are divided into parts', () => {
  it('are shared by two workers: each event is handled once, in order within a stream', async () => {
    const seen: string[] = [];
    const worker = (who: string) =>
      start(
        [watching('shared', async ({ streamId, data }) => void seen.push(`${who} ${streamId} ${data.capacity}`))],
        changed(testDeps(stores), { settings: { policyParts: 4 } }),
      );
    worker('a');
    worker('b');
    const names = [1, 2, 3, 4].map((part) => `policy:shared:${part}/4`);
    const holders = async () =>
      (await stores.pool.query('select holder, count(*) from ops.leases where name = any ($1) group by 1', [names]))
        .rows;
    await until(async () => (await holders()).map(({ count }) => count).join() === '2,2');
    const items = Array.from({ length: 24 }, () => randomUUID());
    for (const capacity of [1, 2, 3]) await Promise.all(items.map((item) => change(item, capacity)));
    await until(() => seen.length >= 72);
    await until(async () => (await consumerLags(stores, names, 10)).every(({ events }) => events === 0));
    expect(seen).toHaveLength(72);
    for (const item of items) {
      const own = seen.filter((line) => line.includes(item)).map((line) => line.replace(` ${item}`, ''));
      const [who] = own[0] as string;
      expect(own).toEqual([`${who} 1`, `${who} 2`, `${who} 3`]);
    }
    // How many fall to each depends on the ids.
    for (const who of ['a', 'b']) expect(seen.some((line) => line.startsWith(who))).toBe(true);
  });
});
