/** What `/health` says of the file store. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDiskStore } from '../../commands/files/diskStore.ts';
import { type FileStore, FileStoreAway } from '../../commands/files/fileStore.ts';
import { createS3Store } from '../../commands/files/s3Store.ts';
import { createLogger } from '../../infra/log.ts';
import { type FileWatch, watchFiles } from '../../ops/fileWatch.ts';
import { freePort } from '../../ops/ports.ts';
import { smallDisk } from '../faults/faults.ts';
import { scratchFolder } from '../kit/scratch.ts';

let folder: string;
let watch: FileWatch | undefined;
beforeEach(async () => {
  folder = await scratchFolder('file-watch');
});
afterEach(async () => {
  await watch?.stop();
  await rm(folder, { recursive: true, force: true });
});

const watching = (fileStore: FileStore, incomingDir = path.join(folder, 'incoming')) => {
  const settings = { incomingDir } as Parameters<typeof watchFiles>[0]['settings'];
  watch = watchFiles({ fileStore, settings, log: createLogger({ level: 'silent' }) }, 20);
  return watch.remarks;
};
const REMARK = [expect.stringContaining('The file store cannot be used')];

it('is remarked while it is away, and no longer', async () => {
  const disk = createDiskStore(path.join(folder, 'files'));
  let isAway = false;
  const check = () => (isAway ? Promise.reject(new FileStoreAway('a secret address')) : disk.check());
  const remarks = watching({ ...disk, check });
  expect(remarks()).toEqual([]);
  isAway = true;
  await expect.poll(remarks).toEqual(REMARK);
  isAway = false;
  await expect.poll(remarks).toEqual([]);
});

it('a server that nobody reaches is away', async () => {
  const endpoint = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
  const store = createS3Store({ bucket: 'files', endpoint, region: 'x', credentials, pathStyle: true });
  await expect(store.check()).rejects.toThrow(FileStoreAway);
});

it('a folder that cannot be written is away, also that of uploads', async () => {
  await writeFile(path.join(folder, 'file'), '');
  await expect(createDiskStore(path.join(folder, 'file')).check()).rejects.toThrow(FileStoreAway);
  await expect.poll(watching(createDiskStore(folder), path.join(folder, 'file'))).toEqual(REMARK);
});

const disk = smallDisk(1);
it.skipIf(!disk)('a disk with next to no room is full (needs root, to mount a small disk)', async () => {
  if (!disk) throw new Error('there is a disk');
  try {
    await expect(createDiskStore(disk.path).check()).rejects.toThrow(FileStoreAway);
  } finally {
    disk.remove();
  }
});
