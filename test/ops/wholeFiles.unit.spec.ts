import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { putFile } from '../../infra/wholeFiles.ts';
import { copyFile } from '../../ops/backup/set.ts';
import { smallDisk } from '../faults/faults.ts';
import { scratchFolder } from '../kit/scratch.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await scratchFolder('whole-files');
  file = path.join(folder, 'state.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a file that cannot be written to its end stays as it was', async () => {
  await putFile(file, (next) => writeFile(next, 'first'));
  const failing = putFile(file, async (next) => {
    await writeFile(next, 'sec');
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  await expect(failing).rejects.toMatchObject({ code: 'ENOSPC' });
  expect([await readdir(folder), await readFile(file, 'utf8')]).toEqual([['state.json'], 'first']);
});

it('what a killed process has left of a file is overwritten', async () => {
  await writeFile(`${file}.next`, 'much longer than the whole file');
  await putFile(file, (next) => writeFile(next, 'whole'));
  expect([await readdir(folder), await readFile(file, 'utf8')]).toEqual([['state.json'], 'whole']);
});

const disk = smallDisk(1);
it.skipIf(!disk)(
  'a copy for which the disk has no room can be repeated (needs root, to mount a small disk)',
  async () => {
    if (!disk) throw new Error('there is a disk');
    try {
      const picture = Buffer.alloc(300 * 1024, 7);
      await writeFile(file, picture);
      await writeFile(path.join(disk.path, 'other'), Buffer.alloc(900 * 1024));
      await expect(copyFile(file, disk.path, 'picture')).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(await readdir(disk.path)).toEqual(['other']);

      await writeFile(path.join(disk.path, 'other'), '');
      await copyFile(file, disk.path, 'picture');
      expect(await readFile(path.join(disk.path, 'picture'))).toEqual(picture);
    } finally {
      disk.remove();
    }
    expect(existsSync(disk.path)).toBe(false);
  },
);
