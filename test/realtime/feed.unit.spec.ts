/** What the feed asks the database, as counts. */
import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { changedChannels } from '../../projections/engine/changes.ts';
import type { ChangeLog } from '../../realtime/hub/changeLog.ts';
import { createFeed } from '../../realtime/hub/feed.ts';
import { SendQueue } from '../../realtime/hub/sendQueue.ts';
import { Subscription } from '../../realtime/hub/subscription.ts';

const stage = async () => {
  /** The channels of each read: `undefined` = all. */
  const reads: (readonly string[] | undefined)[] = [];
  const waiting: (() => void)[] = [];
  const log: ChangeLog = {
    head: async () => ({ epoch: 'e', id: 0 }),
    after: async (id, channels) => {
      reads.push(channels);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { epoch: 'e', changes: [], upTo: id, misses: false };
    },
    page: async () => ({ epoch: 'e', last: 0, changes: [] }),
    accessBeganAfter: async () => false,
  };
  const feed = await createFeed(log, () => undefined, createLogger({ level: 'silent' }));
  const socket = {
    send: () => undefined,
    cork: (work: () => void) => work(),
    getBufferedAmount: () => 0,
    subscribe: () => undefined,
    unsubscribe: () => undefined,
  };
  const listen = (canonical: string) => {
    const limits = { queueFrames: 100, queueBytes: 10_000 };
    const sendQueue = new SendQueue(socket, { limits, sent: () => undefined, overflowed: () => undefined });
    const onFailure = (error: unknown) => {
      throw error;
    };
    const options = { name: canonical, canonical, since: undefined, id: undefined, log };
    const owner = {
      accountId: 'a',
      sendQueue,
      mayRead: () => true,
      onForbidden: () => undefined,
      onLive: () => undefined,
      onFailure,
    };
    feed.add(new Subscription({ ...options, owner }));
  };
  const answer = async () => {
    for (const resolve of waiting.splice(0)) resolve();
    await tick();
  };
  const stop = async () => {
    const stopped = feed.stop();
    await tick();
    await answer();
    await stopped;
  };
  return { feed, listen, reads, answer, stop };
};

test('changes of channels to which nobody listens are not read', async () => {
  const { feed, listen, reads, stop } = await stage();
  listen('a');
  feed.wake(['b', 'c']);
  await tick();
  expect(reads).toEqual([]);
  feed.wake(['b', 'a']);
  await tick();
  expect(reads).toEqual([['a']]);
  await stop();
});

test('any number of wakes during a read lead to one more', async () => {
  const { feed, listen, reads, answer, stop } = await stage();
  listen('a');
  for (let i = 0; i < 10; i++) feed.wake(['a']);
  await tick();
  for (let i = 0; i < 10; i++) feed.wake();
  await answer();
  expect(reads).toEqual([['a'], ['a']]);
  await answer();
  expect(reads).toHaveLength(2);
  await stop();
});

test('a channel that somebody begins to listen to during a read is read at once', async () => {
  const { feed, listen, reads, answer, stop } = await stage();
  feed.wake();
  await tick();
  listen('a');
  await answer();
  expect(reads).toEqual([[], undefined]);
  await stop();
});

test('with many channels all changes are read, instead of naming each channel', async () => {
  const { feed, listen, reads, stop } = await stage();
  for (let i = 0; i < 101; i++) listen(`channel-${i}`);
  feed.wake();
  await tick();
  expect(reads).toEqual([undefined]);
  await stop();
});

test('a notification that names no channels may concern any', () => {
  expect(changedChannels('["a","b"]')).toEqual(['a', 'b']);
  expect(changedChannels('')).toBeUndefined();
  expect(changedChannels('4711')).toBeUndefined(); // of release 0.1.0
});

test('starts although a table is locked for longer than a request waits', async () => {
  const locked = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  const answers = [locked, { epoch: 'e', id: 7 }];
  const head = async () => {
    const answer = answers.shift();
    if (answer instanceof Error || answer === undefined) throw answer ?? new Error('nothing more is asked');
    return answer;
  };
  const log = { head } as unknown as ChangeLog;
  const feed = await createFeed(log, () => undefined, createLogger({ level: 'silent' }));
  expect(answers).toEqual([]);
  await feed.stop();
  const broken = { head: async () => Promise.reject(new Error('no such table')) } as unknown as ChangeLog;
  await expect(createFeed(broken, () => undefined, createLogger({ level: 'silent' }))).rejects.toThrow('no such table');
});
