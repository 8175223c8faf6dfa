import assert from 'node:assert/strict';
import {
  type AppendExpectedRevision,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { type Case, collect, event, fill, inAll, newStream, numbersIn, refused, tailOf } from './support.ts';

/** A deleted stream of three events takes new ones from revision 3 on and shows only those. */
const recreates = (expectedRevision: AppendExpectedRevision): Case['run'] => {
  return async (client) => {
    const stream = newStream();
    await fill(client, stream, 3);
    await client.setStreamMetadata(stream, { owner: 'ops' });
    await client.deleteStream(stream);
    const { nextExpectedRevision } = await client.appendToStream(stream, event(3), { expectedRevision });
    assert.equal(nextExpectedRevision, 3n);
    assert.deepEqual(await numbersIn(client.readStream(stream)), [3]);
    const { metadata } = await client.getStreamMetadata(stream);
    assert.equal(metadata?.truncateBefore, 3);
  };
};

export const deletes: readonly Case[] = [
  {
    name: 'delete: the stream is no longer found, but its events stay in $all',
    run: async (client) => {
      const stream = newStream();
      const tail = await tailOf(client);
      await fill(client, stream, 2);
      const { position } = await client.deleteStream(stream, { expectedRevision: 1n });
      assert.ok(position);
      await refused(collect(client.readStream(stream)), StreamNotFoundError);
      const all = await inAll(client, stream, tail);
      assert.equal(all.length, 2);
    },
  },
  { name: 'delete: no_stream restarts the stream after its old revisions', run: recreates(NO_STREAM) },
  { name: 'delete: any restarts the stream after its old revisions', run: recreates('any') },
  { name: 'delete: the last revision restarts the stream after its old revisions', run: recreates(2n) },
  {
    name: 'delete: a wrong revision does not restart the stream',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 3);
      await client.deleteStream(stream);
      const attempt = client.appendToStream(stream, event(9), { expectedRevision: 1n });
      await refused(attempt, WrongExpectedVersionError);
      await refused(collect(client.readStream(stream)), StreamNotFoundError);
    },
  },
  {
    name: 'delete: stream_exists calls the stream deleted',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 1);
      await client.deleteStream(stream);
      const attempt = client.appendToStream(stream, event(9), { expectedRevision: STREAM_EXISTS });
      assert.equal((await refused(attempt, StreamDeletedError)).streamName, stream);
    },
  },
  {
    name: 'delete: a wrong expected revision is refused, and so is a missing stream',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 2);
      const error = await refused(client.deleteStream(stream, { expectedRevision: 7n }), WrongExpectedVersionError);
      assert.deepEqual([error.streamName, error.expectedVersion, error.actualVersion], [stream, 7n, 1n]);
      assert.deepEqual(await numbersIn(client.readStream(stream)), [0, 1]);
      await refused(client.deleteStream(newStream()), WrongExpectedVersionError);
    },
  },
  {
    name: 'delete: can be repeated after the stream was restarted',
    run: async (client) => {
      const stream = newStream();
      for (const n of [0, 1, 2]) {
        await client.appendToStream(stream, event(n), { expectedRevision: NO_STREAM });
        assert.deepEqual(await numbersIn(client.readStream(stream)), [n]);
        await client.deleteStream(stream, { expectedRevision: BigInt(n) });
      }
      await refused(collect(client.readStream(stream)), StreamNotFoundError);
    },
  },
  {
    name: 'delete: new metadata restores the stream, empty',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 2);
      await client.deleteStream(stream);
      await client.setStreamMetadata(stream, { owner: 'ops' });
      assert.deepEqual(await numbersIn(client.readStream(stream)), []);
      await client.appendToStream(stream, event(2), { expectedRevision: 1n });
      assert.deepEqual(await numbersIn(client.readStream(stream)), [2]);
    },
  },
  {
    name: 'tombstone: the stream can never be read, written or deleted again',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 2);
      const { position } = await client.tombstoneStream(stream, { expectedRevision: 1n });
      assert.ok(position);
      const attempts = [
        () => collect(client.readStream(stream)),
        () => client.appendToStream(stream, event(9)),
        () => client.appendToStream(stream, event(9), { expectedRevision: NO_STREAM }),
        () => client.appendToStream(stream, event(9), { credentials: { username: 'admin', password: 'changeit' } }),
        () => client.deleteStream(stream),
        () => client.tombstoneStream(stream),
        () => client.setStreamMetadata(stream, { maxCount: 1 }),
      ];
      for (const attempt of attempts) {
        const error = await refused(attempt(), StreamDeletedError);
        assert.ok(error.streamName?.endsWith(stream), `about ${error.streamName}`);
      }
    },
  },
  {
    name: 'tombstone: is an event of $all',
    run: async (client) => {
      const stream = newStream();
      const tail = await tailOf(client);
      await fill(client, stream, 1);
      await client.tombstoneStream(stream);
      const all = await inAll(client, stream, tail);
      assert.deepEqual(
        all.map(({ event }) => event?.type),
        ['Happened', '$streamDeleted'],
      );
      assert.equal(all[1]?.event?.revision, 2n ** 63n - 1n);
    },
  },
  {
    name: 'tombstone: respects the expected revision, and accepts a missing stream',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 2);
      await refused(client.tombstoneStream(stream, { expectedRevision: 0n }), WrongExpectedVersionError);
      assert.deepEqual(await numbersIn(client.readStream(stream)), [0, 1]);
      const never = newStream();
      await client.tombstoneStream(never, { expectedRevision: NO_STREAM });
      await refused(client.appendToStream(never, event(0)), StreamDeletedError);
    },
  },
  {
    name: 'tombstone: works for a deleted stream',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 2);
      await client.deleteStream(stream);
      await client.tombstoneStream(stream);
      await refused(client.appendToStream(stream, event(9)), StreamDeletedError);
    },
  },
];
