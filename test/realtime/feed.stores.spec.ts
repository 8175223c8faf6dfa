/** Feed and subscription on a table whose answers the test releases: covers every order of events. */
import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { type Change, type ChangeLog, PAGE } from '../../realtime/hub/changeLog.ts';
import { createFeed } from '../../realtime/hub/feed.ts';
import type { Publish } from '../../realtime/hub/listeners.ts';
import type { Cursor } from '../../realtime/hub/protocol.ts';
import { SendQueue } from '../../realtime/hub/sendQueue.ts';
import { Subscription } from '../../realtime/hub/subscription.ts';

const CHANNEL = 'provider_x';

/** The table, with one channel. A query sees the state at its start or at its end, as the test chooses. */
const createTable = () => {
  const state = { epoch: 'epoch-1', last: 0, forgottenUpTo: 0, forgotten: [] as readonly number[] };
  const waiting: { answer: (early: boolean) => void }[] = [];
  const ask = <T>(look: (seen: typeof state) => T): Promise<T> => {
    const before = look({ ...state });
    return new Promise((resolve) => waiting.push({ answer: (early) => resolve(early ? before : look(state)) }));
  };
  const change = (epoch: string, offset: number): Change => ({
    id: offset,
    channel: CHANNEL,
    epoch,
    offset,
    endsFor: null,
    // Long, so that it is checked often who keeps up.
    frame: () => Buffer.from(JSON.stringify({ epoch, offset }).padEnd(1_000)),
  });
  const after = ({ epoch, last, forgotten }: typeof state, offset: number): Change[] =>
    Array.from({ length: Math.max(0, last - offset) }, (_, n) => offset + 1 + n)
      .filter((each) => !forgotten.includes(each))
      .slice(0, PAGE)
      .map((each) => change(epoch, each));
  const log: ChangeLog = {
    head: () => ask(({ epoch, last }) => ({ epoch, id: last })),
    after: (id, channels = [CHANNEL]) =>
      ask((seen) => {
        const changes = channels.includes(CHANNEL) ? after(seen, id) : [];
        const upTo = changes.length < PAGE ? seen.last : changes.at(-1)?.id;
        return { epoch: seen.epoch, changes, upTo: Math.max(id, upTo ?? 0), misses: seen.forgottenUpTo > id };
      }),
    page: (_channel, offset) =>
      ask((seen) => ({ epoch: seen.epoch, last: seen.last, changes: offset === undefined ? [] : after(seen, offset) })),
    accessBeganAfter: async () => false,
  };
  const commit = (count: number) => {
    state.last += count;
  };
  const answer = (which: number, early: boolean) =>
    waiting.splice(which % Math.max(1, waiting.length), 1)[0]?.answer(early);
  /** What of each epoch was forgotten: an answer may be older than the next epoch. */
  const forgotten = new Map<string, readonly number[]>();
  /** Every so many of the changes that there are. */
  const forget = (every: number) => {
    const offsets = Array.from({ length: state.last }, (_, n) => n + 1).filter((offset) => offset % every === 0);
    state.forgottenUpTo = state.last;
    state.forgotten = [...new Set([...state.forgotten, ...offsets])];
    forgotten.set(state.epoch, state.forgotten);
  };
  const newEpoch = () => {
    state.epoch = `epoch-${Number(state.epoch.slice(6)) + 1}`;
  };
  /** The tables are created again: offsets and ids restart. */
  const createAgain = () => {
    newEpoch();
    Object.assign(state, { last: 0, forgottenUpTo: 0, forgotten: [] });
  };
  return { state, log, commit, answer, forget, forgotten, newEpoch, createAgain };
};

interface Frame {
  readonly type?: 'subscribed';
  readonly recovered?: boolean;
  readonly epoch: string;
  readonly offset: number;
}

/**
 * A client that checks every frame against its cursor and records gaps, duplicates and wrong `recovered` flags. Its
 * transport publishes to the sockets that have joined.
 */
const createClient = (forgotten: ReadonlyMap<string, readonly number[]>) => {
  const topic = new Set<(bytes: Uint8Array) => void>();
  let published = 0;
  const wrong: string[] = [];
  let cursor: Cursor | undefined;
  let room = true;
  let drain: () => void = () => undefined;
  const take = (frame: Frame) => {
    const { type, recovered, epoch, offset } = frame;
    const fits =
      type !== 'subscribed'
        ? epoch === cursor?.epoch && offset === cursor.offset + 1
        : recovered
          ? epoch === cursor?.epoch && offset === cursor.offset
          : epoch !== cursor?.epoch || Boolean(forgotten.get(epoch)?.some((gone) => gone > (cursor?.offset ?? 0)));
    if (!fits) wrong.push(`${JSON.stringify(frame)} after ${JSON.stringify(cursor)}`);
    cursor = { epoch, offset };
  };
  const connect = () => {
    let open = true;
    const receive = (bytes: Uint8Array) => {
      if (open) take(JSON.parse(Buffer.from(bytes).toString()) as Frame);
    };
    const socket = {
      send: receive,
      cork: (work: () => void) => work(),
      getBufferedAmount: () => (room ? 0 : Infinity),
      subscribe: () => topic.add(receive),
      unsubscribe: () => topic.delete(receive),
    };
    const limits = { queueFrames: 20, queueBytes: 1_000_000 };
    const sendQueue = new SendQueue(socket, { limits, sent: () => undefined, overflowed: () => undefined });
    drain = () => sendQueue.flush();
    const close = () => {
      open = false;
      topic.delete(receive);
      sendQueue.close();
    };
    return { sendQueue, close };
  };
  const setRoom = (free: boolean) => {
    room = free;
    if (free) drain();
  };
  const publish: Publish = (_topic, bytes) => {
    for (const receive of topic) {
      published += 1;
      receive(bytes);
    }
  };
  return { connect, publish, setRoom, wrong, cursor: () => cursor, published: () => published };
};

type Step =
  | { do: 'commit'; count: number }
  | { do: 'answer'; which: number; early: boolean }
  | { do: 'forget'; every: number }
  | { do: 'connect' | 'disconnect' | 'epoch' | 'createAgain' | 'wake' | 'fill' | 'drain' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(5), early: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('commit' as const), count: fc.constantFrom(1, 2, 3, PAGE, 2 * PAGE + 1) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wake' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('connect' as const, 'disconnect' as const, 'fill' as const, 'drain' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('forget' as const), every: fc.constantFrom(1, 2, 3, 7) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('epoch' as const, 'createAgain' as const) }),
  },
);

test('no gap, no duplicate and no wrong `recovered` flag in any order of commits, wakes, answers, cuts, erasures and new epochs', async () => {
  let published = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 120, size: 'max' }), async (steps) => {
      const table = createTable();
      const client = createClient(table.forgotten);
      const starting = createFeed(table.log, client.publish, createLogger({ level: 'silent' }));
      table.answer(0, false);
      const feed = await starting;

      const subscribe = () => {
        const { sendQueue, close } = client.connect();
        const onFailure = (error: unknown) => {
          throw error;
        };
        const subscription = new Subscription({
          name: CHANNEL,
          canonical: CHANNEL,
          since: client.cursor(),
          id: undefined,
          log: table.log,
          owner: {
            accountId: 'a',
            sendQueue,
            mayRead: () => true,
            onForbidden: () => undefined,
            onLive: () => undefined,
            onFailure,
          },
        });
        feed.add(subscription);
        return () => {
          close();
          feed.remove(subscription);
        };
      };

      let cut: (() => void) | undefined = subscribe();
      const play = {
        commit: (s: Step) => s.do === 'commit' && table.commit(s.count),
        answer: (s: Step) => s.do === 'answer' && table.answer(s.which, s.early),
        wake: () => feed.wake([CHANNEL]),
        forget: (s: Step) => s.do === 'forget' && table.forget(s.every),
        epoch: () => table.newEpoch(),
        createAgain: () => table.createAgain(),
        fill: () => client.setRoom(false),
        drain: () => client.setRoom(true),
        disconnect: () => {
          cut?.();
          cut = undefined;
        },
        connect: () => {
          cut?.();
          cut = subscribe();
        },
      };
      for (const each of steps) {
        play[each.do](each);
        await tick();
      }

      // Without further steps the client receives everything, or learns that something is missing.
      if (!cut) play.connect();
      const isUpToDate = () =>
        client.cursor()?.epoch === table.state.epoch && client.cursor()?.offset === table.state.last;
      client.setRoom(true);
      for (let i = 0; i < 200 && !isUpToDate(); i++) {
        feed.wake();
        table.answer(0, false);
        await tick();
      }
      published += client.published();
      expect(client.wrong).toEqual([]);
      expect(client.cursor()).toEqual({ epoch: table.state.epoch, offset: table.state.last });

      play.disconnect();
      let isStopped = false;
      const stopped = feed.stop().then(() => {
        isStopped = true;
      });
      // The read that the feed waits for stands behind those of all subscriptions that were cut.
      for (let i = 0; i < 200 && !isStopped; i++) {
        table.answer(0, false);
        await tick();
      }
      await stopped;
    }),
    {
      numRuns: 300,
      // What hangs is told with its steps.
      timeout: 10_000,
      examples: [
        [[{ do: 'answer', which: 0, early: false }, ...Array<Step>(8).fill({ do: 'connect' }), { do: 'wake' }]],
      ],
    },
  );
  expect(published).toBeGreaterThan(1_000);
});
