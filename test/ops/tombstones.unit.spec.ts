import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTombstones } from '../../infra/tombstones.ts';

const ANNA = '018f0000-0000-7000-8000-00000000000a';
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'resort-tombstones-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('are written once, in a private folder that is made when it is missing, and read by any process', async () => {
  const folder = join(root, 'kept', 'apart');
  const tombstones = createTombstones(folder);
  expect(await tombstones.list()).toEqual([]);
  const first = { person: ANNA, at: '2026-01-01T00:00:00Z' };
  expect(await tombstones.write(first)).toEqual(first);
  expect(await tombstones.write({ person: ANNA, at: '2027-01-01T00:00:00Z' })).toEqual(first);
  await writeFile(join(folder, 'notes.txt'), 'of an operator');
  await writeFile(join(folder, `${ANNA}.json.next`), 'of a process that ended');
  expect(await createTombstones(folder).list()).toEqual([first]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).toContain(`${ANNA}.json`);
});

it('are written by several requests at once', async () => {
  const folder = join(root, 'at-once');
  const tombstones = createTombstones(folder);
  const times = Array.from({ length: 10 }, (_, n) => `2026-01-01T00:00:0${n}Z`);
  await Promise.all(times.map((at) => tombstones.write({ person: ANNA, at })));
  expect(await readdir(folder)).toEqual([`${ANNA}.json`]);
  const [kept] = await tombstones.list();
  expect(times).toContain(kept?.at);
});
