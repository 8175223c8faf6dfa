/** Past states of long streams as auditors read them: what is read for one, how many at once, and which are too large. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditRoutes } from '../../api/audit/audit.ts';
import type { App } from '../../api/http/app.ts';
import { stateThen } from '../../commands/audit/stateThen.ts';
import { type InventoryEvent, inventory } from '../../domain/catalog/inventory.ts';
import { type RoomEvent, room } from '../../domain/catalog/room.ts';
import { addDays } from '../../domain/core/dates.ts';
import { type Aggregate, type AnyEvent, streamName } from '../../domain/core/decider.ts';
import { forumTopic } from '../../domain/forums/topic.ts';
import { pass } from '../../domain/passes/pass.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import { concealedState } from '../../eventstore/concealed.ts';
import { histories } from '../check/snapshotHistories.ts';
import { written } from '../forums/forumFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let node: Node;
beforeAll(async () => {
  node = testDeps(await freshStores());
});

/** The same process, which counts the events that it reads. */
const counting = (of: Node): Node & { eventsRead: () => number } => {
  let count = 0;
  const store: EventStore = {
    ...of.store,
    read: async (...asked) => {
      const page = await of.store.read(...asked);
      count += page.length;
      return page;
    },
  };
  return { ...changed(of, { store }), eventsRead: () => count };
};
/** The same process without snapshots. */
const withoutSnapshots = (): Node => changed(node, { snapshots: { ...node.snapshots, find: async () => undefined } });

const writtenTo = async ({ category }: Aggregate, events: readonly AnyEvent[]): Promise<string> => {
  const stream = streamName(category, randomUUID());
  for (let n = 0; n < events.length; n += 500) {
    const encoded = await node.codec.encode(stream, events.slice(n, n + 500), contextOf('system'), BigInt(n - 1));
    await node.store.append(stream, encoded, n === 0 ? 'no_stream' : BigInt(n - 1));
  }
  return stream;
};

const holds = (count: number, days: number): InventoryEvent[] =>
  Array.from({ length: count }, (_, n) => ({
    type: 'HoldPlaced',
    data: {
      holdId: randomUUID(),
      bookingId: randomUUID(),
      keys: [addDays('2030-01-10', n % days)],
      quantity: 1,
      expiresAt: '2030-01-01T00:00:00.000Z',
    },
  }));
const pricesOfRoom = (count: number): RoomEvent[] => {
  const hotelId = randomUUID();
  const details = { name: 'Twin', description: 'With a view', capacity: 2, units: 3, basePriceMinor: 100 };
  const priced = Array.from({ length: count }, (_, n): RoomEvent => {
    const from = addDays('2030-01-01', n % 300);
    return { type: 'RoomNightsPriced', data: { hotelId, ranges: [{ from, to: addDays(from, 1), priceMinor: n }] } };
  });
  const added = { hotelId, ownerId: randomUUID(), currency: 'RUB', ...details, amenities: [], images: [] };
  return [{ type: 'RoomAdded', data: added }, ...priced];
};

const removedTopic = (count: number): AnyEvent[] => {
  const authorId = randomUUID();
  const posts = Array.from({ length: count - 2 }, (_, n) => written({ postId: randomUUID(), authorId, seq: n + 1 }));
  const begun = { type: 'ForumTopicStarted', data: { authorId, categoryId: randomUUID(), title: 'Powder' } };
  const removed = { type: 'ForumTopicRemoved', data: { authorId, removal: 1, reason: 'Rude' } };
  return [begun, ...posts.slice(0, 9), removed, ...posts.slice(9)];
};
const blockedPass = (count: number): AnyEvent[] => {
  const of = histories.pass ?? [];
  const userId = randomUUID();
  const until = of.findIndex(({ type }) => type === 'PassBlocked') + 1;
  const first = of
    .slice(0, until)
    .map((event) => ({ ...event, data: { ...event.data, ...('userId' in event.data && { userId }) } }));
  const refused = first.find(({ type }) => type === 'PassScanRefused');
  if (!refused) throw new Error('no scan was refused');
  const scans = Array.from({ length: count - first.length }, () => ({
    ...refused,
    data: { ...refused.data, scanId: randomUUID() },
  }));
  return [...first, ...scans];
};

/** What a state says, whatever the order of the ids in it. */
const unordered = (state: unknown): unknown =>
  JSON.parse(
    JSON.stringify(state, (_, inner: unknown) =>
      Array.isArray(inner) && inner.every((item) => typeof item === 'string') ? inner.toSorted() : inner,
    ),
  );

/** A long stream, whose snapshot has all its events but the last ten. */
const LENGTH = 1_500;
const NEWER = 10;
const longStream = async (aggregate: Aggregate, events: readonly AnyEvent[]): Promise<string> => {
  const stream = await writtenTo(aggregate, events.slice(0, LENGTH - NEWER));
  await node.aggregates.load(aggregate as never, stream.slice(aggregate.category.length + 1));
  await until(async () => (await node.pool.query('select from ops.snapshots where stream = $1', [stream])).rowCount);
  const rest = events.slice(LENGTH - NEWER, LENGTH);
  const before = BigInt(LENGTH - NEWER - 1);
  await node.store.append(stream, await node.codec.encode(stream, rest, contextOf('system'), before), before);
  return stream;
};

describe.each([
  ['without personal data', inventory as unknown as Aggregate, () => holds(LENGTH, 300)],
  ['whose snapshot is encrypted', room as unknown as Aggregate, () => pricesOfRoom(LENGTH)],
  ['with the mark of why a topic was removed', forumTopic as unknown as Aggregate, () => removedTopic(LENGTH)],
  ['with the mark of why a pass was blocked', pass as unknown as Aggregate, () => blockedPass(LENGTH)],
])('a long stream %s', (_, aggregate, events) => {
  let stream: string;
  beforeAll(async () => {
    stream = await longStream(aggregate, events());
  });

  it('is read from its snapshot', async () => {
    const reader = counting(node);
    await stateThen(reader, aggregate, stream, {});
    expect(reader.eventsRead()).toBe(1 + NEWER);
  });

  it('was at each moment as all of its events say, also for whoever must not see what is personal', async () => {
    const plain = withoutSnapshots();
    const stored = await node.codec.decode(await node.store.read(stream, { from: 0n, max: LENGTH }));
    const check = async (revision: number, how: 'at' | 'revision' | 'now') => {
      const at = stored[revision]?.at ?? '';
      const moment = { at: { at }, revision: { revision }, now: {} }[how];
      const [short, whole] = await Promise.all([node, plain].map((one) => stateThen(one, aggregate, stream, moment)));
      if (!short || !whole) throw new Error('there is no state');
      expect(unordered(concealedState(short))).toEqual(unordered(concealedState(whole)));
      expect([short.revision, short.at]).toEqual([whole.revision, whole.at]);
    };
    const revision = fc.oneof(
      fc.integer({ min: 0, max: LENGTH - 1 }),
      fc.integer({ min: LENGTH - NEWER - 2, max: LENGTH - 1 }),
    );
    await fc.assert(fc.asyncProperty(revision, fc.constantFrom('at', 'revision', 'now'), check), { numRuns: 15 });
  });
});

it('what is personal in a snapshot is shown only to whoever says why, with the account that it is of', async () => {
  const events = pricesOfRoom(LENGTH);
  const [added] = events;
  if (added?.type !== 'RoomAdded') throw new Error('the room was not added');
  const then = await stateThen(
    node,
    room as unknown as Aggregate,
    await longStream(room as unknown as Aggregate, events),
    {},
  );
  if (!then) throw new Error('there is no state');
  const { hidden, open, people } = concealedState(then);
  expect(hidden).toMatchObject({ name: '[hidden]', description: '[hidden]', capacity: 2 });
  expect(open).toMatchObject({ name: 'Twin', description: 'With a view', capacity: 2 });
  expect(people).toEqual([added.data.ownerId]);
});

describe('the operation', () => {
  const operation = auditRoutes.find(({ id }) => id === 'getStreamState');
  const read = async (app: Node, stream: string, caller: string): Promise<unknown> =>
    operation?.handle(
      { params: { stream }, query: {}, context: contextOf(caller), request: { headers: {} } },
      app as unknown as App,
    );

  it('refuses a state that is too large, and says what to read instead', async () => {
    const stream = await writtenTo(inventory as unknown as Aggregate, holds(8_000, 300));
    await expect(read(node, stream, randomUUID())).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('GET /api/v1/audit/streams/{stream}'),
    });
  });

  it('reads one state at a time for a caller, and two for all; who waits is answered later', async () => {
    const stream = await writtenTo(inventory as unknown as Aggregate, holds(500, 300));
    const most = new Map<string, number>();
    const running = new Map<string, number>();
    /** A process in whose log the reads of this caller are counted while they are under way. */
    const watched = (caller: string): Node => {
      const count = (name: string, change: 1 | -1) => {
        running.set(name, (running.get(name) ?? 0) + change);
        most.set(name, Math.max(most.get(name) ?? 0, running.get(name) ?? 0));
      };
      const store: EventStore = {
        ...node.store,
        read: async (...asked) => {
          if (asked[0] !== stream) return node.store.read(...asked);
          for (const name of [caller, 'all']) count(name, 1);
          try {
            return await node.store.read(...asked);
          } finally {
            for (const name of [caller, 'all']) count(name, -1);
          }
        },
      };
      return changed(node, { store });
    };
    const callers = Array.from({ length: 4 }, () => randomUUID());
    const answers = callers.flatMap((caller) => [1, 2, 3].map(() => read(watched(caller), stream, caller)));
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ stream, revision: 499 });
    expect(most.get('all')).toBe(2);
    for (const caller of callers) expect(most.get(caller)).toBe(1);
  });
});
