/** Encoding and decoding of events on a real log: validation, encryption and older versions. */
import { randomUUID, type UUID } from 'node:crypto';
import path from 'node:path';
import { binaryEvent, EventStoreDBClient } from '@eventstore/db-client';
import { Type } from '@sinclair/typebox';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnyEvent, EventDeclarations, EventMeta } from '../../domain/core/decider.ts';
import { ERASED, Nullable, Personal, PersonalValue, UNREADABLE, Uuid } from '../../domain/core/schema.ts';
import type { NewEvent } from '../../eventstore/client/index.ts';
import { type Codec, CodecError, createCodec } from '../../eventstore/codec.ts';
import { readHistory, shownEvent } from '../../eventstore/history.ts';
import { encryptAt, encryptField } from '../../eventstore/personalTexts.ts';
import { createVault, encryptText, VaultError } from '../../eventstore/vault.ts';
import { metrics } from '../../infra/metrics.ts';
import { expectAllUpcasts, readGolden } from '../kit/golden.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

const PersonalText = Personal(Type.String());
const GOLDEN = path.resolve(import.meta.dirname, 'golden');

const declarations = {
  GuestNamed: {
    data: Type.Object({
      guestId: Uuid,
      fullName: PersonalText,
      contact: Type.Object({ email: Nullable(PersonalText) }),
      notes: Type.Array(Type.Object({ text: PersonalText, pinned: Type.Boolean() })),
      nights: Type.Integer(),
    }),
    person: 'guestId',
    upcast: [
      ({ guest, nights, ...rest }) => ({ ...rest, guestId: guest, nights: Number(nights) }),
      ({ name, email, ...rest }) => ({ ...rest, fullName: name, contact: { email }, notes: [] }),
    ],
  },
  Located: {
    data: Type.Object({
      position: PersonalValue(Type.Object({ lat: Type.Number(), lon: Type.Number() })),
      accuracy: Type.Optional(PersonalValue(Type.Number({ minimum: 0 }))),
      legs: Type.Array(Type.Object({ heights: PersonalValue(Type.Array(Type.Integer())) })),
      note: Type.Optional(PersonalText),
    }),
    person: 'stream',
    upcast: [({ at, ...rest }) => ({ ...rest, position: at })],
  },
  Renamed: { data: Type.Object({ name: Type.Optional(PersonalText) }), person: 'stream' },
  Counted: { data: Type.Object({ n: Type.Integer() }) },
} satisfies EventDeclarations;

const meta = (commandId = randomUUID()): EventMeta => ({
  correlationId: randomUUID(),
  causationId: randomUUID(),
  commandId,
  actor: { kind: 'user', id: randomUUID(), role: 'tourist' },
  ip: '192.0.2.7',
  at: '2026-02-03T04:05:06.789Z',
});

const named = (guestId: string, fullName = 'Anna Berg'): AnyEvent => ({
  type: 'GuestNamed',
  data: {
    guestId,
    fullName,
    contact: { email: 'anna@example.org' },
    notes: [
      { text: 'late arrival', pinned: true },
      { text: '', pinned: false },
    ],
    nights: 3,
  },
});

let stores: Stores;
let codec: Codec;
beforeAll(async () => {
  stores = await freshStores();
  codec = createCodec(declarations, stores.vault);
});

const aStream = () => `guest-${randomUUID()}`;
const write = async (events: readonly AnyEvent[], stream = aStream()) => {
  await stores.store.append(stream, await codec.encode(stream, events, meta()), 'no_stream');
  return stream;
};
const raw = (stream: string) => stores.store.read(stream);
const read = async (stream: string, as: Codec = codec) => as.decode(await raw(stream));
/** Writes without the codec, as another program might. */
const writeRaw = async (...events: readonly Partial<NewEvent>[]) => {
  const stream = aStream();
  const [base] = await codec.encode(stream, [{ type: 'Counted', data: { n: 1 } }], { ...meta(), ip: null });
  if (!base) throw new Error('an event');
  const appended = events.map((event) => ({ ...base, id: randomUUID(), ...event }));
  await stores.store.append(stream, appended as NewEvent[], 'no_stream');
  return stream;
};

describe('an event', () => {
  it('is read as it was written, with complete metadata', async () => {
    const about = meta();
    const stream = aStream();
    const event = named(randomUUID());
    const [encoded] = await codec.encode(stream, [event], about);
    const { position } = await stores.store.append(stream, encoded ? [encoded] : [], 'no_stream');
    const [category, ...id] = stream.split('-');
    expect(await read(stream)).toEqual([
      {
        ...event,
        id: encoded?.id,
        stream,
        category,
        streamId: id.join('-'),
        revision: 0n,
        position,
        at: about.at,
        meta: about,
      },
    ]);
    expect((await raw(stream))[0]?.metadata).toMatchObject({
      $correlationId: about.correlationId,
      $causationId: about.causationId,
      schema: 3,
    });
  });

  it('is stored without what no read model could take: U+0000, and half of a character', async () => {
    const event = named(randomUUID(), `A\u0000nna ${'🏔'.slice(0, 1)}`);
    const [shown] = await read(await write([event]));
    expect(shown?.data).toMatchObject({ fullName: 'Anna \ufffd' });
  });

  it('has an id that derives from command, stream and index', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const ids = async (stream: string, commandId: UUID) =>
      (
        await codec.encode(
          stream,
          [
            { type: 'Counted', data: { n: 1 } },
            { type: 'Counted', data: { n: 2 } },
          ],
          meta(commandId),
        )
      ).map(({ id }) => id);
    const all = [...(await ids('guest-1', a)), ...(await ids('guest-1', b)), ...(await ids('guest-2', a))];
    expect(new Set(all).size).toBe(6);
    expect(await ids('guest-1', a)).toEqual(all.slice(0, 2));
  });

  it.each([
    ['a type that nobody declared', { type: 'Guessed', data: {} }, 'unknown event type Guessed'],
    ['a missing field', { type: 'Counted', data: {} }, 'n'],
    ['a fraction', { type: 'Counted', data: { n: 1.5 } }, '/n must be integer'],
    ['a BigInt', { type: 'Counted', data: { n: 1n } }, '/n must be integer'],
    ['no person', { type: 'GuestNamed', data: {} }, 'guestId'],
  ])('is not written with %s', async (_, event, detail) => {
    const encoding = codec.encode(aStream(), [event], meta());
    await expect(encoding).rejects.toThrow(CodecError);
    await expect(encoding).rejects.toThrow(detail);
  });

  it.each<[string, Partial<NewEvent>, string]>([
    ['a type that nobody declared', { type: 'Guessed' }, 'unknown event type Guessed'],
    ['another shape', { data: { n: 'one' } }, '/n must be integer'],
    ['a version of the future', { metadata: { ...metadataOf(meta()), schema: 2 } }, 'newer than this program'],
    ['no metadata', { metadata: {} as never }, 'has invalid metadata'],
  ])('is not read with %s', async (_, event, detail) => {
    const stream = await writeRaw({}, event);
    await expect(read(stream)).rejects.toThrow(CodecError);
    await expect(read(stream)).rejects.toThrow(detail);
  });

  it('is rejected, not skipped, when it is not JSON', async () => {
    const stream = aStream();
    const other = EventStoreDBClient.connectionString(stores.eventStore);
    await other.appendToStream(stream, [binaryEvent({ type: 'Counted', data: Buffer.from('{"n":1}') })]);
    await other.dispose();
    expect(await raw(stream)).toHaveLength(1);
    await expect(read(stream)).rejects.toThrow(CodecError);
  });

  it('that cannot be read stops no other one, and is shown with the reason', async () => {
    const stream = await writeRaw({}, { type: 'Guessed' }, {}, { metadata: {} as never }, { data: { n: 'one' } });
    const { events, unreadable } = await codec.decodeEach(await raw(stream));
    expect(events.map(({ revision }) => revision)).toEqual([0n, 2n]);
    expect(unreadable).toMatchObject([
      { event: { revision: 1n }, reason: 'unknown event type Guessed', isDeclared: false },
      { event: { revision: 3n }, isDeclared: true },
      { event: { revision: 4n }, isDeclared: true },
    ]);
    const history = await readHistory({ store: stores.store, codec }, stream, { from: 0, max: 10 });
    expect(history.map((event) => shownEvent(event).data)).toMatchObject([
      { n: 1 },
      { unreadable: 'unknown event type Guessed' },
      { n: 1 },
      { unreadable: expect.stringContaining('invalid metadata') },
      { unreadable: expect.stringContaining('does not fit') },
    ]);
  });

  it('is left out undecoded when its type is not requested', async () => {
    const stream = await writeRaw({ type: 'Guessed' }, {}, { data: { n: 'one' }, type: 'Renamed' });
    const events = await codec.decode(await raw(stream), new Set(['Counted']));
    expect(events).toMatchObject([{ type: 'Counted', revision: 1n }]);
  });
});

describe('an older version', () => {
  it('has a golden file', () => expectAllUpcasts(GOLDEN, declarations));

  it.each([1, 2])('%i is read as the newest, personal data included', async (version) => {
    const golden = readGolden(GOLDEN, 'GuestNamed', version);
    const id = randomUUID();
    const guestId = randomUUID();
    const key = await stores.vault.keyToWrite(guestId);
    const { name, email } = golden.stored;
    const stream = await writeRaw({
      id,
      type: 'GuestNamed',
      data: {
        ...golden.stored,
        [version === 1 ? 'guest' : 'guestId']: guestId,
        name: encryptText(key, String(name), id),
        email: typeof email === 'string' ? encryptText(key, email, id) : email,
      },
      metadata: { ...metadataOf(meta()), schema: version },
    });
    expect(await read(stream)).toMatchObject([{ data: { ...golden.read, guestId } }]);
    await stores.vault.erase(guestId);
    const [{ data } = { data: undefined }] = await read(stream);
    expect(data).toMatchObject({ fullName: ERASED, nights: 3 });
  });
});

describe('the address of', () => {
  const IP = '192.0.2.7';
  const counted = { type: 'Counted', data: { n: 1 } };
  const writeBy = async (kind: EventMeta['actor']['kind'], ip: string | null, id: string = randomUUID()) => {
    const stream = aStream();
    const by = { ...meta(), actor: { kind, id, role: 'any' }, ip };
    await stores.store.append(stream, await codec.encode(stream, [counted], by), 'no_stream');
    const [stored] = await raw(stream);
    return { stream, id, stored: stored?.metadata.ip };
  };
  const readAddress = async (stream: string) => (await read(stream))[0]?.meta.ip;

  it('a user is encrypted with the key of that user, and read as it was', async () => {
    const { stream, stored } = await writeBy('user', IP);
    expect(stored).toMatch(/^enc:2:/);
    expect(await readAddress(stream)).toBe(IP);
  });

  it('a user is erased with the key, and no longer written', async () => {
    const { stream, id } = await writeBy('user', IP);
    await stores.vault.erase(id);
    expect(await readAddress(stream)).toBe(ERASED);
    const history = await readHistory({ store: stores.store, codec }, stream, { from: 0, max: 1 });
    expect(history.map(shownEvent)).toMatchObject([{ actor: { id }, ip: ERASED }]);
    const later = await writeBy('user', IP, id);
    expect(later.stored).toBe(ERASED);
    expect(await readAddress(later.stream)).toBe(ERASED);
  });

  it.each(['anonymous', 'partner', 'system', 'seed'] as const)('%s is shortened to its network', async (kind) => {
    for (const [ip, network] of [
      [IP, '192.0.2.0/24'],
      [`::ffff:${IP}`, '192.0.2.0/24'],
      ['2001:db8:1:2::7', '2001:db8:1::/48'],
      ['unknown', null],
    ] as const) {
      const { stream, stored } = await writeBy(kind, ip);
      expect(stored).toBe(network);
      expect(await readAddress(stream)).toBe(network);
    }
  });

  it('a missing address stays null', async () => {
    expect((await writeBy('user', null)).stored).toBeNull();
  });

  it('a user is refused when it was altered or moved to another event', async () => {
    const { stream } = await writeBy('user', IP);
    const [stored] = await raw(stream);
    for (const ip of [stored?.metadata.ip ?? '', IP]) {
      const moved = await writeRaw({ metadata: { ...(stored as NewEvent).metadata, ip } });
      await expect(read(moved)).rejects.toThrow(VaultError);
    }
  });

  it('a user is not decrypted for commands and policies', async () => {
    const { stream, id } = await writeBy('user', IP);
    await stores.pool.query('delete from ops.vault_keys where person_id = $1', [id]);
    const restarted = createCodec(declarations, createVault(stores.pool, Buffer.alloc(32, 7).toString('base64')));
    expect(await restarted.decodeWithoutAddress(await raw(stream))).toMatchObject([{ ...counted, meta: { ip: null } }]);
    expect(await read(stream, restarted)).toMatchObject([{ ...counted, meta: { ip: UNREADABLE } }]);
  });
});

describe('personal data', () => {
  const TEXTS = ['Anna Berg', 'anna@example.org', 'late arrival'];

  it('is not readable in the log', async () => {
    const stream = await write([named(randomUUID()), { type: 'Renamed', data: { name: 'Anna Berg' } }]);
    const stored = await raw(stream);
    const encrypted = expect.stringMatching(/^enc:2:[\w+/]+=*$/);
    expect(stored[0]?.data).toMatchObject({
      fullName: encrypted,
      contact: { email: encrypted },
      notes: [{ text: encrypted }, { text: encrypted }],
    });
    const whole = JSON.stringify(stored.map((event) => [event.data, event.metadata]));
    for (const text of TEXTS) expect(whole).not.toContain(text);
  });

  it('is encrypted differently each time', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(async () => raw(await write([named('0190d1f0-0000-7000-8000-000000000002')]))),
    );
    expect(one?.[0]?.data.fullName).not.toBe(two?.[0]?.data.fullName);
  });

  it('may be absent', async () => {
    const stream = await write([{ type: 'Renamed', data: {} }]);
    expect(await read(stream)).toMatchObject([{ data: {} }]);
  });

  it('is read as erased once its key is destroyed; other people are not affected', async () => {
    const [anna, boris] = [randomUUID(), randomUUID()];
    const stream = await write([named(anna), named(boris, 'Boris')]);
    await stores.vault.erase(anna);
    expect(await read(stream)).toMatchObject([
      {
        data: {
          guestId: anna,
          fullName: ERASED,
          contact: { email: ERASED },
          notes: [{ text: ERASED, pinned: true }, {}],
        },
      },
      { data: { guestId: boris, fullName: 'Boris' } },
    ]);
  });

  it('of an erased person is no longer written, but later events are', async () => {
    const guestId = randomUUID();
    const other = createCodec(declarations, createVault(stores.pool, Buffer.alloc(32, 7).toString('base64')));
    await other.encode(`guest-${guestId}`, [named(guestId)], meta()); // caches the key, and notices the erasure only later
    await stores.vault.erase(guestId);
    const stream = await write([named(guestId)]);
    const [stored] = await raw(stream);
    expect(stored?.data).toMatchObject({ guestId, fullName: ERASED, contact: { email: ERASED } });
    expect(await read(stream)).toMatchObject([{ data: { guestId, fullName: ERASED } }]);
    expect(await other.decode(await raw(stream))).toMatchObject([{ data: { guestId, fullName: ERASED } }]);
  });

  it('is rejected when it was moved to another event, altered or not encrypted', async () => {
    const guestId = randomUUID();
    const [stored] = await raw(await write([named(guestId)]));
    if (!stored) throw new Error('an event');
    const { data } = stored;
    const metadata = { ...stored.metadata, ip: null };
    const altered = `${String(data.fullName).slice(0, -8)}AAAAAAA=`;
    for (const tampered of [
      data,
      { ...data, fullName: altered },
      { ...data, fullName: 'enc:1:AAAA' },
      { ...data, fullName: 'Anna' },
    ]) {
      const stream = await writeRaw({ type: 'GuestNamed', metadata, data: tampered });
      await expect(read(stream)).rejects.toThrow(VaultError);
    }
    // Under another person's key it looks like a text whose key was lost: nobody can tell, and it is not read.
    const other = randomUUID();
    await stores.vault.keyToWrite(other);
    const elsewhere = await writeRaw({
      id: stored.id,
      type: 'GuestNamed',
      metadata,
      data: { ...data, guestId: other },
    });
    expect(await read(elsewhere)).toMatchObject([{ data: { fullName: UNREADABLE, contact: { email: UNREADABLE } } }]);
  });

  it('is bound to its field, also in older versions whose fields were renamed', async () => {
    const guestId = randomUUID();
    const id = randomUUID();
    const key = await stores.vault.keyToWrite(guestId);
    const at = (field: string, text: string) => encryptAt(key, text, { event: id, field, person: guestId });
    const older = { type: 'GuestNamed', metadata: { ...metadataOf(meta()), schema: 2 } };
    const data = { guestId, name: at('name', 'Anna'), email: at('email', 'a@example.org'), nights: 1 };
    const stream = await writeRaw({ id, ...older, data });
    expect(await read(stream)).toMatchObject([{ data: { fullName: 'Anna', contact: { email: 'a@example.org' } } }]);
    const swapped = await writeRaw({ id, ...older, data: { ...data, name: data.email, email: data.name } });
    await expect(read(swapped)).rejects.toThrow('moved');

    const [stored] = await raw(await write([named(guestId)]));
    if (!stored) throw new Error('an event');
    const { contact, fullName, ...rest } = stored.data as { contact: { email: string }; fullName: string };
    const moved = { ...rest, fullName: contact.email, contact: { email: fullName } };
    const metadata = { ...stored.metadata, ip: null };
    await expect(read(await writeRaw({ ...stored, metadata, data: moved }))).rejects.toThrow('moved');
  });

  describe('that is no text', () => {
    const position = { lat: 43.6781, lon: 40.2594 };
    const located = (data: object = {}): AnyEvent => ({
      type: 'Located',
      data: {
        position,
        accuracy: 0,
        legs: [{ heights: [560, 2320] }, { heights: null }],
        note: 'by the lift',
        ...data,
      },
    });

    it('is encrypted as a whole, and read as it was', async () => {
      const stream = await write([located(), located({ position: null, accuracy: undefined, note: undefined })]);
      const [first, second] = await raw(stream);
      const encrypted = expect.stringMatching(/^enc:2:/);
      expect(first?.data).toEqual({
        position: encrypted,
        accuracy: encrypted,
        legs: [{ heights: encrypted }, { heights: null }],
        note: encrypted,
      });
      expect(second?.data.position).toBeNull();
      expect((await read(stream)).map(({ data }) => data)).toEqual([
        located().data,
        expect.objectContaining({ position: null }),
      ]);
    });

    const forgotten = (note: string) => ({
      position: null,
      accuracy: null,
      legs: [{ heights: null }, { heights: null }],
      note,
    });

    it('is null once its key is destroyed, and is no longer written', async () => {
      const stream = await write([located()]);
      await stores.vault.erase(stream.slice('guest-'.length));
      expect(await read(stream)).toMatchObject([{ data: forgotten(ERASED) }]);
      const [later] = await codec.encode(stream, [located()], meta(), 0n);
      expect(later?.data).toEqual(forgotten(ERASED));
    });

    it('is null when its key is lost', async () => {
      const stream = await write([located()]);
      await stores.pool.query('delete from ops.vault_keys where person_id = $1', [stream.slice('guest-'.length)]);
      expect(await read(stream, restarted(Buffer.alloc(32, 7)))).toMatchObject([{ data: forgotten(UNREADABLE) }]);
    });

    /** Writes an event as it is stored, by the person of its stream. */
    const writeStored = async (schema: number, dataOf: (at: (field: string) => string | null) => object) => {
      const stream = aStream();
      const person = stream.slice('guest-'.length);
      const id = randomUUID();
      const key = await stores.vault.keyToWrite(person);
      const data = dataOf((field) => encryptField(key, position, false, { event: id, field, person }));
      const event = { id, type: 'Located', data, metadata: { ...metadataOf(meta()), schema } };
      await stores.store.append(stream, [event as NewEvent], 'no_stream');
      return stream;
    };

    it.each<[string, Parameters<typeof writeStored>[1]]>([
      ['not encrypted', () => ({ position, legs: [] })],
      ['moved to another field', (at) => ({ position: at('accuracy'), legs: [] })],
    ])('is rejected when it is %s', async (_, dataOf) => {
      const stream = await writeStored(2, dataOf);
      await expect(read(stream)).rejects.toThrow(VaultError);
    });

    it('is read in an older version, whose field was renamed', async () => {
      const stream = await writeStored(1, (at) => ({ at: at('at'), legs: [] }));
      expect(await read(stream)).toMatchObject([{ data: { position, legs: [] } }]);
    });
  });

  it('that 0.1.0 wrote is still read', async () => {
    const stream = aStream();
    const id = randomUUID();
    const key = await stores.vault.keyToWrite(stream.slice('guest-'.length));
    const event = { id, type: 'Renamed', data: { name: encryptText(key, 'Anna', id) }, metadata: metadataOf(meta()) };
    await stores.store.append(stream, [event], 'no_stream');
    expect(await read(stream)).toMatchObject([{ data: { name: 'Anna' } }]);
  });

  it('stays unreadable, and does not seem altered, when its lost key was replaced by a new one', async () => {
    const guestId = randomUUID();
    const stream = await write([named(guestId)]);
    await stores.pool.query('delete from ops.vault_keys where person_id = $1', [guestId]);
    const later = createVault(stores.pool, Buffer.alloc(32, 7).toString('base64'));
    await later.keyToWrite(guestId);
    expect(await read(stream, createCodec(declarations, later))).toMatchObject([{ data: { fullName: UNREADABLE } }]);
  });

  const restarted = (masterKey: Buffer): Codec =>
    createCodec(declarations, createVault(stores.pool, masterKey.toString('base64')));

  it('is rejected when the master key is wrong', async () => {
    const stream = await write([named(randomUUID())]);
    await expect(read(stream, restarted(Buffer.alloc(32, 8)))).rejects.toThrow('VAULT_MASTER_KEY is not the key');
  });

  it('reads as unreadable when its key is lost, and the loss is counted', async () => {
    const guestId = randomUUID();
    const stream = await write([named(guestId)]);
    await stores.pool.query('delete from ops.vault_keys where person_id = $1', [guestId]);
    const missing = async () => (await metrics.personalKeysMissing.get()).values[0]?.value ?? 0;
    const before = await missing();
    const contact = { email: UNREADABLE };
    expect(await read(stream, restarted(Buffer.alloc(32, 7)))).toMatchObject([
      { data: { guestId, fullName: UNREADABLE, contact, nights: 3 } },
    ]);
    expect(await missing()).toBe(before + 1);
  });

  it.each<[string, EventDeclarations, string]>([
    ['no person', { Named: { data: Type.Object({ name: PersonalText }) } }, 'names no person'],
    [
      'a field that may be a text or a number',
      {
        Named: {
          data: Type.Object({ at: Type.Union([PersonalText, PersonalValue(Type.Number())]) }),
          person: 'stream',
        },
      },
      'may be a text or another value: at',
    ],
    [
      'personal data in an unsupported place',
      { Named: { data: Type.Object({ names: Type.Record(Type.String(), PersonalText) }), person: 'stream' } },
      'in a place that the codec does not support',
    ],
  ])('cannot be declared with %s', (_, declared, detail) => {
    expect(() => createCodec(declared, stores.vault)).toThrow(detail);
  });
});

function metadataOf({ correlationId, causationId, ...rest }: EventMeta): NewEvent['metadata'] {
  return { $correlationId: correlationId, $causationId: causationId, ...rest, ip: null, schema: 1, format: 1 };
}
