import assert from 'node:assert/strict';
import {
  ANY,
  type AppendExpectedRevision,
  DeadlineExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  TimeoutError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { type Case, event, events, fill, newStream, numbersIn, refused } from './support.ts';

const isTimeout = (error: unknown): boolean => error instanceof DeadlineExceededError || error instanceof TimeoutError;

/** Appends the same events twice and checks that the second append gets the same reply and changes nothing. */
const writesOnce = (expectedRevision: AppendExpectedRevision, before: number, count: number): Case['run'] => {
  return async (client) => {
    const stream = newStream();
    if (before > 0) await fill(client, stream, before);
    const same = events(count, before);
    const first = await client.appendToStream(stream, same, { expectedRevision });
    const again = await client.appendToStream(stream, same, { expectedRevision });
    assert.deepEqual(again, first);
    assert.equal((await numbersIn(client.readStream(stream))).length, before + count);
  };
};

export const retries: readonly Case[] = [
  { name: 'retry: no_stream with the same events is written once', run: writesOnce(NO_STREAM, 0, 3) },
  { name: 'retry: an exact revision with the same events is written once', run: writesOnce(1n, 2, 3) },
  { name: 'retry: any with the same events is written once', run: writesOnce(ANY, 0, 3) },
  { name: 'retry: stream_exists with the same events is written once', run: writesOnce(STREAM_EXISTS, 1, 1) },
  {
    name: 'retry: is recognised after the stream has moved on',
    run: async (client) => {
      const stream = newStream();
      const same = events(2);
      const first = await client.appendToStream(stream, same, { expectedRevision: NO_STREAM });
      await fill(client, stream, 5, 2);
      const again = await client.appendToStream(stream, same, { expectedRevision: NO_STREAM });
      assert.deepEqual(again, first);
      assert.deepEqual(await numbersIn(client.readStream(stream)), [0, 1, 2, 3, 4, 5, 6]);
    },
  },
  {
    name: 'retry: is recognised while the first attempt still runs',
    run: async (client) => {
      const stream = newStream();
      const same = events(2);
      const append = () => client.appendToStream(stream, same, { expectedRevision: NO_STREAM });
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, append));
      // A server may give up a retry that it cannot recognise yet. One that comes later is recognised.
      const late = await append();
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') assert.deepEqual(outcome.value, late);
        else assert.ok(isTimeout(outcome.reason), String(outcome.reason));
      }
      assert.deepEqual(await numbersIn(client.readStream(stream)), [0, 1]);
    },
  },
  {
    name: 'retry: a part match is a conflict, for an exact revision',
    run: async (client) => {
      const stream = newStream();
      const [first, second] = events(2);
      assert.ok(first && second);
      await client.appendToStream(stream, [first, second], { expectedRevision: NO_STREAM });
      for (const attempt of [
        [first, event(9)],
        [event(9), second],
        [first, second, event(9)],
      ])
        await refused(
          client.appendToStream(stream, attempt, { expectedRevision: NO_STREAM }),
          WrongExpectedVersionError,
        );
      assert.deepEqual(await numbersIn(client.readStream(stream)), [0, 1]);
    },
  },
  {
    name: 'retry: a part match is a conflict, for any',
    run: async (client) => {
      const stream = newStream();
      const first = event(0);
      await client.appendToStream(stream, first);
      await refused(client.appendToStream(stream, [first, event(9)]), WrongExpectedVersionError);
      assert.deepEqual(await numbersIn(client.readStream(stream)), [0]);
    },
  },
  {
    name: 'retry: the same id in another stream is another event',
    run: async (client) => {
      const same = event(0);
      for (const stream of [newStream(), newStream()]) {
        await client.appendToStream(stream, same);
        assert.deepEqual(await numbersIn(client.readStream(stream)), [0]);
      }
    },
  },
  {
    name: 'retry: for any, the first place of an id counts',
    run: async (client) => {
      const [stream, same] = [newStream(), event(0)];
      const first = await client.appendToStream(stream, same, { expectedRevision: NO_STREAM });
      await client.appendToStream(stream, same, { expectedRevision: 0n });
      const again = await client.appendToStream(stream, same);
      assert.deepEqual(again, first);
      assert.equal((await numbersIn(client.readStream(stream))).length, 2);
    },
  },
  {
    name: 'retry: of events that are hidden by now is recognised, without a position',
    run: async (client) => {
      const [stream, same] = [newStream(), events(2)];
      await client.appendToStream(stream, same, { expectedRevision: NO_STREAM });
      await fill(client, stream, 1, 2);
      await client.setStreamMetadata(stream, { truncateBefore: 2 });
      const again = await client.appendToStream(stream, same, { expectedRevision: NO_STREAM });
      assert.deepEqual([again.nextExpectedRevision, again.position], [1n, undefined]);
    },
  },
];
