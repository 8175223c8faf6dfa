/** What a process keeps in memory of a table. */
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { keptTable } from '../../projections/engine/keptTable.ts';
import type { ReadDb } from '../../projections/engine/readDb.ts';
import { readModel } from '../../projections/engine/readModel.ts';

const declared = { version: 1, row: Type.Object({ id: Type.String() }), key: 'id', on: {} } as const;
const model = readModel('kept', { ...declared, announce: () => ['row'] });

const world = () => {
  let reads = 0;
  let change = (): void => undefined;
  const state = { isListening: true, fails: false };
  const positions = {
    follow: (_: unknown, onChange: (lines: readonly string[]) => void) => {
      change = () => onChange([]);
    },
    isListening: () => state.isListening,
  };
  const asked: ReadDb[] = [];
  const read = async ({ db }: { db: ReadDb }) => {
    asked.push(db);
    reads += 1;
    if (state.fails) throw new Error('away');
    return reads;
  };
  const table = keptTable([model], read);
  const current = (db = {} as ReadDb) => table({ db, positions });
  return { state, asked, current, change: () => change() };
};

it('is read once for many requests, and again after a change', async () => {
  const { current, change } = world();
  expect(await Promise.all([current(), current()])).toEqual([1, 1]);
  expect(await current()).toBe(1);
  change();
  expect(await current()).toBe(2);
});

it('is read from the database of whoever asks', async () => {
  const { current, change, asked } = world();
  const [first, second] = [{}, {}] as [ReadDb, ReadDb];
  await current(first);
  change();
  await current(second);
  expect(asked[1]).toBe(second);
});

it('is not kept when it changes while it is read', async () => {
  const { current, change } = world();
  const reading = current();
  change();
  expect(await reading).toBe(1);
  expect(await current()).toBe(2);
});

it('is read every time while changes are not heard of, and after a failure', async () => {
  const { current, state } = world();
  state.isListening = false;
  expect([await current(), await current()]).toEqual([1, 2]);
  state.isListening = true;
  state.fails = true;
  await expect(current()).rejects.toThrow('away');
  state.fails = false;
  expect(await current()).toBe(4);
});

it('refuses a table whose changes nobody is told of', () => {
  const silent = readModel('silent', declared);
  expect(() => keptTable([silent], async () => 1)).toThrow('silent');
});
