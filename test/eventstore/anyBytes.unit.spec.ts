/** Whatever bytes an event has, it is read or refused by itself, and can be copied. */
import { randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventDeclarations } from '../../domain/core/decider.ts';
import { Personal } from '../../domain/core/schema.ts';
import { isStorable } from '../../domain/core/storable.ts';
import { toStored } from '../../eventstore/client/stored.ts';
import { type CodecKeys, createCodec } from '../../eventstore/codec.ts';
import { concealedEvents } from '../../eventstore/concealed.ts';
import { isStorableName } from '../../eventstore/eventNames.ts';
import { decodeToShow } from '../../eventstore/history.ts';
import '../kit/random.ts';

const declarations = {
  Counted: { data: Type.Object({ n: Type.Number(), text: Type.Optional(Type.String()) }) },
  Named: { data: Type.Object({ guestId: Type.String(), name: Personal(Type.String()) }), person: 'guestId' },
  Renamed: { data: Type.Object({ n: Type.Number() }), upcast: [(data) => ({ n: (data as { a: { n: 1 } }).a.n })] },
} satisfies EventDeclarations;

const metadata = {
  $correlationId: 'correlation',
  $causationId: 'causation',
  commandId: 'command',
  actor: { kind: 'user', id: 'guest', role: 'guest' },
  ip: 'enc:2:AAAA',
  at: '2026-01-01T00:00:00.000Z',
  schema: 1,
  format: 1,
};

/** As PostgreSQL does, it fails for all ids together when it cannot take one of them. */
const keys: CodecKeys = {
  keyToWrite: async () => 'erased',
  keysToRead: async (ids) => {
    for (const id of ids) if (!isStorable(id)) throw new Error(`invalid byte sequence: ${JSON.stringify(id)}`);
    return new Map();
  },
};
const codec = createCodec(declarations, keys);

/** As the client returns it: JSON, the text of what should be JSON and is not, or bytes. */
const readRaw = (data: unknown, about: unknown, type: string, streamId: string) =>
  toStored({
    event: {
      id: randomUUID(),
      type,
      streamId,
      revision: 0n,
      data,
      metadata: about,
      isJson: true,
      created: new Date(0),
    },
  } as never);
const read = (data: unknown, about: unknown = metadata, type = 'Counted', stream = 'counter-1') =>
  readRaw(data, about, type, stream);

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('an event that is read', () => {
  it.each<[string, unknown, unknown]>([
    ['bytes of no text', Uint8Array.of(255, 0, 254), '/wD+'],
    ['bytes of a text', Buffer.from('{"n":1}'), '{"n":1}'],
    ['text that is no JSON', '{"n":', '{"n":'],
    ['a number beyond all numbers', JSON.parse('{"n":[1e400,-1e400,"1"]}'), '{"n":[1e400,-1e400,"1"]}'],
    ['a large number', JSON.parse('{"n":1180591620717411303424}'), { n: 2 ** 70 }],
    ['a minus before zero', JSON.parse('{"n":-0}'), { n: -0 }],
    ['very deep values', deep(20_000), '['.repeat(20_000) + ']'.repeat(20_000)],
    ['null', null, null],
  ])('with %s as data has a JSON value', (_, data, expected) => {
    expect(read(data)).toMatchObject([{ data: expected }]);
  });

  it('has no metadata where there is none that a copy could have', () => {
    for (const about of [undefined, null, 0, '', false])
      expect(readRaw({}, about, 'Counted', 'counter-1')[0]?.metadata).toBeUndefined();
    expect(read({}, Uint8Array.of(255))[0]?.metadata).toBe('/w==');
  });

  it('has only texts that can be stored, also as names of values', async () => {
    const { events } = await codec.decodeEach(read({ n: 1, text: 'a\u0000b\ud800', 'x\u0000': 1 }));
    expect(events).toMatchObject([{ data: { n: 1, text: 'ab\ufffd', x: 1 } }]);
  });

  it.each<[string, ReturnType<typeof read>, string]>([
    ['data that is null', read(null), 'no JSON object'],
    ['data that is a list', read([1]), 'no JSON object'],
    ['data that is null and names a person', read(null, metadata, 'Named'), 'no JSON object'],
    ['a number beyond all numbers', read(JSON.parse('{"n":1e400}')), 'no JSON object'],
    ['values that no step expects', read({ a: null }, metadata, 'Renamed'), 'cannot be upcast'],
    ['a stream that cannot be named', read({ n: 1 }, metadata, 'Counted', 'counter-\u0000'), 'a stream whose name'],
    ['a stream with a name of 1,000 characters', read({ n: 1 }, metadata, 'Counted', '😀'.repeat(500)), 'too long'],
    ['a type that cannot be named', read({ n: 1 }, metadata, 'Cou\u0000nted'), 'unknown event type'],
  ])('with %s is the only one that cannot be read', async (_, bad, reason) => {
    const { events, unreadable } = await codec.decodeEach([...bad, ...read({ n: 1 })]);
    expect(events).toMatchObject([{ data: { n: 1 } }]);
    expect(unreadable).toMatchObject([{ reason: expect.stringContaining(reason) }]);
    expect([unreadable[0]?.event.stream, unreadable[0]?.event.type].every((name) => isStorableName(name ?? '\0'))).toBe(
      true,
    );
  });

  it('has another name in the database than every other one whose name cannot be stored', async () => {
    const streams = ['a-\u0000', 'a-\u0000\u0000', 'a-', 'x'.repeat(2_000), 'x'.repeat(2_001)];
    const { unreadable } = await codec.decodeEach(streams.flatMap((stream) => read(null, metadata, 'Counted', stream)));
    expect(new Set(unreadable.map(({ event }) => event.stream)).size).toBe(streams.length);
  });
});

/** Texts of all kinds: with U+0000, halves of characters, signs, and those that mean something to our own code. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '-',
    '%',
    '\u0000',
    '\ud800',
    '😀',
    '__proto__',
    'constructor',
    'enc:2:',
    '[erased]',
    'x'.repeat(3_000),
  ),
);
const json = fc.oneof(
  fc.json().map((source): unknown => JSON.parse(source)),
  fc.constantFrom<unknown>(null, [], {}, 0, '', true, JSON.parse('[1e400]'), deep(5_000), 2 ** 70, -0),
  text,
  fc.uint8Array().map((bytes) => Uint8Array.from(bytes)),
);
const near = <T extends object>(whole: T, names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), json, { maxKeys: 2 }).map((changes) => ({ ...whole, ...changes }));
const event = fc.record({
  type: fc.oneof(fc.constantFrom('Counted', 'Named', 'Renamed'), text),
  stream: fc.oneof(fc.constantFrom('counter-1', 'counter'), text),
  data: fc.oneof(
    near({ n: 1, guestId: 'guest', name: 'enc:2:AAAA', a: { n: 1 } }, ['n', 'guestId', 'name', 'a', 'text']),
    json,
  ),
  metadata: fc.oneof(near(metadata, [...Object.keys(metadata), 'actor']), json, fc.constant(undefined)),
});

describe('events of any bytes', () => {
  it('are read or refused each by itself, shown, and the same when they were written again', async () => {
    await fc.assert(
      fc.asyncProperty(event, async ({ type, stream, data, metadata: about }) => {
        const stored = readRaw(data, about, type, stream);
        const { events, unreadable } = await codec.decodeEach([...stored, ...read({ n: 1 })]);
        expect(events.length + unreadable.length).toBe(stored.length + 1);
        expect(events.at(-1)?.data).toEqual({ n: 1 });
        for (const { event: bad, reason } of unreadable)
          expect([bad.stream, bad.type, reason].filter((name) => !isStorable(name))).toEqual([]);
        for (const good of events) expect(JSON.stringify(good.data)).not.toMatch(/\\u0000|\\ud[89a-f]/);
        const shown = concealedEvents(codec, await decodeToShow(codec, stored));
        expect(JSON.parse(JSON.stringify(shown.open))).toEqual(shown.open);
        for (const { data: written, metadata: beside } of stored) {
          const again = readRaw(
            JSON.parse(JSON.stringify(written)),
            beside && JSON.parse(JSON.stringify(beside)),
            type,
            stream,
          );
          expect(JSON.stringify([again[0]?.data, again[0]?.metadata])).toBe(JSON.stringify([written, beside]));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
