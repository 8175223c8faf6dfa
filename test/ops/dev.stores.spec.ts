import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeStale } from '../../ops/dev/stale.ts';

let root: string;
const write = async (...files: string[]): Promise<void> => {
  for (const file of files) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await writeFile(path.join(root, file), '');
  }
};
const exists = (file: string): boolean => existsSync(path.join(root, file));

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'resort-stale-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('deletes compiled files whose source is gone, and folders that are empty then', async () => {
  await write('api/here.ts', 'dist/api/here.js', 'dist/api/here.js.map', 'dist/.tsbuildinfo');
  await write('dist/api/moved.js', 'dist/api/moved.js.map', 'dist/old/deep/gone.js');
  expect(removeStale(root, path.join(root, 'dist')).sort()).toEqual([
    'api/moved.js',
    'api/moved.js.map',
    'old/deep/gone.js',
  ]);
  expect(['dist/api/moved.js', 'dist/old'].filter(exists)).toEqual([]);
  expect(['dist/api/here.js', 'dist/api/here.js.map', 'dist/.tsbuildinfo'].every(exists)).toBe(true);
});

it('deletes nothing from an up-to-date build', async () => {
  await write('api/here.ts', 'dist/api/here.js');
  expect(removeStale(root, path.join(root, 'dist'))).toEqual([]);
});
