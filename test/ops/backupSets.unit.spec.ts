/** Sets of backups are ordered by what they contain: one that was taken with a wrong clock ends no backups. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { pruneBackups } from '../../ops/backup/backup.ts';
import { findSet } from '../../ops/backup/restore.ts';
import { dueMs } from '../../ops/backup/schedule.ts';
import { nameOf, setsIn } from '../../ops/backup/set.ts';

const DAY_MS = 86_400_000;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'resort-sets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The name of a new set, as a clock would have it that is so many days ahead. */
const set = async (daysAhead: number, events: number, log_id?: string): Promise<string> => {
  const name = nameOf(new Date(Date.now() + daysAhead * DAY_MS));
  await mkdir(path.join(folder, name));
  const manifest = { format: 1, log: { lines: events }, tables: [], ...(log_id && { log_id }) };
  await writeFile(path.join(folder, name, 'manifest.json'), JSON.stringify(manifest));
  return name;
};

it('the set that was just taken stays, though another one has a name of the future', async () => {
  const wrong = await set(40, 10);
  const taken = await set(0, 10);
  expect(await pruneBackups(folder, 1, taken)).toEqual([wrong]);
  expect(await setsIn(folder)).toEqual([taken]);
});

it('the newest is the one with the most events, whatever the clocks said', async () => {
  const [future, first, past, second] = [await set(40, 10), await set(-1, 20), await set(-400, 30), await set(-2, 25)];
  expect(await setsIn(folder)).toEqual([future, first, second, past]);
  expect(await findSet(folder)).toBe(path.join(folder, past));
});

it('after a restore of an older set, the sets of the log that goes on are the newest', async () => {
  const lost = [await set(-3, 100, 'former'), await set(-2, 200, 'former')];
  const now = [await set(-1, 110, 'restored'), await set(0, 120, 'restored')];
  expect(await setsIn(folder)).toEqual([...lost, ...now]);
  expect(await pruneBackups(folder, 2, now[1])).toEqual(lost);
});

it('a set whose manifest cannot be read is left alone', async () => {
  await mkdir(path.join(folder, '2020-01-01T02-00-00Z'));
  const taken = await set(0, 10);
  expect(await pruneBackups(folder, 1, taken)).toEqual([]);
});

it('a set of the future is one warning, and keeps the next backup from nothing', async () => {
  const lines: string[] = [];
  const log = createLogger({ destination: { write: (line) => lines.push(line) } });
  const warned = new Set<string>();
  const schedule = { folder, hour: 2, take: async () => undefined };
  const wrong = await set(40, 10);
  expect(await dueMs(schedule, warned, log)).toBe(0);
  const taken = Date.now();
  await set(0, 10);
  const due = await dueMs(schedule, warned, log);
  expect(due).toBeGreaterThan(taken - 1_000);
  expect(due).toBeLessThanOrEqual(taken + DAY_MS);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(wrong);
});
