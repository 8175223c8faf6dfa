import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import {
  BACKWARDS,
  binaryEvent,
  END,
  jsonEvent,
  NO_STREAM,
  STREAM_EXISTS,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import {
  type Case,
  collect,
  event,
  events,
  fill,
  inAll,
  newStream,
  numbersIn,
  PATIENCE_MS,
  refused,
  tailOf,
} from './support.ts';

const backwards = { direction: BACKWARDS, fromRevision: END } as const;

export const metadata: readonly Case[] = [
  {
    name: 'metadata: is read as it was written, including custom keys',
    run: async (client) => {
      const stream = newStream();
      assert.equal((await client.getStreamMetadata(stream)).metadata, undefined);
      await client.setStreamMetadata(stream, { maxCount: 5, truncateBefore: 2, owner: 'ops' });
      const { streamName, metadata } = await client.getStreamMetadata<{ owner: string }>(stream);
      assert.equal(streamName, stream);
      assert.deepEqual(metadata, { maxCount: 5, truncateBefore: 2, owner: 'ops' });
    },
  },
  {
    name: 'metadata: has expected revisions of its own',
    run: async (client) => {
      const stream = newStream();
      await client.setStreamMetadata(stream, { maxCount: 1 }, { expectedRevision: NO_STREAM });
      const attempt = client.setStreamMetadata(stream, { maxCount: 2 }, { expectedRevision: NO_STREAM });
      assert.equal((await refused(attempt, WrongExpectedVersionError)).actualVersion, 0n);
      await client.setStreamMetadata(stream, { maxCount: 3 }, { expectedRevision: 0n });
      assert.deepEqual((await client.getStreamMetadata(stream)).metadata, { maxCount: 3 });
    },
  },
  {
    name: 'metadata: its own stream shows only the newest',
    run: async (client) => {
      const stream = newStream();
      for (const maxCount of [1, 2, 3]) await client.setStreamMetadata(stream, { maxCount });
      const found = await collect(client.readStream(`$$${stream}`));
      assert.deepEqual(
        found.map(({ event }) => [event?.type, event?.revision]),
        [['$metadata', 2n]],
      );
    },
  },
  {
    name: 'metadata: a stream with metadata alone exists for stream_exists, and cannot be read',
    run: async (client) => {
      const stream = newStream();
      await client.setStreamMetadata(stream, { maxCount: 10 });
      const { nextExpectedRevision } = await client.appendToStream(stream, event(0), {
        expectedRevision: STREAM_EXISTS,
      });
      assert.equal(nextExpectedRevision, 0n);
    },
  },
  {
    name: 'metadata: $maxCount keeps the newest events, in both directions',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 6);
      await client.setStreamMetadata(stream, { maxCount: 2 });
      assert.deepEqual(await numbersIn(client.readStream(stream)), [4, 5]);
      assert.deepEqual(await numbersIn(client.readStream(stream, backwards)), [5, 4]);
      await fill(client, stream, 1, 6);
      assert.deepEqual(await numbersIn(client.readStream(stream)), [5, 6]);
      assert.deepEqual(await numbersIn(client.readStream(stream, { fromRevision: 1n, maxCount: 1 })), [5]);
    },
  },
  {
    name: 'metadata: $tb hides what is before it, in both directions',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 5);
      await client.setStreamMetadata(stream, { truncateBefore: 3 });
      assert.deepEqual(await numbersIn(client.readStream(stream)), [3, 4]);
      assert.deepEqual(await numbersIn(client.readStream(stream, backwards)), [4, 3]);
      await client.setStreamMetadata(stream, { truncateBefore: 9 });
      assert.deepEqual(await numbersIn(client.readStream(stream)), []);
      const { nextExpectedRevision } = await client.appendToStream(stream, event(5), { expectedRevision: 4n });
      assert.equal(nextExpectedRevision, 5n);
    },
  },
  {
    name: 'metadata: $maxAge hides what is too old, in both directions',
    run: async (client) => {
      const stream = newStream();
      await client.setStreamMetadata(stream, { maxAge: 1 });
      let next = 0;
      /** Two more events: whether they were read while they were young. On a busy machine they may not be. */
      const areSeen = async (): Promise<boolean> => {
        const [first, second] = [next, next + 1];
        next += 2;
        const begun = Date.now();
        await client.appendToStream(stream, events(2, first));
        const forwards = await numbersIn(client.readStream(stream));
        const back = await numbersIn(client.readStream(stream, backwards));
        if (Date.now() - begun >= 1_000) return false;
        assert.deepEqual(
          [forwards, back],
          [
            [first, second],
            [second, first],
          ],
        );
        return true;
      };
      const areHidden = async (): Promise<void> => {
        const patience = Date.now() + PATIENCE_MS;
        while ((await numbersIn(client.readStream(stream))).length > 0) {
          assert.ok(Date.now() < patience, 'events outlived their age');
          await pause(50);
        }
      };
      for (let seen = 0; seen < 2; ) {
        if (await areSeen()) seen += 1;
        await areHidden();
      }
    },
  },
  {
    name: 'metadata: a number out of range counts as not set, a value of another type voids all of it',
    run: async (client) => {
      const visible = async (data: Record<string, string | number | boolean>) => {
        const stream = newStream();
        await fill(client, stream, 4);
        await client.appendToStream(`$$${stream}`, jsonEvent({ type: '$metadata', data }));
        return await numbersIn(client.readStream(stream));
      };
      assert.deepEqual(await visible({ $maxCount: 0, $tb: 2 }), [2, 3]);
      assert.deepEqual(await visible({ $maxCount: 1, $tb: -1 }), [3]);
      assert.deepEqual(await visible({ $maxAge: -5, $maxCount: 2 }), [2, 3]);
      assert.deepEqual(await visible({ $maxCount: '1', $tb: 2 }), [0, 1, 2, 3]);
      assert.deepEqual(await visible({ $tb: 2, $maxAge: true }), [0, 1, 2, 3]);
    },
  },
  {
    name: 'metadata: what is not JSON counts as none',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 2);
      await client.setStreamMetadata(stream, { maxCount: 1 });
      await client.appendToStream(
        `$$${stream}`,
        binaryEvent({ type: '$metadata', data: Buffer.from('{"$maxCount":') }),
      );
      assert.deepEqual(await numbersIn(client.readStream(stream)), [0, 1]);
    },
  },
  {
    name: 'metadata: survives the deletion of its own stream',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 3);
      await client.setStreamMetadata(stream, { maxCount: 2 });
      await client.deleteStream(`$$${stream}`);
      assert.deepEqual((await client.getStreamMetadata(stream)).metadata, { maxCount: 2 });
      assert.deepEqual(await numbersIn(client.readStream(stream)), [1, 2]);
    },
  },
  {
    name: 'metadata: hides events from their stream, not from $all',
    run: async (client) => {
      const stream = newStream();
      const tail = await tailOf(client);
      await fill(client, stream, 3);
      await client.setStreamMetadata(stream, { maxCount: 1 });
      const all = await inAll(client, stream, tail);
      assert.equal(all.length, 3);
    },
  },
];
