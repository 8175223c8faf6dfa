/** What sellers say of their listings is encrypted with the key of the seller, and goes with it, also what is older than it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AnyEvent, Recorded } from '../../domain/core/decider.ts';
import { ERASED, HIDDEN } from '../../domain/core/schema.ts';
import { allEvents } from '../../domain/modules.ts';
import type { StoredEvent } from '../../eventstore/client/index.ts';
import { type CodecKeys, createCodec } from '../../eventstore/codec.ts';
import { decodeToShow } from '../../eventstore/history.ts';
import { encryptAt } from '../../eventstore/personalTexts.ts';
import { sellerOf } from '../../eventstore/sellerKeys.ts';
import type { PersonKey } from '../../eventstore/vault.ts';
import { hotelAdded, hotelDetails, hotelId, ownerId, roomAdded, roomDetails } from '../catalog/catalogFixtures.ts';
import {
  companyDetails,
  fixed,
  instructorDetails,
  restaurantDetails,
  tourDetails,
  transferDetails,
} from '../catalog/listingFixtures.ts';
import { contextOf } from '../kit/context.ts';

const keysInMemory = () => {
  const all = new Map<string, PersonKey>();
  const keys: CodecKeys = {
    keysToRead: async (ids) => new Map([...ids].flatMap((id) => (all.has(id) ? [[id, all.get(id) as PersonKey]] : []))),
    keyToWrite: async (id) => {
      if (!all.has(id)) all.set(id, randomBytes(32));
      return all.get(id) as PersonKey;
    },
  };
  return { all, codec: createCodec(allEvents, keys) };
};

const storedAs = (stream: string, events: readonly object[]) =>
  events.map((event, n) => ({ ...event, stream, revision: BigInt(n), position: { commit: 1n, prepare: 1n } }));
/** As a release wrote it that had no keys of sellers. */
const ofBefore = async ({ codec }: ReturnType<typeof keysInMemory>, stream: string, { type, data }: AnyEvent) => {
  const [one] = await codec.encode(stream, [{ type, data }], contextOf('system', 'system'));
  return storedAs(stream, [{ ...one, data, metadata: { ...one?.metadata, schema: 1 } }]) as StoredEvent[];
};
const added = (name: string, details: object) => ({ type: `${name}Added`, data: { ...fixed, ...details } });
const all: readonly AnyEvent[] = [
  hotelAdded,
  roomAdded,
  added('Tour', tourDetails),
  added('Restaurant', restaurantDetails),
  added('Transfer', transferDetails),
  added('Instructor', instructorDetails),
  added('Company', companyDetails),
];

/** The words and numbers of places in details, without choices, ids, days and times. */
const wordsIn = (value: unknown, name = ''): string[] => {
  if (typeof value === 'string') return /\s|^https|^[A-Z][a-z]+$/.test(value) ? [value] : [];
  if (typeof value === 'number') return /latitude|longitude/.test(name) ? [String(value)] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => wordsIn(inner, key));
};

describe.each(all.map((event) => [event.type, event] as const))('%s', (type, event) => {
  const stream = `some-${randomUUID()}`;
  const owner = (event.data as { ownerId: string }).ownerId;

  it('is stored without a word of the seller, read as it was, and erased with the key', async () => {
    const { all: keys, codec } = keysInMemory();
    const stored = storedAs(stream, await codec.encode(stream, [event], contextOf('system', 'system')));
    const { timezone: _, ...data } = event.data as { timezone?: string };
    const words = wordsIn(data);
    expect(words).not.toEqual([]);
    for (const word of words)
      expect(JSON.stringify(stored[0], (_key, value) => (typeof value === 'bigint' ? 0 : value))).not.toContain(word);
    expect((await codec.decode(stored as StoredEvent[]))[0]?.data).toEqual(event.data);
    keys.set(sellerOf(owner), 'erased');
    const [gone] = await codec.decode(stored as StoredEvent[]);
    expect(gone).toMatchObject({ type, data: { name: ERASED } });
    for (const word of words) expect(JSON.stringify(gone?.data)).not.toContain(word);
  });

  it('is shown to auditors for a reason that is recorded for the owner, whatever key encrypted it', async () => {
    const { codec } = keysInMemory();
    const written = storedAs(stream, await codec.encode(stream, [event], contextOf('system', 'system')));
    const { timezone: _, ...data } = event.data as { timezone?: string };
    for (const stored of [written as StoredEvent[], await ofBefore(keysInMemory(), stream, event)]) {
      if (type === 'InstructorAdded' && stored !== written) continue; // its name had the person's own key
      const [read] = await codec.decode(stored);
      const { event: concealed, people } = codec.conceal(read as Recorded);
      expect(people).toEqual([owner]);
      for (const word of wordsIn(data)) expect(JSON.stringify(concealed.data)).not.toContain(word);
    }
  });

  it('of before is read in plain, and erased with the key of the seller, or of an owner who was erased before', async () => {
    const memory = keysInMemory();
    const before = await ofBefore(memory, stream, event);
    if (type === 'InstructorAdded') {
      const place = (field: string) => ({ event: before[0]?.id ?? '', field, person: owner });
      const key = randomBytes(32);
      memory.all.set(owner, key);
      for (const field of ['name', 'description'])
        Object.assign(before[0] as object, {
          data: { ...before[0]?.data, [field]: encryptAt(key, String(before[0]?.data[field]), place(field)) },
        });
    }
    expect((await memory.codec.decode(before))[0]?.data).toEqual(event.data);
    const words = wordsIn({ ...event.data, timezone: null });
    for (const id of [sellerOf(owner), owner]) {
      const after = keysInMemory();
      for (const [known, key] of memory.all) if (known !== sellerOf(owner)) after.all.set(known, key);
      after.all.set(id, 'erased');
      const [gone] = await after.codec.decode(before);
      expect(gone?.data).toMatchObject('city' in event.data ? { city: ERASED } : { name: ERASED });
      const own = type === 'InstructorAdded' && id !== owner ? ['name', 'description'] : [];
      const left = JSON.stringify(Object.entries(gone?.data ?? {}).filter(([name]) => !own.includes(name)));
      for (const word of words) expect(left).not.toContain(word);
    }
  });
});

it('a room of before, which names no owner, is read in plain', async () => {
  const memory = keysInMemory();
  const { ownerId: _, ...data } = roomAdded.data;
  const before = await ofBefore(memory, `room-${hotelId}`, { type: 'RoomAdded', data: roomAdded.data });
  const [read] = await memory.codec.decode([{ ...(before[0] as StoredEvent), data }]);
  expect(read?.data).toEqual(data);
  expect(data).toMatchObject(roomDetails);
  const { event, people } = memory.codec.conceal(read as Recorded);
  expect(event.data).toMatchObject({ name: HIDDEN, units: roomDetails.units });
  expect(people).toEqual([]);
});

it.each(Object.keys(allEvents).filter((type) => type.endsWith('DetailsChanged')))(
  'a %s that changes no detail, which makes edits of others outdated, is stored and read, and tells nothing of anybody',
  async (type) => {
    const { codec } = keysInMemory();
    const event = { type, data: { ownerId } };
    const stored = storedAs('some-1', await codec.encode('some-1', [event], contextOf('system', 'system')));
    const [read] = await codec.decode(stored as StoredEvent[]);
    expect(read?.data).toEqual({ ownerId });
    expect(codec.conceal(read as Recorded).people).toEqual([]);
  },
);

it('an event that cannot be read is shown without its data, and is about nobody', async () => {
  const { codec } = keysInMemory();
  const [encoded] = await codec.encode('hotel-1', [hotelAdded], contextOf('system', 'system'));
  const stored = storedAs('hotel-1', [{ ...encoded, data: { ownerId: 1 } }]) as StoredEvent[];
  const [shown] = await decodeToShow(codec, stored);
  expect(codec.conceal(shown as Recorded)).toMatchObject({
    event: { data: { unreadable: expect.any(String) } },
    people: [],
  });
});

it('nothing is written in words once the seller is erased, also where the seller had no key yet', async () => {
  for (const id of [sellerOf(ownerId), ownerId]) {
    const { all: keys, codec } = keysInMemory();
    keys.set(id, 'erased');
    const [stored] = await codec.encode(`hotel-${hotelId}`, [hotelAdded], contextOf('system', 'system'));
    expect(stored?.data).toMatchObject({ name: ERASED, location: null, images: [{ url: ERASED, isMain: true }] });
    expect(JSON.stringify(stored)).not.toContain(hotelDetails.name);
  }
});
