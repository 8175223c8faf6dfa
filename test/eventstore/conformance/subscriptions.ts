import assert from 'node:assert/strict';
import { END, START, StreamDeletedError, streamNameFilter, TimeoutError } from '@eventstore/db-client';
import { type Case, collect, event, Follower, fill, followAll, following, newStream, tailOf } from './support.ts';

export const subscriptions: readonly Case[] = [
  {
    name: 'subscribe: to a stream from its start, through caught up, to live events',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 3);
      await following(new Follower(client.subscribeToStream(stream, { fromRevision: START })), async (follower) => {
        await follower.untilCaughtUp();
        assert.deepEqual(follower.numbers, [0, 1, 2]);
        await fill(client, stream, 2, 3);
        await follower.untilReceived(5);
        assert.deepEqual(follower.numbers, [0, 1, 2, 3, 4]);
      });
    },
  },
  {
    name: 'subscribe: to a stream from a revision starts after it',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 5);
      await following(new Follower(client.subscribeToStream(stream, { fromRevision: 2n })), async (follower) => {
        await follower.untilReceived(2);
        assert.deepEqual(follower.numbers, [3, 4]);
      });
    },
  },
  {
    name: 'subscribe: to a stream from its end delivers only new events',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 5);
      await following(new Follower(client.subscribeToStream(stream, { fromRevision: END })), async (follower) => {
        await follower.untilCaughtUp();
        await fill(client, stream, 2, 5);
        await follower.untilReceived(2);
        assert.deepEqual(follower.numbers, [5, 6]);
      });
    },
  },
  {
    name: 'subscribe: to a stream that does not exist yet',
    run: async (client) => {
      const stream = newStream();
      await following(new Follower(client.subscribeToStream(stream)), async (follower) => {
        // Not every server says "caught up" about a stream that does not exist.
        await follower.untilConfirmed();
        await fill(client, stream, 2);
        await follower.untilReceived(2);
        assert.deepEqual(follower.numbers, [0, 1]);
      });
    },
  },
  {
    name: 'subscribe: to a stream that is tombstoned, before or during, ends with an error',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 1);
      const before = new Follower(client.subscribeToStream(stream));
      await before.untilReceived(1);
      await client.tombstoneStream(stream);
      const after = new Follower(client.subscribeToStream(stream));
      for (const follower of [before, after]) {
        await follower.until('the error', () => follower.failure !== undefined);
        assert.ok(follower.failure instanceof StreamDeletedError, String(follower.failure));
      }
    },
  },
  {
    name: 'subscribe: to $all from a position starts after it',
    run: async (client) => {
      const stream = newStream();
      const { position } = await client.appendToStream(stream, event(0));
      assert.ok(position);
      await fill(client, stream, 3, 1);
      await following(new Follower(client.subscribeToAll({ fromPosition: position })), async (follower) => {
        const own = () => follower.received.filter(({ event }) => event?.streamId === stream);
        await follower.until('three events', () => own().length >= 3);
        assert.deepEqual(
          own().map(({ event }) => event?.revision),
          [1n, 2n, 3n],
        );
      });
    },
  },
  {
    name: 'subscribe: to $all from its end delivers only new events',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 2);
      // Of all streams, a server may end the subscription: others write more at once than it buffers.
      const filter = streamNameFilter({ prefixes: [stream] });
      await following(new Follower(client.subscribeToAll({ fromPosition: END, filter })), async (follower) => {
        await follower.untilCaughtUp();
        await fill(client, stream, 1, 2);
        await follower.untilReceived(1);
        assert.deepEqual(follower.numbers, [2]);
      });
    },
  },
  {
    name: 'subscribe: all subscribers see $all in the same order, without gaps, while it is written',
    run: async (client) => {
      const run = newStream('busy').slice(5);
      const filter = streamNameFilter({ prefixes: [`busy${run}`] });
      const writers = Array.from({ length: 8 }, (_, w) => `busy${run}-${w}`);
      const tail = await tailOf(client);
      const followers = [0, 1, 2].map(() => followAll(client, tail, filter));
      const write = async (stream: string): Promise<void> => {
        for (let n = 0; n < 50; n++) await fill(client, stream, 1, n);
      };
      await Promise.all(writers.map(write));
      for (const follower of followers) {
        await following(follower, () => follower.untilReceived(400));
        const positions = follower.received.map(({ event }) => event?.position?.commit ?? 0n);
        assert.ok(positions.every((position, i) => i === 0 || position > (positions[i - 1] ?? 0n)));
        assert.deepEqual(follower.received, followers[0]?.received);
      }
    },
  },
  {
    name: 'subscribe: a slow subscriber delays no other, and gets everything, if need be by resuming',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 1);
      const slow = client.subscribeToStream(stream);
      const follower = new Follower(slow);
      const received = await following(follower, async () => {
        await follower.untilCaughtUp();
        slow.pause();
        for (let from = 1; from <= 3000; from += 500) await fill(client, stream, 500, from);
        assert.equal((await collect(client.readStream(stream))).length, 3001);
        slow.resume();
        await follower.until('everything or an error', () => follower.received.length > 3000 || !!follower.failure);
        if (follower.failure) assert.ok(follower.failure instanceof TimeoutError, String(follower.failure));
        return follower.numbers;
      });
      const fromRevision = BigInt(received.length - 1);
      await following(new Follower(client.subscribeToStream(stream, { fromRevision })), async (again) => {
        await again.untilReceived(3001 - received.length);
        assert.deepEqual(
          [...received, ...again.numbers],
          Array.from({ length: 3001 }, (_, n) => n),
        );
      });
    },
  },
  {
    name: 'subscribe: metadata does not hide events from a live subscription to their stream',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 1);
      await client.setStreamMetadata(stream, { maxCount: 2 });
      await following(new Follower(client.subscribeToStream(stream)), async (follower) => {
        await follower.untilCaughtUp();
        const written = fill(client, stream, 20, 1);
        const truncated = client.setStreamMetadata(stream, { truncateBefore: 21 });
        await Promise.all([written, truncated]);
        await follower.untilReceived(21);
        assert.deepEqual(
          follower.numbers,
          Array.from({ length: 21 }, (_, n) => n),
        );
      });
    },
  },
  {
    name: 'subscribe: a live subscription gets events that are deleted in the same moment',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 1);
      await following(new Follower(client.subscribeToStream(stream)), async (follower) => {
        await follower.untilCaughtUp();
        await Promise.all([fill(client, stream, 5, 1), client.deleteStream(stream)]);
        await follower.untilReceived(6);
      });
    },
  },
  {
    name: 'subscribe: a live subscription gets the event of a tombstone before its error',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 1);
      const follower = new Follower(client.subscribeToStream(stream));
      await follower.untilCaughtUp();
      await fill(client, stream, 2, 1);
      await client.tombstoneStream(stream);
      await follower.until('the error', () => follower.failure !== undefined);
      assert.deepEqual(
        follower.received.map(({ event }) => [event?.type, event?.revision]),
        [
          ['Happened', 0n],
          ['Happened', 1n],
          ['Happened', 2n],
          ['$streamDeleted', 2n ** 63n - 1n],
        ],
      );
    },
  },
];
