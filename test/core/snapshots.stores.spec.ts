/** Snapshots of long streams on real stores: what is read with them, and which of them are ignored. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Aggregates, createAggregates } from '../../commands/core/handle.ts';
import { createSnapshots } from '../../commands/core/snapshots.ts';
import {
  type Inventory,
  type InventoryCommand,
  type InventoryEvent,
  inventory,
} from '../../domain/catalog/inventory.ts';
import { addMinutes, addMs, DAY_MS } from '../../domain/core/instants.ts';
import { type SkierEvent, skier } from '../../domain/leaderboards/skier.ts';
import { allEvents } from '../../domain/modules.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import { type Codec, createCodec } from '../../eventstore/codec.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { withoutOrder } from '../kit/withoutOrder.ts';

let stores: Stores;
let codec: Codec;
beforeAll(async () => {
  stores = await freshStores();
  codec = createCodec(allEvents, stores.vault);
});

/** A process of its own, and how many events it has read. */
const aProcess = (snapshotEvery?: number): Aggregates & { eventsRead: () => number } => {
  let count = 0;
  const store: EventStore = {
    ...stores.store,
    read: async (...given) => {
      const page = await stores.store.read(...given);
      count += page.length;
      return page;
    },
  };
  const snapshots = createSnapshots(stores.pool, stores.log, stores.vault);
  return { ...createAggregates(store, codec, { snapshots, snapshotEvery }), eventsRead: () => count };
};

/** A hold of the n-th booking for the night `day` days from the start of the history. */
const holdOn = (day: number) => {
  const at = addMs('2030-01-01T00:00:00.000Z', day * DAY_MS);
  const night = addMs(at, 5 * DAY_MS).slice(0, 10);
  const places = { holdId: randomUUID(), bookingId: randomUUID(), keys: [night], quantity: 1 };
  return { ...places, at, expiresAt: addMinutes(at, 30) };
};
const streamOf = (item: string) => `inventory-${item}`;

/** Two events for each booking, a hundred bookings a day, in few appends. */
const aLongStream = async (events: number): Promise<string> => {
  const item = randomUUID();
  const all = Array.from({ length: events / 2 }, (_, n): InventoryEvent[] => {
    const { at, expiresAt, ...places } = holdOn(Math.floor(n / 100));
    return [
      { type: 'HoldPlaced', data: { ...places, expiresAt } },
      { type: 'HoldCommitted', data: places },
    ];
  }).flat();
  for (let n = 0; n < all.length; n += 500) {
    const encoded = await codec.encode(streamOf(item), all.slice(n, n + 500), contextOf('system'), BigInt(n - 1));
    await stores.store.append(streamOf(item), encoded, n === 0 ? 'no_stream' : BigInt(n - 1));
  }
  return item;
};

const snapshotOf = async (item: string): Promise<{ revision: number; version: number } | undefined> =>
  (await stores.pool.query('select revision, version from ops.snapshots where stream = $1', [streamOf(item)])).rows[0];
const whenWritten = (item: string, revision: number) =>
  until(async () => (await snapshotOf(item))?.revision === revision || undefined);
const alter = (item: string, change: string) =>
  stores.pool.query(`update ops.snapshots set ${change} where stream = $1`, [streamOf(item)]);

/** Reads a stream in a new process, which finds all of it, and returns how many events that read. */
const readAnew = async (item: string, whole: Inventory, length: number): Promise<number> => {
  const process = aProcess();
  const { state, revision } = await process.load(inventory, item);
  expect(revision).toBe(BigInt(length - 1));
  expect(withoutOrder(state)).toEqual(withoutOrder(whole));
  return process.eventsRead();
};
/** What a process reads beside a good snapshot: the page that shows that the stream is long, and the snapshot's event. */
const FEW = 100 + 1;

it('a long stream is read from its snapshot, and its state forgets what is past', async () => {
  const length = 5_000;
  const item = await aLongStream(length);
  const first = aProcess();
  const { state } = await first.load(inventory, item);
  expect(first.eventsRead()).toBe(length);
  await whenWritten(item, length - 1);
  expect(await readAnew(item, state, length)).toBe(FEW);
  expect(state.holds.size).toBeLessThan(1_000);
});

describe('a stream is read from its first event', () => {
  const LENGTH = 1_200;
  let item: string;
  let whole: Inventory;
  beforeAll(async () => {
    item = await aLongStream(LENGTH);
    whole = (await aProcess().load(inventory, item)).state;
    await whenWritten(item, LENGTH - 1);
  });

  /** All of the snapshot, as text. */
  const stored = async (): Promise<string | undefined> => {
    const { rows } = await stores.pool.query<{ row: string }>(
      'select s::text as row from ops.snapshots as s where stream = $1',
      [streamOf(item)],
    );
    return rows[0]?.row;
  };

  it.each([
    ['of an older version', 'version = version - 1', LENGTH],
    ['ahead of the log', 'revision = revision + 1000', LENGTH],
    ['of another history', `event_id = '${randomUUID()}'`, LENGTH + 1],
    ['that is damaged', 'state = left(state, 1000)', LENGTH],
    ['of another shape', `state = '{"capacity": "many"}'`, LENGTH],
  ])('beside a snapshot %s, which is replaced', async (_, change, read) => {
    await alter(item, change);
    const altered = await stored();
    expect(await readAnew(item, whole, LENGTH)).toBe(read);
    // By that one reader: others would write theirs while the next test alters it.
    await until(async () => ![undefined, altered].includes(await stored()));
    expect(await readAnew(item, whole, LENGTH)).toBe(FEW);
  });

  it('beside a snapshot of a newer version, which stays', async () => {
    await alter(item, 'version = version + 1');
    expect(await readAnew(item, whole, LENGTH)).toBe(LENGTH);
    expect(await readAnew(item, whole, LENGTH)).toBe(LENGTH);
    await alter(item, 'version = version - 1');
  });

  it('while Postgres does not answer', async () => {
    const pool = { query: () => Promise.reject(new Error('no connection')) };
    const aggregates = createAggregates(stores.store, codec, {
      snapshots: createSnapshots(pool as never, stores.log, stores.vault),
    });
    expect((await aggregates.load(inventory, item)).revision).toBe(BigInt(LENGTH - 1));
  });
});

it('a state with personal data is encrypted with the key of its person, and goes with it', async () => {
  const accountId = randomUUID();
  const stream = `skier-${accountId}`;
  const score = { verticalM: 900, distanceM: 4_000, runs: 3 };
  const joined: SkierEvent = { type: 'LeaderboardJoined', data: { accountId, displayName: 'Golden Eagle' } };
  const days = Array.from({ length: 599 }, (): SkierEvent => {
    const data = { sessionId: randomUUID(), day: '2026-12-01', cause: 'tracked' as const, track: score, boards: [] };
    return { type: 'SkiDayCounted', data: { accountId, ...data, total: { ...score, days: 1, sessions: 1 } } };
  });
  await stores.store.append(
    stream,
    await codec.encode(stream, [joined, ...days], contextOf('system'), -1n),
    'no_stream',
  );
  const { state } = await aProcess().load(skier, accountId);
  const row = () => stores.pool.query<{ state: string }>('select state from ops.snapshots where stream = $1', [stream]);
  await until(async () => (await row()).rowCount === 1 || undefined);
  expect((await row()).rows[0]?.state).not.toContain('Eagle');
  const second = aProcess();
  expect((await second.load(skier, accountId)).state).toEqual(state);
  expect(second.eventsRead()).toBe(FEW);
  await stores.vault.erase(accountId);
  expect((await aProcess().load(skier, accountId)).state.displayName).not.toContain('Eagle');
  expect((await row()).rowCount).toBe(0);
});

it('a short stream is read without asking for a snapshot', async () => {
  const item = await aLongStream(98);
  const refusing = { find: () => Promise.reject(new Error('asked')) };
  const aggregates = createAggregates(stores.store, codec, { snapshots: refusing as never });
  expect((await aggregates.load(inventory, item)).revision).toBe(97n);
});

it('commands are decided alike with and without snapshots, in any history', async () => {
  const command = fc.record({
    what: fc.constantFrom('place', 'commit', 'release', 'expire', 'capacity', 'restart'),
    which: fc.nat(20),
    day: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 30, maxLength: 60 }), async (steps) => {
      const item = randomUUID();
      const replaying = createAggregates(stores.store, codec);
      let process = aProcess(7);
      const holds = Array.from({ length: 21 }, (_, n) => holdOn(n % 5));
      let passed = 0;
      for (const { what, which, day } of steps) {
        passed += day;
        const { at: _, expiresAt, ...places } = holds[which]!;
        const at = holdOn(passed).at;
        const commands: Record<string, InventoryCommand> = {
          place: { type: 'PlaceHold', ...places, at, expiresAt: holdOn(passed).expiresAt },
          commit: { type: 'CommitHold', ...places, at },
          release: { type: 'ReleaseHold', holdId: places.holdId, reason: 'cancelled' },
          expire: { type: 'ExpireHold', holdId: places.holdId, at },
          capacity: { type: 'SetCapacity', capacity: which },
        };
        const given = commands[what];
        if (given) await process.handle(inventory, item, given, contextOf('system')).catch(() => undefined);
        else process = aProcess(7);
        const [mine, replayed] = await Promise.all([process.load(inventory, item), replaying.load(inventory, item)]);
        expect(withoutOrder(mine.state)).toEqual(withoutOrder(replayed.state));
      }
    }),
    { numRuns: 4 },
  );
});
