import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  ANY,
  BACKWARDS,
  binaryEvent,
  END,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { type Case, collect, event, events, fill, newStream, numbersIn, refused } from './support.ts';

/** With credentials, the client uses the call for a single append instead of the batch call. */
const credentials = { username: 'admin', password: 'changeit' };

export const appends: readonly Case[] = [
  {
    name: 'append: returns the revision and position of the last event',
    run: async (client) => {
      const stream = newStream();
      const first = await client.appendToStream(stream, event(0), { expectedRevision: NO_STREAM });
      const second = await client.appendToStream(stream, events(3, 1), { expectedRevision: 0n });
      assert.equal(first.nextExpectedRevision, 0n);
      assert.equal(second.nextExpectedRevision, 3n);
      const [last] = await collect(client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 }));
      assert.ok(first.position && second.position && second.position.commit > first.position.commit);
      assert.equal(last?.event?.revision, 3n);
    },
  },
  {
    name: 'append: keeps id, type, data, metadata and time of an event',
    run: async (client) => {
      const stream = newStream();
      const before = Date.now();
      const written = jsonEvent({
        id: randomUUID(),
        type: 'Ünïcode ✓',
        data: { text: 'Снег ❄', nested: { list: [1, null, true] } },
        metadata: { $correlationId: randomUUID(), note: 'é' },
      });
      await client.appendToStream(stream, written);
      const [read] = await collect(client.readStream(stream));
      assert.ok(read?.event);
      const { id, type, data, metadata, isJson, streamId, revision, created } = read.event;
      assert.deepEqual(
        { id, type, data, metadata },
        {
          id: written.id,
          type: written.type,
          data: written.data,
          metadata: written.metadata,
        },
      );
      assert.deepEqual({ isJson, streamId, revision }, { isJson: true, streamId: stream, revision: 0n });
      assert.ok(Math.abs(created.getTime() - before) < 60_000, `created ${created.toISOString()}`);
    },
  },
  {
    name: 'append: keeps binary data and metadata byte for byte',
    run: async (client) => {
      const stream = newStream();
      const data = Uint8Array.from({ length: 256 }, (_, i) => i);
      await client.appendToStream(stream, binaryEvent({ type: 'Bytes', data, metadata: Uint8Array.of(255, 0, 254) }));
      const [read] = await collect(client.readStream(stream));
      assert.ok(read?.event);
      assert.equal(read.event.isJson, false);
      assert.deepEqual(Buffer.from(read.event.data as Uint8Array), Buffer.from(data));
      assert.deepEqual([...(read.event.metadata as Uint8Array)], [255, 0, 254]);
    },
  },
  {
    name: 'append: accepts stream names of any script and punctuation',
    run: async (client) => {
      for (const name of ['гостиница', 'hôtel/1?x=y#z', 'a@b', '💥', 'with space', 'x'.repeat(300)]) {
        const stream = newStream(name);
        await client.appendToStream(stream, event(1), { expectedRevision: NO_STREAM });
        const [read] = await collect(client.readStream(stream));
        assert.equal(read?.event?.streamId, stream);
      }
    },
  },
  {
    name: 'append: accepts event ids in every form of a UUID, and shows them with hyphens',
    run: async (client) => {
      const id = randomUUID();
      const digits = id.replaceAll('-', '');
      for (const form of [digits, id.toUpperCase(), `{${id}}`, `(${id})`, digits.toUpperCase()]) {
        const stream = newStream();
        await client.appendToStream(stream, jsonEvent({ id: form, type: 'Happened', data: { n: 0 } }));
        const [read] = await collect(client.readStream(stream));
        assert.equal(read?.event?.id, id);
      }
    },
  },
  {
    name: 'append: an empty one writes nothing and returns a position',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 2);
      const { nextExpectedRevision, position } = await client.appendToStream(stream, [], { expectedRevision: 1n });
      assert.equal(nextExpectedRevision, 1n);
      assert.ok(position);
      assert.equal((await collect(client.readStream(stream))).length, 2);
    },
  },
  {
    name: 'append: refuses an empty event type, a nil id and a revision beyond the last',
    run: async (client) => {
      const stream = newStream();
      const nil = '00000000-0000-0000-0000-000000000000';
      await assert.rejects(client.appendToStream(stream, event(0, '')));
      await assert.rejects(client.appendToStream(stream, jsonEvent({ id: nil, type: 'Happened', data: {} })));
      await assert.rejects(client.appendToStream(stream, event(0), { expectedRevision: 2n ** 63n }));
      await client.appendToStream(stream, event(0), { expectedRevision: NO_STREAM });
    },
  },
  {
    name: 'append: any succeeds at every revision',
    run: async (client) => {
      const stream = newStream();
      await client.appendToStream(stream, event(0), { expectedRevision: ANY });
      const { nextExpectedRevision } = await client.appendToStream(stream, event(1), { expectedRevision: ANY });
      assert.equal(nextExpectedRevision, 1n);
    },
  },
  {
    name: 'append: no_stream is refused on a stream that exists',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 2);
      const attempt = client.appendToStream(stream, event(9), { expectedRevision: NO_STREAM });
      const { streamName, expectedVersion, actualVersion } = await refused(attempt, WrongExpectedVersionError);
      assert.deepEqual(
        { streamName, expectedVersion, actualVersion },
        {
          streamName: stream,
          expectedVersion: NO_STREAM,
          actualVersion: 1n,
        },
      );
    },
  },
  {
    name: 'append: an exact revision is refused when the stream is behind or ahead',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 3);
      for (const expectedRevision of [0n, 1n, 3n, 100n]) {
        const attempt = client.appendToStream(stream, event(9), { expectedRevision });
        const error = await refused(attempt, WrongExpectedVersionError);
        assert.equal(error.expectedVersion, expectedRevision);
        assert.equal(error.actualVersion, 2n);
      }
      assert.deepEqual(await numbersIn(client.readStream(stream)), [0, 1, 2]);
    },
  },
  {
    name: 'append: an exact revision is refused without a stream',
    run: async (client) => {
      const attempt = client.appendToStream(newStream(), event(0), { expectedRevision: 5n });
      const error = await refused(attempt, WrongExpectedVersionError);
      assert.equal(error.actualVersion, NO_STREAM);
    },
  },
  {
    name: 'append: stream_exists is refused without a stream, and accepted with one',
    run: async (client) => {
      const stream = newStream();
      const attempt = client.appendToStream(stream, event(0), { expectedRevision: STREAM_EXISTS });
      const error = await refused(attempt, WrongExpectedVersionError);
      assert.equal(error.expectedVersion, STREAM_EXISTS);
      await fill(client, stream, 1);
      const taken = await client.appendToStream(stream, event(1), { expectedRevision: STREAM_EXISTS });
      assert.equal(taken.nextExpectedRevision, 1n);
    },
  },
  {
    name: 'append: exactly one of many with the same expected revision succeeds',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 1);
      const attempts = Array.from({ length: 50 }, (_, n) =>
        client.appendToStream(stream, event(n), { expectedRevision: 0n }),
      );
      const outcomes = await Promise.allSettled(attempts);
      const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
      assert.equal(lost.length, 49);
      assert.ok(lost.every(({ reason }) => reason instanceof WrongExpectedVersionError));
      assert.equal((await collect(client.readStream(stream))).length, 2);
    },
  },
  {
    name: 'append: several events are written together even when they are sent in pieces',
    run: async (client) => {
      const stream = newStream();
      const [whole, late] = [events(50), event(99)];
      await Promise.all([
        client.appendToStream(stream, whole, { batchAppendSize: 200 }),
        client.appendToStream(stream, late),
      ]);
      const found = await numbersIn(client.readStream(stream));
      assert.deepEqual(
        found.filter((n) => n !== 99),
        whole.map((_, n) => n),
      );
      assert.ok(found[0] === 99 || found.at(-1) === 99, 'another append came in between');
    },
  },
  {
    name: 'append: more than the limit is refused and writes nothing',
    run: async (client) => {
      const stream = newStream();
      const large = (n: number) => jsonEvent({ type: 'Large', data: { text: 'x'.repeat(600 * 1024), n } });
      for (const options of [{}, { credentials }]) {
        const attempt = client.appendToStream(stream, [large(0), large(1)], options);
        const error = await refused(attempt, MaxAppendSizeExceededError);
        assert.equal(error.maxAppendSize, 1024 * 1024);
      }
      await client.appendToStream(stream, large(2), { expectedRevision: NO_STREAM });
    },
  },
  {
    name: 'append: the call for a single append behaves the same',
    run: async (client) => {
      const stream = newStream();
      const options = { credentials, expectedRevision: NO_STREAM } as const;
      const written = await client.appendToStream(stream, events(2), options);
      assert.equal(written.nextExpectedRevision, 1n);
      assert.ok(written.position);
      const error = await refused(client.appendToStream(stream, event(9), options), WrongExpectedVersionError);
      assert.deepEqual([error.expectedVersion, error.actualVersion], [NO_STREAM, 1n]);
      const missing = client.appendToStream(newStream(), event(9), { credentials, expectedRevision: STREAM_EXISTS });
      assert.equal((await refused(missing, WrongExpectedVersionError)).actualVersion, NO_STREAM);
    },
  },
];
