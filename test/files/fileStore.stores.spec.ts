/** Where bytes are: a folder, and an S3 server (s3rver, an implementation of the protocol for tests), alike. */
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDiskStore } from '../../commands/files/diskStore.ts';
import {
  FileMissing,
  type FileStore,
  FileStoreAway,
  type FormerVersions,
  removeBytes,
} from '../../commands/files/fileStore.ts';
import { createS3Store } from '../../commands/files/s3Store.ts';
import { withDeadline } from '../../infra/deadline.ts';
import { createLogger } from '../../infra/log.ts';
import { TimedOut } from '../../infra/retry.ts';
import { quickest } from '../kit/quickest.ts';
import { until } from '../kit/until.ts';
import { OF_S3, OF_S3_XML, startVersionedBucket, type VersionedBucket } from './versionedBucket.ts';

const ID = '0190d1f0-0000-7000-8000-0000000000ab';
const CONTENT = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));

let folder: string;
let server: S3rver;
let endpoint: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'resort-store-'));
  await writeFile(path.join(folder, 'source'), CONTENT);
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: path.join(folder, 's3'),
    configureBuckets: [{ name: 'uploads', configs: [] }],
  });
  const { port } = await server.run();
  endpoint = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const s3 = (over: Partial<Parameters<typeof createS3Store>[0]> = {}): FileStore =>
  createS3Store({
    bucket: 'uploads',
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    pathStyle: true,
    ...over,
  });
const disk = (): FileStore => createDiskStore(path.join(folder, 'files'));

describe.each([
  ['a folder', disk],
  ['an S3 server', s3],
])('%s', (_, create) => {
  it('gives back what was put, whole and in parts', async () => {
    const store = create();
    await store.put(ID, path.join(folder, 'source'), 'image/jpeg');
    expect((await buffer(await store.get(ID))).equals(CONTENT)).toBe(true);
    expect(await buffer(await store.get(ID, { start: 10, end: 19 }))).toEqual(CONTENT.subarray(10, 20));
    expect(await buffer(await store.get(ID, { start: 299_990, end: 299_999 }))).toEqual(CONTENT.subarray(-10));
  });

  it('replaces what was there', async () => {
    const store = create();
    await writeFile(path.join(folder, 'other'), 'other');
    await store.put(ID, path.join(folder, 'other'), 'image/jpeg');
    expect(String(await buffer(await store.get(ID)))).toBe('other');
  });

  it('removes a file and its thumbnail, and what is not there', async () => {
    const store = create();
    await store.put(ID, path.join(folder, 'source'), 'image/jpeg');
    await store.put(`${ID}.thumbnail`, path.join(folder, 'source'), 'image/webp');
    await removeBytes(store, ID);
    await removeBytes(store, ID);
    await expect(store.get(ID)).rejects.toThrow(FileMissing);
    await expect(store.get(`${ID}.thumbnail`)).rejects.toThrow(FileMissing);
  });
});

describe('a bucket with versioning', () => {
  let bucket: VersionedBucket;
  beforeEach(async () => {
    bucket = await startVersionedBucket();
  });
  afterEach(() => bucket.close());
  const kept = async (): Promise<FormerVersions[]> => {
    const found: FormerVersions[] = [];
    for await (const each of bucket.store.former()) found.push(each);
    return found;
  };
  const put = (key: string) => bucket.store.put(key, path.join(folder, 'source'), 'image/jpeg');

  it('keeps no former version of what is removed, and all of other objects', async () => {
    for (const key of [ID, ID, ID, `${ID}.thumbnail`]) await put(key);
    expect(await bucket.store.remove(ID)).toBe('gone');
    expect(await bucket.store.remove(ID)).toBe('gone');
    expect(bucket.versions).toMatchObject([{ key: `${ID}.thumbnail`, isMark: false }]);
  });

  it.each(['listing', 'deleting versions'] as const)('that refuses %s keeps them, and that is said', async (what) => {
    await put(ID);
    bucket.refuses = what;
    expect(await bucket.store.remove(ID)).toBe('versions_left');
    bucket.refuses = 'nothing';
    expect(await bucket.store.remove(ID)).toBe('gone');
  });

  it('says what it keeps of deleted and replaced objects, which goes with the mark last', async () => {
    const [deleted, replaced] = [ID, `${ID}.thumbnail`];
    for (const key of [deleted, deleted, deleted, replaced, replaced]) await put(key);
    bucket.deleteOnlyTheObject(deleted);
    const { store } = bucket;
    expect(await kept()).toEqual([
      { key: deleted, versions: 3, marks: 1, isDeleted: true },
      { key: replaced, versions: 1, marks: 0, isDeleted: false },
    ]);
    // Without its mark, an object would be back.
    await store.removeMark(deleted);
    expect(bucket.versions).toHaveLength(6);
    for (const key of [deleted, replaced]) expect(await store.removeFormer(key)).toBe('gone');
    expect(bucket.versions).toMatchObject([
      { key: deleted, isMark: true },
      { key: replaced, isMark: false },
    ]);
    for (const key of [deleted, replaced]) expect(await store.removeMark(key)).toBe('gone');
    expect(bucket.versions).toMatchObject([{ key: replaced, isMark: false }]);
    expect(await kept()).toEqual([]);
  });
});

it('a folder keeps nothing that was half written', async () => {
  await disk().put(ID, path.join(folder, 'source'), 'image/jpeg');
  expect(await readdir(path.join(folder, 'files', 'ab'))).toEqual([ID]);
});

describe('an S3 server that', () => {
  const put = (store: FileStore) => store.put(ID, path.join(folder, 'source'), 'image/jpeg');

  it('refuses the key is away', async () => {
    await expect(put(s3({ credentials: { accessKeyId: 'nobody', secretAccessKey: 'wrong' } }))).rejects.toThrow(
      FileStoreAway,
    );
  });

  it('has no such bucket is away: files are not missing', async () => {
    const store = s3({ bucket: 'nowhere' });
    await expect(put(store)).rejects.toThrow(FileStoreAway);
    await expect(store.get(ID)).rejects.toThrow(FileStoreAway);
  });

  const PAGE = '<html><title>Not found</title></html>';
  it.each([
    ['says that there is no bucket', OF_S3_XML, '<Error><Code>NoSuchBucket</Code></Error>', true],
    ['says nothing', OF_S3, '', true],
    // Something else answers, such as a proxy (docs/decisions/0055-who-answered.md).
    ['is no S3 server', { 'content-type': 'text/html' }, PAGE, false],
    ['has no sign of S3', {}, '', false],
  ])('answers 404 and %s is away: files are not missing', async (_, headers, body, isForGood) => {
    let requests = 0;
    const server = createServer((request, response) => {
      // HEAD asks whether it is back.
      if (request.method !== 'HEAD') requests += 1;
      request.resume();
      response.writeHead(404, headers).end(body);
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (const call of [
        put,
        (store: FileStore) => store.get(ID),
        (store: FileStore) => store.remove(ID),
        (store: FileStore) => store.removeFormer(ID),
      ]) {
        requests = 0;
        const store = s3({ endpoint: address });
        await expect(call(store)).rejects.toMatchObject({ name: 'FileStoreAway', isForGood });
        expect(requests).toBe(isForGood ? 1 : 3); // what is not for good is tried again
        await store.close();
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('nobody reaches is away, and is not asked any more once the store is closed', async () => {
    const store = s3({ endpoint: 'http://127.0.0.1:2' });
    await expect(put(store)).rejects.toMatchObject({ name: 'FileStoreAway', isForGood: false });
    await store.close(); // waits for the end of the questions
  });

  describe('stands still', () => {
    /** An S3 server that stops to answer, and to send, until it goes on. */
    let server: Server;
    let isStill: boolean;
    let requests: number;
    let lines: string[];
    let store: FileStore;
    beforeEach(async () => {
      [isStill, requests, lines] = [true, 0, []];
      server = createServer((request, response) => {
        requests += 1;
        request.resume();
        for (const [name, value] of Object.entries(OF_S3)) response.setHeader(name, value);
        if (!isStill) response.end(request.method === 'GET' ? CONTENT : '');
        else if (request.method === 'GET') {
          response.setHeader('content-length', CONTENT.length);
          response.write(CONTENT.subarray(0, 1_000));
        }
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const log = createLogger({ destination: { write: (line) => void lines.push(JSON.parse(line).msg) } });
      store = s3({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answerMs: 200, log });
    });
    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    it('is away once it has had its time, and nobody waits for it until it is back', async () => {
      await expect(put(store)).rejects.toThrow(FileStoreAway);
      const asked = requests;
      for (const call of [() => put(store), () => store.remove(ID), () => store.get(ID)])
        await expect(call()).rejects.toThrow('StoreAway');
      expect(requests).toBeLessThanOrEqual(asked + 1); // whether it is back
      isStill = false;
      await until(() =>
        put(store).then(
          () => true,
          () => false,
        ),
      );
      expect(lines).toEqual(['the file store is away']);
      // A busy machine may need more than its short time for an answer.
      const got = await until(() =>
        store
          .get(ID)
          .then(buffer)
          .catch(() => undefined),
      );
      expect(got).toEqual(CONTENT);
    });

    it('in the middle of a file ends the file with an error', async () => {
      await expect(store.get(ID).then(buffer)).rejects.toThrow(TimedOut);
    });

    it('has no more time than the request that waits for it', async () => {
      const patient = s3({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
      const tookMs = await quickest(3_000, async () => {
        const begun = performance.now();
        const request = withDeadline(300, async () => {
          for (let call = 0; call < 3; call += 1) await put(patient).catch(() => undefined);
          await put(patient);
        });
        await expect(request).rejects.toThrow(FileStoreAway);
        return performance.now() - begun;
      });
      expect(tookMs).toBeLessThan(3_000);
    });
  });

  describe('fails', () => {
    let failing: Server;
    let requests: string[];
    beforeAll(async () => {
      failing = createServer((request, response) => {
        requests.push(request.method ?? '');
        request.resume();
        response.writeHead(503, OF_S3_XML).end('<Error><Code>SlowDown</Code></Error>');
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => failing.once('listening', resolve));
    });
    afterAll(() => {
      failing.closeAllConnections();
      failing.close();
    });

    it('is tried again, each time with all bytes, and is away then', async () => {
      requests = [];
      const store = s3({ endpoint: `http://127.0.0.1:${(failing.address() as AddressInfo).port}` });
      await expect(put(store)).rejects.toThrow(FileStoreAway);
      await expect(store.get(ID)).rejects.toThrow(FileStoreAway);
      expect(requests.filter((method) => method === 'PUT')).toHaveLength(3);
      expect(requests.filter((method) => method === 'GET')).toHaveLength(3);
    });
  });
});
