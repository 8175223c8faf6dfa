/** What a change costs does not depend on how many listen to its channel. */
import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Change, ChangeLog } from '../../realtime/hub/changeLog.ts';
import { createListeners } from '../../realtime/hub/listeners.ts';
import { SendQueue } from '../../realtime/hub/sendQueue.ts';
import { Subscription } from '../../realtime/hub/subscription.ts';

const CHANNEL = 'provider_x';
const SIZE = 5_000;

/** Listeners of one channel, and what was done for them. */
const stage = () => {
  const done = { framesMade: 0, published: [] as string[], sent: 0, reads: 0 };
  const log: ChangeLog = {
    head: () => Promise.reject(new Error('not used')),
    after: () => Promise.reject(new Error('not used')),
    page: async () => {
      done.reads += 1;
      return { epoch: 'e', last: 0, changes: [] };
    },
    accessBeganAfter: () => Promise.reject(new Error('not used')),
  };
  const listeners = createListeners((topic) => done.published.push(topic));
  const topics = new Map<string, number>();
  const count = (topic: string, more: number) => topics.set(topic, (topics.get(topic) ?? 0) + more);

  const listen = (name = CHANNEL, accountId = 'a') => {
    const state = { keepsUp: true };
    const socket = {
      send: () => {
        done.sent += 1;
      },
      cork: (work: () => void) => work(),
      getBufferedAmount: () => (state.keepsUp ? 0 : Infinity),
      subscribe: (topic: string) => count(topic, 1),
      unsubscribe: (topic: string) => count(topic, -1),
    };
    const limits = { queueFrames: 100, queueBytes: 1_000_000 };
    const sendQueue = new SendQueue(socket, { limits, sent: () => undefined, overflowed: () => undefined });
    const onFailure = (error: unknown) => {
      throw error;
    };
    const options = {
      name,
      canonical: CHANNEL,
      since: undefined,
      id: undefined,
      log,
      owner: {
        accountId,
        sendQueue,
        mayRead: () => true,
        onForbidden: () => undefined,
        onLive: () => undefined,
        onFailure,
      },
    };
    const subscription = new Subscription(options);
    listeners.add(subscription);
    subscription.start();
    return { subscription, state };
  };

  let offset = 0;
  const send = () => {
    offset += 1;
    const made = new Map<string, Uint8Array>();
    const frame = (name: string) => {
      if (!made.has(name)) done.framesMade += 1;
      made.set(name, made.get(name) ?? Buffer.alloc(SIZE));
      return made.get(name) ?? Buffer.alloc(0);
    };
    const change: Change = { id: offset, channel: CHANNEL, epoch: 'e', offset, endsFor: null, frame };
    listeners.send(change);
    listeners.settle();
  };
  /** What `work` has done. */
  const during = (work: () => void) => {
    Object.assign(done, { framesMade: 0, published: [], sent: 0, reads: 0 });
    work();
    return { ...done };
  };
  return { listeners, listen, send, during, topics };
};

describe('a change', () => {
  test('is one frame and one publication, however many listen', async () => {
    const { listen, send, during, topics } = stage();
    for (let i = 0; i < 1_000; i++) listen();
    await tick();
    // The first one goes to each by itself: that shows that they have everything before it.
    expect(during(send)).toEqual({ framesMade: 1, published: [], sent: 1_000, reads: 0 });
    expect(topics).toEqual(new Map([[CHANNEL, 1_000]]));
    expect(during(send)).toEqual({ framesMade: 1, published: [CHANNEL], sent: 0, reads: 0 });
  });

  test('is one publication for each name that clients use for the channel', async () => {
    const { listen, send, during } = stage();
    for (const name of [CHANNEL, 'realtime:provider:x', CHANNEL, 'realtime:provider:x']) listen(name);
    await tick();
    send();
    expect(during(send)).toEqual({
      framesMade: 2,
      published: [CHANNEL, 'realtime:provider:x'],
      sent: 0,
      reads: 0,
    });
  });
});

describe('a socket that reads slowly', () => {
  test('waits by itself, and joins the others again when it has everything', async () => {
    const { listen, send, during, topics } = stage();
    const [, slow] = [listen(), listen()];
    await tick();
    send();
    slow.state.keepsUp = false;
    for (let i = 0; i < 5; i++) send(); // beyond the next check
    expect(topics).toEqual(new Map([[CHANNEL, 1]]));
    expect(during(send)).toEqual({ framesMade: 1, published: [CHANNEL], sent: 0, reads: 0 });
    slow.state.keepsUp = true;
    expect(during(send)).toEqual({ framesMade: 1, published: [CHANNEL], sent: 3, reads: 0 });
    expect(topics).toEqual(new Map([[CHANNEL, 2]]));
    expect(during(send)).toEqual({ framesMade: 1, published: [CHANNEL], sent: 0, reads: 0 });
  });

  test('does without what is not stored, on a channel where nothing else comes, too', async () => {
    const { listeners, listen, send, during, topics } = stage();
    const [, slow] = [listen(), listen()];
    await tick();
    send();
    const tell = () => listeners.tell(() => Buffer.alloc(SIZE));
    slow.state.keepsUp = false;
    for (let i = 0; i < 5; i++) tell(); // beyond the next check
    expect(topics).toEqual(new Map([[CHANNEL, 1]]));
    expect(during(tell)).toMatchObject({ published: [CHANNEL], sent: 0 });
    slow.state.keepsUp = true;
    expect(during(tell)).toMatchObject({ published: [CHANNEL], sent: 1 });
  });
});

test('whoever leaves the channel leaves the publication', async () => {
  const { listeners, listen, send, during, topics } = stage();
  const [leaving] = [listen(), listen()];
  await tick();
  send();
  listeners.remove(leaving.subscription);
  expect(topics).toEqual(new Map([[CHANNEL, 1]]));
  expect(listeners.remove(leaving.subscription)).toBe(false);
  expect(during(send)).toMatchObject({ published: [CHANNEL], sent: 0 });
});
