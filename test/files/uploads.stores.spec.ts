/** Uploads on the real stores: what is kept, what is cleared away, and what follows from crashes and from the erasure. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeFiles, removeOwnFile, withFiles } from '../../commands/files/attachFiles.ts';
import { createDiskStore } from '../../commands/files/diskStore.ts';
import { removeErasedFiles } from '../../commands/files/erasure.ts';
import { FileMissing, type FileStore, FileStoreAway, keysOf } from '../../commands/files/fileStore.ts';
import type { FileUse } from '../../commands/files/fileUses.ts';
import { clearIncoming } from '../../commands/files/incoming.ts';
import { filePolicy } from '../../commands/files/policy.ts';
import { reserve, unusedFile } from '../../commands/files/unused.ts';
import { type NewUpload, uploadFile } from '../../commands/files/uploads.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { DAY_MS, HOUR_MS, instantOf, msBetween } from '../../domain/core/instants.ts';
import { file } from '../../domain/files/file.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { deleteErasedBytes } from '../kit/toldOutside.ts';
import { attachFiles } from '../kit/uploads.ts';
import { photo } from './samples.ts';

let stores: Stores;
let folder: string;
let fileStore: FileStore;
let node: Node;
let picture: Buffer;
beforeAll(async () => {
  stores = await freshStores();
  folder = await mkdtemp(path.join(tmpdir(), 'resort-files-'));
  fileStore = createDiskStore(path.join(folder, 'files'));
  node = testDeps(stores, { fileStore, settings: { incomingDir: path.join(folder, 'incoming') } });
  picture = await photo(80, 60);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

let ownerId: string;
beforeEach(() => {
  ownerId = randomUUID();
});
const by = (over: Partial<NewUpload> = {}): NewUpload => ({
  ownerId,
  sells: false,
  folder: 'chat',
  announced: undefined,
  ...over,
});
const receive = (bytes: Buffer) => (to: string) => writeFile(to, bytes);
const upload = async (over: Partial<NewUpload> = {}, deps = node): Promise<string> =>
  (await uploadFile(deps, contextOf(ownerId), by(over), receive(picture))).id;
const rowOf = async (id: string) =>
  (await stores.pool.query('select owner_id, size, is_used from ops.files where id = $1', [id])).rows[0];
const jobOf = async (id: string) =>
  (await stores.pool.query(`select due_at from ops.jobs where kind = 'unused_file' and id = $1`, [id])).rows[0];
const has = async (id: string): Promise<boolean> => {
  try {
    for (const key of Object.values(keysOf(id))) await buffer(await fileStore.get(key));
    return true;
  } catch (error) {
    if (error instanceof FileMissing) return false;
    throw error;
  }
};
const statusOf = async (id: string) => (await node.aggregates.load(file, id)).state.status;
/** What the policies do with the events of a file. */
const follow = async (id: string, deps = node): Promise<void> => {
  for (const event of await deps.codec.decodeWithoutAddress(await stores.store.read(`file-${id}`)))
    await filePolicy.handlers.get(event.type)?.(event as never, { deps, context: contextOf('policy', 'system') });
};
const sweep = (id: string, deps = node) =>
  unusedFile.run({ id, data: {}, attempt: 1 }, { deps, context: contextOf('job', 'system') });
/** As the job runs a day later. @returns when it runs again; undefined: it is done */
const sweepTomorrow = (id: string, uses: Readonly<Record<string, FileUse>>, deps = node) => {
  const fileUses = Object.fromEntries(
    Object.entries(uses).map(([kind, isUsed]) => [kind, { isUsed, whose: 'uploader' } as const]),
  );
  const at = instantOf(Date.now() + 25 * HOUR_MS);
  const context = { ...contextOf('job', 'system'), at };
  return unusedFile.run({ id, data: {}, attempt: 1 }, { deps: changed(deps, { fileUses }), context });
};
const incoming = () => readdir(path.join(folder, 'incoming'));

describe('an upload', () => {
  it('is stored with its facts, and planned to be deleted a day later', async () => {
    const context = contextOf(ownerId);
    const { id, upload: facts } = await uploadFile(node, context, by(), receive(picture));
    expect(facts).toMatchObject({ ownerId, folder: 'chat', mime: 'image/jpeg', width: 80, height: 60 });
    expect(await buffer(await fileStore.get(keysOf(id).file))).toHaveLength(facts.size);
    expect(await buffer(await fileStore.get(keysOf(id).file, { start: 2, end: 5 }))).toHaveLength(4);
    expect(await rowOf(id)).toEqual({ owner_id: ownerId, size: facts.size, is_used: false });
    expect(msBetween(context.at, (await jobOf(id)).due_at)).toBe(DAY_MS);
    expect(await incoming()).toEqual([]);
  });

  it('whose row and job a restore has lost gets both again, unless it is gone', async () => {
    const [used, unused, gone] = [await upload(), await upload(), await upload()];
    const usage = { kind: 'message', id: randomUUID() };
    await attachFiles(node, contextOf(ownerId), { ids: [used], ownerId, folder: 'chat', usage });
    await removeOwnFile(node, contextOf(ownerId), gone, ownerId);
    const rows = new Map(await Promise.all([used, unused].map(async (id) => [id, await rowOf(id)] as const)));
    await stores.pool.query('delete from ops.files where owner_id = $1', [ownerId]);
    await stores.pool.query(`delete from ops.jobs where kind = 'unused_file'`);
    for (const id of [used, unused, gone]) await follow(id);
    expect(await rowOf(unused)).toEqual(rows.get(unused));
    expect(await rowOf(used)).toEqual({ ...rows.get(used), is_used: true });
    expect(await jobOf(unused)).toBeDefined();
    expect([await rowOf(gone), await jobOf(gone)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['that is refused', async () => Buffer.from('no picture')],
    ['that is interrupted', () => Promise.reject(new Error('interrupted'))],
  ])('%s leaves nothing', async (_, make) => {
    const context = contextOf(ownerId);
    let id = '';
    const attempt = uploadFile(node, context, by(), async (to) => {
      id = path.basename(to);
      await writeFile(to, 'the beginning');
      await writeFile(to, await make());
    });
    await expect(attempt).rejects.toThrow();
    expect([await rowOf(id), await jobOf(id), await has(id), await incoming()]).toEqual([
      undefined,
      undefined,
      false,
      [],
    ]);
    expect(await statusOf(id)).toBe('none');
  });

  it('to a store that is away leaves its deletion planned when it cannot be cleared away', async () => {
    const away = async () => {
      throw new FileStoreAway('away');
    };
    const broken = changed(node, { fileStore: { ...fileStore, put: away, get: away, remove: away } });
    let id = '';
    const attempt = uploadFile(broken, contextOf(ownerId), by(), async (to) => {
      id = path.basename(to);
      await writeFile(to, picture);
    });
    await expect(attempt).rejects.toThrow(FileStoreAway);
    // The store may still take what it was sent, and nobody was told of it.
    expect(Date.parse((await jobOf(id)).due_at) - Date.now()).toBeLessThan(HOUR_MS);
    await sweep(id);
    expect([await rowOf(id), await jobOf(id)]).toEqual([undefined, undefined]);
  });

  it('whose sender is gone when it is stored leaves nothing', async () => {
    const context = contextOf(ownerId);
    const gone = () => {
      throw new Error('gone');
    };
    await expect(uploadFile(node, context, by(), receive(picture), gone)).rejects.toThrow('gone');
    expect((await stores.pool.query('select 1 from ops.files where owner_id = $1', [ownerId])).rowCount).toBe(0);
  });

  it('whose event may or may not be recorded keeps its bytes until that is known', async () => {
    let id = '';
    const unsure = changed(node, {
      aggregates: {
        load: node.aggregates.load,
        handle: async (...given) => {
          id = given[1];
          await node.aggregates.handle(...given);
          throw new StoreUnavailable('no answer');
        },
      },
    });
    await expect(upload({}, unsure)).rejects.toThrow(StoreUnavailable);
    expect(await has(id)).toBe(true);
    await attachFiles(node, contextOf(ownerId), {
      ids: [id],
      ownerId,
      folder: 'chat',
      usage: { kind: 'message', id: randomUUID() },
    });
    await sweep(id);
    expect(await has(id)).toBe(true);
  });

  it('to a folder of sellers needs a seller', async () => {
    await expect(upload({ folder: 'listings' })).rejects.toMatchObject({ code: 'insufficient_rights' });
    await upload({ folder: 'listings', sells: true });
  });
});

describe('limits', () => {
  it('room is reserved for no more than there is, also when uploads begin together', async () => {
    const at = new Date().toISOString();
    const one = () => reserve(node, { id: randomUUID(), ownerId, bytes: 30, at }, 100);
    const reserved = await Promise.all(Array.from({ length: 12 }, one));
    expect(reserved.filter(Boolean)).toHaveLength(3);
    await stores.pool.query('update ops.files set is_used = true where owner_id = $1', [ownerId]);
    expect(await one()).toBe(true);
  });

  it('unused files of an account have at most 500 MiB', async () => {
    await reserve(
      node,
      { id: randomUUID(), ownerId, bytes: 490 * 1024 * 1024, at: new Date().toISOString() },
      500 * 1024 * 1024,
    );
    await expect(upload({ announced: 30 * 1024 * 1024 })).rejects.toMatchObject({ code: 'upload_limit' });
    await upload({ announced: 1024 * 1024 });
  });

  it('an account uploads 120 files in an hour at most', async () => {
    const limited = changed(node, { settings: { rateLimits: 1 / 60 } });
    await upload({}, limited);
    await upload({}, limited);
    const refused = await upload({}, limited).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Rejected);
    expect(refused).toMatchObject({ code: 'upload_limit' });
    expect((refused as Rejected).facts.retry_after_s).toBeGreaterThan(0);
  });
});

describe('what uses files', () => {
  const usage = () => ({ kind: 'message', id: randomUUID() });

  it('gets their facts, in order, and keeps them from being deleted', async () => {
    const ids = [await upload(), await upload()];
    const used = usage();
    const attach = () => attachFiles(node, contextOf(ownerId), { ids, ownerId, folder: 'chat', usage: used });
    const facts = await attach();
    expect(facts.map(({ fileId }) => fileId)).toEqual(ids);
    expect(facts[0]).toMatchObject({ mime: 'image/jpeg', width: 80, height: 60, durationS: null });
    expect(await attach()).toEqual(facts);
    for (const id of ids) {
      await follow(id);
      expect((await rowOf(id)).is_used).toBe(true);
      await sweep(id);
      expect(await statusOf(id)).toBe('stored');
    }
  });

  it('gets all of them or none', async () => {
    const [mine, other] = [await upload(), await upload()];
    const attach = (ids: string[], who = ownerId) =>
      attachFiles(node, contextOf(who), { ids, ownerId: who, folder: 'chat', usage: usage() });
    await attach([other]);
    await expect(attach([mine, other])).rejects.toMatchObject({ code: 'conflict' });
    await expect(attach([mine, randomUUID()])).rejects.toMatchObject({ code: 'not_found' });
    await expect(attach([mine], randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    await attach([mine]);
  });

  it('that did not come about gives them back', async () => {
    const id = await upload();
    const refused = new Rejected('conflict', 'no');
    const attaching = { ids: [id], ownerId, folder: 'chat', usage: usage() } as const;
    const recorded = withFiles(node, contextOf(ownerId), attaching, () => Promise.reject(refused));
    await expect(recorded).rejects.toBe(refused);
    await follow(id);
    expect((await rowOf(id)).is_used).toBe(false);
    await sweep(id);
    await follow(id);
    expect([await statusOf(id), await has(id)]).toEqual(['removed', false]);
  });

  describe('a day after they were attached', () => {
    const attached = async () => {
      const id = await upload();
      const used = usage();
      const attach = () => attachFiles(node, contextOf(ownerId), { ids: [id], ownerId, folder: 'chat', usage: used });
      await attach();
      return { id, used, attach };
    };

    it('is asked, and not before: they stay where it came about', async () => {
      const { id, used } = await attached();
      const asked: unknown[] = [];
      const uses = { message: async (_: unknown, one: unknown) => asked.push(one) > 0 };
      expect(Date.parse((await sweep(id))?.againAt ?? '') - Date.now()).toBeGreaterThan(86_000_000);
      expect(await sweepTomorrow(id, uses)).toBeUndefined();
      expect(asked).toEqual([{ ...used, fileId: id, attachedAt: expect.any(String) }]);
      expect(await statusOf(id)).toBe('stored');
    });

    it('they are deleted where it did not, because the process had died in between', async () => {
      const { id } = await attached();
      await sweepTomorrow(id, { message: async () => false });
      await follow(id);
      expect([await statusOf(id), await has(id), await jobOf(id)]).toEqual(['removed', false, undefined]);
    });

    it('they stay when a repeated request attaches them while it is asked', async () => {
      const { id, attach } = await attached();
      await sweepTomorrow(id, { message: async () => Boolean(await attach()) && false });
      expect(await statusOf(id)).toBe('stored');
    });

    it('they stay while nobody knows, and an operator hears of it', async () => {
      const { id } = await attached();
      await expect(sweepTomorrow(id, {})).rejects.toThrow('no module says whether files are used by a message');
      expect(await statusOf(id)).toBe('stored');
    });
  });

  it('takes them with it when it is deleted', async () => {
    const id = await upload();
    const used = usage();
    await attachFiles(node, contextOf(ownerId), { ids: [id], ownerId, folder: 'chat', usage: used });
    await removeFiles(node, contextOf(ownerId), { ids: [id], usage: usage() });
    expect(await statusOf(id)).toBe('stored');
    await removeFiles(node, contextOf(ownerId), { ids: [id], usage: used });
    await follow(id);
    expect([await has(id), await rowOf(id), await jobOf(id)]).toEqual([false, undefined, undefined]);
  });
});

it('what an ended process left of an upload is deleted after an hour', async () => {
  const [old, fresh] = ['old', 'fresh'].map((name) => path.join(folder, 'incoming', name)) as [string, string];
  await writeFile(old, 'x');
  await writeFile(fresh, 'x');
  const now = Date.now();
  await utimes(old, now / 1_000 - 3_601, now / 1_000 - 3_601);
  expect(await clearIncoming(path.join(folder, 'incoming'), now)).toBe(1);
  expect(await incoming()).toEqual(['fresh']);
  await rm(fresh);
  expect(await clearIncoming(path.join(folder, 'nowhere'), now)).toBe(0);
});

it('an owner deletes what nothing uses', async () => {
  const id = await upload();
  await expect(removeOwnFile(node, contextOf(ownerId), id, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  await removeOwnFile(node, contextOf(ownerId), id, ownerId);
  await follow(id);
  expect(await has(id)).toBe(false);
});

it('the erasure of a person deletes all of their files, and nobody else’s', async () => {
  const [mine, used] = [await upload(), await upload()];
  await attachFiles(node, contextOf(ownerId), {
    ids: [used],
    ownerId,
    folder: 'chat',
    usage: { kind: 'message', id: randomUUID() },
  });
  const person = ownerId;
  ownerId = randomUUID();
  const other = await upload();
  const context = contextOf('erasure', 'system');
  for (let time = 0; time < 2; time += 1) {
    await removeErasedFiles(node, context, person);
    expect(await deleteErasedBytes(node, context, person)).toBe(0);
  }
  expect([await has(mine), await has(used), await has(other)]).toEqual([false, false, true]);
  expect([await statusOf(mine), await statusOf(used), await statusOf(other)]).toEqual(['removed', 'removed', 'stored']);
});
