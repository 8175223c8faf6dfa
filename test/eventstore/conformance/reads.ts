import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  BACKWARDS,
  binaryEvent,
  END,
  type Position,
  type ResolvedEvent,
  START,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { type Case, collect, event, fill, inAll, newStream, numbersIn, refused, tailOf } from './support.ts';

const positionOf = (found: { position?: Position } | undefined): Position => {
  assert.ok(found?.position, 'the position is missing');
  return found.position;
};

const link = (target: string, revision: number) =>
  binaryEvent({ id: randomUUID(), type: '$>', data: Buffer.from(`${revision}@${target}`) });

export const reads: readonly Case[] = [
  {
    name: 'read: a stream forwards, from a revision on, that one included',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 10);
      assert.deepEqual(await numbersIn(client.readStream(stream)), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      assert.deepEqual(await numbersIn(client.readStream(stream, { fromRevision: 7n })), [7, 8, 9]);
      assert.deepEqual(await numbersIn(client.readStream(stream, { fromRevision: 2n, maxCount: 3 })), [2, 3, 4]);
      assert.deepEqual(await numbersIn(client.readStream(stream, { fromRevision: 10n })), []);
    },
  },
  {
    name: 'read: a stream backwards, from a revision on, that one included',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 5);
      const back = { direction: BACKWARDS } as const;
      assert.deepEqual(await numbersIn(client.readStream(stream, { ...back, fromRevision: END })), [4, 3, 2, 1, 0]);
      assert.deepEqual(await numbersIn(client.readStream(stream, { ...back, fromRevision: 2n })), [2, 1, 0]);
      assert.deepEqual(await numbersIn(client.readStream(stream, { ...back, fromRevision: 99n, maxCount: 2 })), [4, 3]);
      assert.deepEqual(await numbersIn(client.readStream(stream, { ...back, fromRevision: START })), [0]);
    },
  },
  {
    name: 'read: a long stream is read completely and in order',
    run: async (client) => {
      const stream = newStream();
      for (let from = 0; from < 2000; from += 500) await fill(client, stream, 500, from);
      const all = Array.from({ length: 2000 }, (_, n) => n);
      assert.deepEqual(await numbersIn(client.readStream(stream)), all);
      const back = client.readStream(stream, { direction: BACKWARDS, fromRevision: END });
      assert.deepEqual(await numbersIn(back), all.reverse());
    },
  },
  {
    name: 'read: a stream that does not exist is not found',
    run: async (client) => {
      const stream = newStream();
      const error = await refused(collect(client.readStream(stream)), StreamNotFoundError);
      assert.equal(error.streamName, stream);
    },
  },
  {
    name: 'read: can be cancelled while it runs',
    run: async (client) => {
      const stream = newStream();
      await fill(client, stream, 500);
      const read = client.readStream(stream);
      for await (const { event } of read) {
        if (event?.revision === 3n) {
          await read.cancel();
          break;
        }
      }
      assert.deepEqual(await numbersIn(client.readStream(stream, { maxCount: 1 })), [0]);
    },
  },
  {
    name: 'read $all: forwards from a position includes its event, backwards does not',
    run: async (client) => {
      const stream = newStream();
      const tail = await tailOf(client);
      await fill(client, stream, 3);
      const own = await collect(client.readStream(stream));
      const all = await inAll(client, stream, tail);
      assert.deepEqual(
        all.map(({ event }) => event?.id),
        own.map(({ event }) => event?.id),
      );

      const middle = positionOf(all[1]?.event);
      const forwards = await collect(client.readAll({ fromPosition: middle }));
      assert.deepEqual(
        forwards.slice(0, 2).map(({ event }) => event?.id),
        all.slice(1).map(({ event }) => event?.id),
      );
      const [below] = await collect(client.readAll({ direction: BACKWARDS, fromPosition: middle, maxCount: 1 }));
      assert.equal(below?.event?.id, all[0]?.event?.id);
    },
  },
  {
    name: 'read $all: positions increase, and backwards is the reverse of forwards',
    run: async (client) => {
      const category = newStream('positions');
      // Others, such as projections, write meanwhile.
      const own = ({ event }: ResolvedEvent) => event?.streamId.startsWith(category) === true;
      const tail = await tailOf(client);
      await Promise.all(Array.from({ length: 20 }, (_, n) => client.appendToStream(`${category}-${n}`, event(n))));
      const forwards = (await collect(client.readAll({ fromPosition: tail }))).filter(own);
      const backwards: ResolvedEvent[] = [];
      for (let from: Position | typeof END = END; backwards.length < forwards.length; ) {
        const page = await collect(client.readAll({ direction: BACKWARDS, fromPosition: from, maxCount: 500 }));
        backwards.push(...page.filter(own));
        from = positionOf(page.at(-1)?.event);
      }
      assert.equal(forwards.length, 20);
      assert.deepEqual(
        forwards.map(({ event }) => event?.id),
        backwards.map(({ event }) => event?.id).reverse(),
      );
      const commits = forwards.map((found) => positionOf(found.event).commit);
      assert.ok(commits.every((commit, i) => i === 0 || commit > (commits[i - 1] ?? 0n)));
    },
  },
  {
    name: 'read $all: nothing before the start, nothing after the end',
    run: async (client) => {
      await fill(client, newStream(), 1);
      assert.deepEqual(await collect(client.readAll({ direction: BACKWARDS, fromPosition: START })), []);
      assert.deepEqual(await collect(client.readAll({ fromPosition: END })), []);
    },
  },
  {
    name: 'read: links are resolved on request',
    run: async (client) => {
      const [target, links] = [newStream(), newStream('links')];
      await fill(client, target, 3);
      await client.appendToStream(links, [link(target, 2), link(target, 0)]);
      const plain = await collect(client.readStream(links));
      assert.deepEqual(
        plain.map(({ event, link }) => [event?.type, link]),
        [
          ['$>', undefined],
          ['$>', undefined],
        ],
      );
      const resolved = await collect(client.readStream(links, { resolveLinkTos: true }));
      assert.deepEqual(
        resolved.map(({ event, link }) => [event?.streamId, event?.revision, link?.streamId, link?.revision]),
        [
          [target, 2n, links, 0n],
          [target, 0n, links, 1n],
        ],
      );
    },
  },
  {
    name: 'read: a link to -1 is the last event, and one that names none is a plain event',
    run: async (client) => {
      const [target, links] = [newStream(), newStream('links')];
      await fill(client, target, 3);
      const nonsense = binaryEvent({ id: randomUUID(), type: '$>', data: Buffer.from('nowhere') });
      await client.appendToStream(links, [link(target, -1), nonsense]);
      const resolved = await collect(client.readStream(links, { resolveLinkTos: true }));
      assert.deepEqual(
        resolved.map(({ event, link }) => [event?.streamId, event?.type, event?.revision, link?.type]),
        [
          [target, 'Happened', 2n, '$>'],
          [links, '$>', 1n, undefined],
        ],
      );
    },
  },
  {
    name: 'read: a link to a missing event has no event',
    run: async (client) => {
      const [target, links] = [newStream(), newStream('links')];
      await fill(client, target, 1);
      await client.appendToStream(links, [link(target, 7), link(newStream(), 0), link(target, 0)]);
      await client.deleteStream(target);
      const resolved = await collect(client.readStream(links, { resolveLinkTos: true }));
      assert.deepEqual(
        resolved.map(({ event, link }) => [event, link?.type]),
        [
          [undefined, '$>'],
          [undefined, '$>'],
          [undefined, '$>'],
        ],
      );
    },
  },
];
