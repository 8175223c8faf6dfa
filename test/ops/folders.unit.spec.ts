/** The checks of folders, before the first start and while the system runs. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, test } from 'vitest';
import { createDiskStore } from '../../commands/files/diskStore.ts';
import { FileMissing, FileStoreAway } from '../../commands/files/fileStore.ts';
import { createLogger } from '../../infra/log.ts';
import { assertRoom } from '../../ops/checks/folders.ts';
import { parts } from '../../ops/checks/parts.ts';
import { type Tried, tryParts } from '../../ops/checks/watch.ts';
import { readConfig } from '../../ops/config.ts';
import { smallDisk } from '../faults/faults.ts';
import { scratchFolder } from '../kit/scratch.ts';

const log = createLogger({ level: 'silent' });
const OF_FOLDERS = ['files', 'folders', 'tombstones_disk'];

let folder: string;
let settings: Record<'DATA_DIR' | 'TOMBSTONES_DIR' | 'BACKUP_DIR', string>;
beforeEach(async () => {
  folder = await scratchFolder('folders');
  const at = (name: string) => path.join(folder, 'resort', name);
  settings = { DATA_DIR: at('data'), TOMBSTONES_DIR: at('tombstones'), BACKUP_DIR: at('backups') };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const tried = async (): Promise<Tried[]> => {
  const checks = parts.filter(({ name }) => OF_FOLDERS.includes(name));
  return (await Promise.all(checks.map((check) => tryParts(check, readConfig(settings), log)))).flat();
};
const wrong = async (): Promise<string[]> =>
  (await tried()).flatMap(({ check, line }) => (line === undefined || check.isAdvice ? [] : [line]));

it('before the first start, nothing is wrong with folders that a start makes, and no check makes them', async () => {
  expect(await wrong()).toEqual([]);
  const notes = (await tried()).flatMap(({ note }) => note ?? []);
  expect(notes).toEqual(Array.from({ length: 5 }, () => 'it will be made when it is needed'));
  expect(await readdir(folder)).toEqual([]);
});

it('says before the first start that the tombstones will be on the disk of the data', async () => {
  const advice = (await tried()).flatMap(({ check, line }) => (check.isAdvice ? [line] : []));
  expect(advice).toEqual([expect.stringContaining('it is on the same file system as DATA_DIR')]);
});

it('a folder that is a file, or cannot be made, is wrong and named', async () => {
  await writeFile(path.join(folder, 'resort'), '');
  const lines = await wrong();
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line).toContain(`${folder}/resort`);
  await rm(path.join(folder, 'resort'));
  await mkdir(settings.DATA_DIR, { recursive: true });
  await writeFile(settings.BACKUP_DIR, '');
  expect(await wrong()).toEqual([expect.stringContaining(`${settings.BACKUP_DIR} is a file and no folder`)]);
});

it('once there are files, one is put, read and deleted among them', async () => {
  const files = path.join(settings.DATA_DIR, 'files');
  await mkdir(files, { recursive: true });
  expect(await wrong()).toEqual([]);
  expect(await readdir(files, { recursive: true, withFileTypes: true })).toMatchObject([{}]); // the folder of the key
});

const disk = smallDisk(1);
test.skipIf(!disk)('a disk with next to no room is full (needs root, to mount a small disk)', async () => {
  if (!disk) throw new Error('there is a disk');
  try {
    await expect(assertRoom(disk.path)).rejects.toThrow('its disk has less than 16 MiB left');
  } finally {
    disk.remove();
  }
});

it('a file is missing only where the folder of files is there', async () => {
  const files = path.join(settings.DATA_DIR, 'files');
  const store = createDiskStore(files);
  await expect(store.get('one')).rejects.toThrow(FileStoreAway);
  await mkdir(files, { recursive: true });
  await expect(store.get('one')).rejects.toThrow(FileMissing);
});
