/** Pictures of listings that are uploaded files. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type PictureInput, withPictures } from '../../commands/catalog/pictures.ts';
import type { AttachedFile } from '../../commands/files/fileUses.ts';
import type { Image } from '../../domain/catalog/listing.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { fileIdIn } from '../../domain/files/addresses.ts';
import { file, type Uploaded } from '../../domain/files/file.ts';
import type { Pool } from '../../infra/postgres.ts';
import { signLinksWith } from '../../infra/signedLinks.ts';
import { contextOf } from '../kit/context.ts';
import { type MemoryAggregates, memoryAggregates } from '../kit/memoryAggregates.ts';
import { attachFiles } from '../kit/uploads.ts';

signLinksWith({ key: 'a key of specs', publicUrl: 'https://api.test' });

const owner = randomUUID();
const usage = { kind: 'listing', id: randomUUID() };
const elsewhere = { url: 'https://images.test/1.jpg', isMain: false };
let aggregates: MemoryAggregates;
/** Ids of files whose check is planned. */
let planned: string[];
beforeEach(() => {
  aggregates = memoryAggregates();
  planned = [];
  shown = [];
});
const deps = () => {
  const query = async (_: string, [, , ids = []]: string[][] = []) => ({ rows: planned.push(...ids) && [] });
  return { aggregates, pool: { query } as unknown as Pool };
};

const uploaded = (folder: Uploaded['folder'] = 'listings'): string => {
  const id = randomUUID();
  const facts = {
    mime: 'image/jpeg',
    size: 1,
    width: 1,
    height: 1,
    durationS: null,
    thumbnailSize: 1,
    sha256: '',
  } as const;
  aggregates.given(`file-${id}`, [{ type: 'FileUploaded', data: { ownerId: owner, folder, ...facts } }]);
  return id;
};
const stateOf = (id: string) => {
  const state = aggregates.stateOf(file, id);
  return state.status === 'none' ? state : { status: state.status, usage: state.usage };
};
const linkOf = (id: string): Image => ({ url: `https://api.test/api/v1/files/${id}`, isMain: true });
/** What the listing shows by now, perhaps because of others. */
let shown: readonly string[];
const isUsed = async (_: unknown, { fileId }: AttachedFile) => shown.includes(fileId);
const change = (images: readonly PictureInput[], before: readonly Image[] = [], fails?: Error, isShown = isUsed) => {
  const listing = { usage, before, isUsed: isShown };
  return withPictures(deps(), contextOf(owner, 'hotelier'), listing, { name: 'x', images }, async (written) => {
    if (fails) throw fails;
    return written;
  });
};

describe('a picture of a listing', () => {
  it('that names a file is shown by its public address, and uses it', async () => {
    const id = uploaded();
    expect(await change([{ fileId: id, isMain: true }, elsewhere])).toEqual({
      name: 'x',
      images: [linkOf(id), elsewhere],
    });
    expect(stateOf(id)).toEqual({ status: 'stored', usage });
  });

  it('stays when it is sent again, by its address or by its file, also by another person', async () => {
    const id = uploaded();
    await change([{ fileId: id, isMain: true }]);
    for (const again of [linkOf(id), { fileId: id, isMain: true }]) {
      const images = [again];
      const written = await withPictures(
        deps(),
        contextOf(randomUUID(), 'admin'),
        { usage, before: [linkOf(id)], isUsed },
        { images },
        async (one) => one,
      );
      expect(written).toEqual({ images: [linkOf(id)] });
      expect(stateOf(id)).toEqual({ status: 'stored', usage });
    }
  });

  it('is deleted when it is no longer shown', async () => {
    const id = uploaded();
    await change([{ fileId: id, isMain: true }]);
    await change([elsewhere], [linkOf(id), elsewhere]);
    expect(stateOf(id)).toMatchObject({ status: 'removed' });
  });

  it('that would no longer be shown is checked a day later, because the process may die before it is deleted', async () => {
    const id = uploaded();
    await change([{ fileId: id, isMain: true }]);
    expect(planned).toEqual([]);
    await expect(change([elsewhere], [linkOf(id)], new Error('no answer'))).rejects.toThrow('no answer');
    expect(stateOf(id)).toEqual({ status: 'stored', usage });
    expect(planned).toEqual([id]);
  });

  it('of another listing is not deleted with it', async () => {
    const id = uploaded();
    await change([{ fileId: id, isMain: true }]);
    const other = { usage: { kind: 'listing', id: randomUUID() }, before: [linkOf(id)], isUsed };
    await withPictures(deps(), contextOf(owner), other, { images: [] }, async () => undefined);
    expect(stateOf(id)).toEqual({ status: 'stored', usage });
  });

  it('is the only main one', async () => {
    const id = uploaded();
    const main = { ...elsewhere, isMain: true };
    await expect(change([{ fileId: id, isMain: true }, main])).rejects.toThrow('Only one picture can be the main one');
    expect(stateOf(id)).toMatchObject({ usage: null });
    expect(await change([{ fileId: id, isMain: false }, main])).toMatchObject({ images: [{ isMain: false }, main] });
  });

  it('is given back when the change is refused', async () => {
    const id = uploaded();
    const refused = new Rejected('conflict', 'no');
    await expect(change([{ fileId: id, isMain: true }], [], refused)).rejects.toBe(refused);
    expect(stateOf(id)).toEqual({ status: 'stored', usage: null });
  });

  it('stays when another request shows it by now, whether this one has dropped it or was refused', async () => {
    const id = uploaded();
    await change([{ fileId: id, isMain: true }]);
    shown = [id];
    await change([elsewhere], [linkOf(id), elsewhere]);
    expect(stateOf(id)).toEqual({ status: 'stored', usage });
    const refused = new Rejected('conflict', 'no');
    await expect(change([{ fileId: id, isMain: true }], [], refused)).rejects.toBe(refused);
    expect(stateOf(id)).toEqual({ status: 'stored', usage });
  });

  it('stays when another request begins to show it just after it was looked at', async () => {
    const id = uploaded();
    await change([{ fileId: id, isMain: true }]);
    const others = { ids: [id], ownerId: owner, folder: 'listings', usage } as const;
    const shownNext = async () => {
      await attachFiles(deps(), contextOf(owner), others);
      return false;
    };
    await change([elsewhere], [linkOf(id)], undefined, shownNext);
    expect(stateOf(id)).toEqual({ status: 'stored', usage });
  });

  it('stays attached when another request had attached it, which may be about to show it', async () => {
    const id = uploaded();
    await attachFiles(deps(), contextOf(owner), { ids: [id], ownerId: owner, folder: 'listings', usage });
    const refused = new Rejected('conflict', 'no');
    await expect(change([{ fileId: id, isMain: true }], [], refused)).rejects.toBe(refused);
    expect(stateOf(id)).toEqual({ status: 'stored', usage });
  });

  it('stays attached when nobody knows whether the change was made', async () => {
    const id = uploaded();
    await expect(change([{ fileId: id, isMain: true }], [], new Error('no answer'))).rejects.toThrow('no answer');
    expect(stateOf(id)).toEqual({ status: 'stored', usage });
    await change([{ fileId: id, isMain: true }]);
  });

  it.each<[string, () => PictureInput, string]>([
    ['neither an address nor a file', () => ({ isMain: true }), 'invalid'],
    ['both', () => ({ isMain: true, url: elsewhere.url, fileId: uploaded() }), 'invalid'],
    ['a file that was not uploaded', () => ({ isMain: true, fileId: randomUUID() }), 'not_found'],
    ['a file of another folder', () => ({ isMain: true, fileId: uploaded('chat') }), 'invalid'],
  ])('with %s is refused', async (_, make, code) => {
    await expect(change([make()])).rejects.toMatchObject({ code });
  });

  it('that are not sent do not change', async () => {
    const written = await withPictures(
      deps(),
      contextOf(owner),
      { usage, before: [elsewhere], isUsed },
      {},
      async (one) => one,
    );
    expect(written).toEqual({});
  });
});

it.each([
  ['https://api.test/api/v1/files/0190d1f0-0000-7000-8000-000000000001', true],
  ['https://api.test/base/api/v1/files/0190d1f0-0000-7000-8000-000000000001', true],
  ['https://api.test/api/v1/files/0190d1f0-0000-7000-8000-000000000001/thumbnail', false],
  ['https://images.test/0190d1f0-0000-7000-8000-000000000001', false],
])('%s is the address of a file: %s', (url, isOne) => expect(fileIdIn(url) !== undefined).toBe(isOne));
