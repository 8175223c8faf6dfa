/** Files of an erased person: those that show something of somebody else are not about the person, and stay. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { addListing } from '../../commands/catalog/listings.ts';
import { catalogPolicy } from '../../commands/catalog/ownedListings.ts';
import { addRoom } from '../../commands/catalog/rooms.ts';
import { createPost } from '../../commands/content/posts.ts';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { beginCertificate, certificateById, endCertificate } from '../../commands/core/certificates.ts';
import type { Policy } from '../../commands/core/policy.ts';
import { createDiskStore } from '../../commands/files/diskStore.ts';
import { removeErasedFiles } from '../../commands/files/erasure.ts';
import { FileMissing, type FileStore, FileStoreAway, keysOf } from '../../commands/files/fileStore.ts';
import { filePolicy } from '../../commands/files/policy.ts';
import { forgetRows } from '../../commands/files/unused.ts';
import { uploadFile } from '../../commands/files/uploads.ts';
import { archiveKey } from '../../commands/privacy/archives.ts';
import { createResortStory } from '../../commands/stories/resortStories.ts';
import { account } from '../../domain/accounts/account.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { type Recorded, streamName } from '../../domain/core/decider.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { file } from '../../domain/files/file.ts';
import type { FolderName } from '../../domain/files/folders.ts';
import { removeFormerFiles } from '../../ops/formerFiles.ts';
import { hotelDetails, roomDetails } from '../catalog/catalogFixtures.ts';
import { postContent } from '../content/postFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { deleteErasedBytes } from '../kit/toldOutside.ts';
import { attachFiles } from '../kit/uploads.ts';
import { photo } from './samples.ts';
import { startVersionedBucket, type VersionedBucket } from './versionedBucket.ts';

let stores: Stores;
let folder: string;
let fileStore: FileStore;
let node: Node;
let picture: Buffer;
beforeAll(async () => {
  stores = await freshStores();
  folder = await mkdtemp(path.join(tmpdir(), 'resort-erased-'));
  fileStore = createDiskStore(path.join(folder, 'files'));
  node = testDeps(stores, { fileStore, settings: { incomingDir: path.join(folder, 'incoming') } });
  picture = await photo(80, 60);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

let admin: string;
beforeEach(() => {
  admin = randomUUID();
});
const byAdmin = () => contextOf(admin, 'admin');
const upload = async (to: FolderName): Promise<string> => {
  const file = { ownerId: admin, sells: true, folder: to, announced: undefined };
  return (await uploadFile(node, contextOf(admin), file, (incoming) => writeFile(incoming, picture))).id;
};
const hotelOf = async (ownerId: string): Promise<{ readonly hotelId: string; readonly fileId: string }> => {
  const fileId = await upload('listings');
  const details = { ...hotelDetails, images: [{ fileId, isMain: true }] };
  const fixed = { ownerId, timezone: 'Europe/Moscow', currency: 'RUB' };
  return { hotelId: (await addListing(node, byAdmin(), listingKinds.hotel, { ...fixed, details })).id, fileId };
};
const roomIn = async (hotelId: string): Promise<{ readonly roomId: string; readonly fileId: string }> => {
  const fileId = await upload('listings');
  const { basePriceMinor: _, ...details } = roomDetails;
  const images = [{ fileId, isMain: true }];
  return { roomId: (await addRoom(node, byAdmin(), hotelId, { ...details, images, pricePerNight: 50 })).id, fileId };
};
const left = async (ids: readonly string[]): Promise<string[]> => {
  await removeErasedFiles(node, contextOf('erasure', 'system'), admin);
  await deleteErasedBytes(node, contextOf('erasure', 'system'), admin);
  const there = await Promise.all(
    ids.map(async (id) => {
      try {
        (await fileStore.get(id)).destroy();
        return [id];
      } catch (error) {
        if (error instanceof FileMissing) return [];
        throw error;
      }
    }),
  );
  return there.flat();
};

it('what an admin has written for the resort keeps its pictures', async () => {
  const [shown, media] = [await upload('listings'), await upload('stories')];
  await createPost(node, byAdmin(), 'news', { ...postContent, images: [{ fileId: shown, isMain: true }] });
  const times = { publishAt: new Date().toISOString(), expiresAt: instantOf(Date.now() + MINUTE_MS) };
  const story = { title: 'Snow', text: '', link: null, roles: [], ...times, mediaId: media };
  await createResortStory(node, byAdmin(), story);
  expect(await left([shown, media])).toEqual([shown, media]);
});

it('the listing of a seller keeps the pictures that an admin has added, their own listing does not', async () => {
  const [theirs, own] = [await hotelOf(randomUUID()), await hotelOf(admin)];
  const [theirRoom, ownRoom] = [await roomIn(theirs.hotelId), await roomIn(own.hotelId)];
  const kept = [theirs.fileId, theirRoom.fileId];
  expect(await left([...kept, own.fileId, ownRoom.fileId])).toEqual(kept);
});

/** Has a policy handle all events of a stream. */
const handled = async (category: string, id: string, { handlers }: Policy<Node> = catalogPolicy): Promise<void> => {
  const stored = await stores.store.read(streamName(category, id), { max: 100 });
  for (const event of await node.codec.decodeWithoutAddress<Recorded>(stored))
    await handlers.get(event.type)?.(event as never, { deps: node, context: contextOf('system') });
};

it.each(['before', 'after'])(
  'pictures by an admin go with the seller whose listing or room shows them, erased %s the listing is known',
  async (when) => {
    const email = `${randomUUID()}@example.test`;
    const seller = { role: 'hotelier', email, password: 'correct horse battery' } as const;
    const { accountId } = await openAccount(node, byAdmin(), seller);
    const [theirs, others] = [await hotelOf(accountId), await hotelOf(randomUUID())];
    const [theirRoom, otherRoom] = [await roomIn(theirs.hotelId), await roomIn(others.hotelId)];
    const erase = () => node.aggregates.handle(account, accountId, { type: 'ErasePerson' }, byAdmin());
    if (when === 'before') await erase();
    await handled('hotel', theirs.hotelId);
    for (const { roomId } of [theirRoom, otherRoom]) await handled('room', roomId);
    if (when === 'after') await erase();
    await handled('account', accountId);
    const statuses = [theirs, theirRoom, others, otherRoom].map(async ({ fileId }) => {
      const { state } = await node.aggregates.load(file, fileId);
      return state.status;
    });
    expect(await Promise.all(statuses)).toEqual(['removed', 'removed', 'stored', 'stored']);
  },
);

it('an erased admin has no row of a picture that stays, also when its upload is handled late or again', async () => {
  const email = `${randomUUID()}@example.test`;
  const { accountId } = await openAccount(node, byAdmin(), { role: 'admin', email, password: 'correct horse battery' });
  admin = accountId;
  const { fileId } = await hotelOf(randomUUID());
  await node.aggregates.handle(account, accountId, { type: 'ErasePerson' }, byAdmin());
  await forgetRows(stores.pool, accountId);
  await handled('file', fileId, filePolicy);
  expect((await stores.pool.query('select from ops.files where owner_id = $1', [accountId])).rowCount).toBe(0);
  expect(await left([fileId])).toEqual([fileId]);
});

it('what was attached to something of others, and is not shown there, goes', async () => {
  const { hotelId } = await hotelOf(randomUUID());
  const [abandoned, unknown] = [await upload('listings'), await upload('listings')];
  const attach = (fileId: string, id: string) => {
    const usage = { kind: 'listing', id };
    return attachFiles(node, byAdmin(), { ids: [fileId], ownerId: admin, folder: 'listings', usage });
  };
  await attach(abandoned, hotelId);
  await attach(unknown, randomUUID());
  expect(await left([abandoned, unknown])).toEqual([]);
});

describe('a bucket with versioning, from which release 0.1.0 has deleted', () => {
  let bucket: VersionedBucket;
  let inBucket: Node;
  beforeEach(async () => {
    bucket = await startVersionedBucket();
    inBucket = changed(node, { fileStore: bucket.store });
  });
  afterEach(() => bucket.close());
  const sweep = (isListing = false) => removeFormerFiles(inBucket, { isListing, signal: new AbortController().signal });
  const uploadBy = async (ownerId: string, status: 'erased' | 'shown' = 'erased'): Promise<string> => {
    const about = { ownerId, sells: true, folder: 'listings', announced: undefined } as const;
    const { id } = await uploadFile(inBucket, contextOf(ownerId), about, (to) => writeFile(to, picture));
    if (status === 'erased') await node.aggregates.handle(file, id, { type: 'RemoveErased' }, contextOf(ownerId));
    return id;
  };
  const deleteInBucket = (id: string) => {
    for (const key of Object.values(keysOf(id))) bucket.deleteOnlyTheObject(key);
  };
  const putAs = (key: string) => bucket.store.put(key, path.join(folder, 'some'), 'application/zip');
  const certificate = async (person: string) => {
    const id = certificateOf(node.vault, person);
    await beginCertificate(stores.pool, id, new Date().toISOString());
    await endCertificate(stores.pool, id, { at: new Date().toISOString(), position: null });
    return async () => (await certificateById(stores.pool, id))?.corrections;
  };

  it('files of erased people, loses their former versions, and the certificates are corrected once', async () => {
    await writeFile(path.join(folder, 'some'), 'some');
    const [erased, other] = [randomUUID(), randomUUID()];
    const corrections = await certificate(erased);
    for (const owner of [erased, erased, other]) deleteInBucket(await uploadBy(owner));
    const archive = archiveKey(randomUUID());
    await putAs(archive);
    bucket.deleteOnlyTheObject(archive);
    const replaced = await uploadBy(other, 'shown');
    await putAs(replaced);
    const missing = await uploadBy(other, 'shown');
    deleteInBucket(missing);
    const strange = ['notes.txt', `copies/${archive}`];
    for (const key of strange) {
      await putAs(key);
      bucket.deleteOnlyTheObject(key);
    }
    const before = [...bucket.versions];

    const found = { objects: 10, versions: 10, marks: 9, still_shown: 2, refused: 0, corrected: 0 };
    expect(await sweep(true)).toEqual(found);
    expect(bucket.versions).toEqual(before);

    expect(await sweep()).toEqual({ ...found, corrected: 2 });
    expect(await corrections()).toMatchObject([{ holder: 'files', outcome: 'deleted', count: 2 }]);
    const left = bucket.versions.map(({ key, isMark }) => `${key} ${isMark ? 'deleted' : 'stored'}`).toSorted();
    const shown = Object.values(keysOf(replaced)).map((key) => `${key} stored`);
    const untouched = [...Object.values(keysOf(missing)), ...strange];
    expect(left).toEqual([...shown, ...untouched.flatMap((key) => [`${key} deleted`, `${key} stored`])].toSorted());

    expect(await sweep()).toMatchObject({ objects: 2, still_shown: 2, corrected: 0 });
    expect(await corrections()).toHaveLength(1);
  });

  it('a file, and which keeps its versions, is said to refuse, and no certificate says that they went', async () => {
    const person = randomUUID();
    const corrections = await certificate(person);
    deleteInBucket(await uploadBy(person));
    bucket.refuses = 'deleting versions';
    expect(await sweep()).toMatchObject({ objects: 2, refused: 2, corrected: 0 });
    expect(await corrections()).toEqual([]);
    expect(bucket.versions).toHaveLength(4);
    bucket.refuses = 'listing';
    await expect(sweep()).rejects.toThrow(FileStoreAway);
  });
});
