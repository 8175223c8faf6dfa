/** Small inserts become few large ones. */
import { expect, it } from 'vitest';
import { groupedInserts } from '../../commands/analytics/groupedInserts.ts';
import { Overloaded } from '../../infra/keyedQueue.ts';

/** An insert that waits to be let through. A number that was inserted before is not new. */
const slowInsert = () => {
  const known = new Set<number>();
  const inserts: number[][] = [];
  const waiting: { pass(): void; fail(): void }[] = [];
  const insert = (items: readonly number[]) =>
    new Promise<readonly boolean[]>((resolve, reject) => {
      inserts.push([...items]);
      const pass = () => resolve(items.map((item) => !known.has(item) && known.add(item).size > 0));
      waiting.push({ pass, fail: () => reject(new Error('the disk is full')) });
    });
  return { insert, inserts, next: () => waiting.shift() };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('inserts together what arrives meanwhile, and tells each call how many of its items were new', async () => {
  const { insert, inserts, next } = slowInsert();
  const add = groupedInserts(insert, { group: 4, atOnce: 1, waiting: 100 });
  const calls = [add([1, 2]), add([2, 3]), add([4]), add([5, 6])];
  next()?.pass();
  expect(await calls[0]).toBe(2);
  await turn();
  next()?.pass();
  expect(await Promise.all([calls[1], calls[2]])).toEqual([1, 1]);
  await turn();
  next()?.pass();
  expect(await calls[3]).toBe(2);
  expect(inserts).toEqual([
    [1, 2],
    [2, 3, 4],
    [5, 6],
  ]);
  expect(await add([])).toBe(0);
});

it('fails the calls of a failed insert, and goes on', async () => {
  const { insert, next } = slowInsert();
  const add = groupedInserts(insert, { group: 4, atOnce: 1, waiting: 100 });
  const [first, second] = [add([1]), add([2])];
  next()?.fail();
  await expect(first).rejects.toThrow('the disk is full');
  await turn();
  next()?.pass();
  expect(await second).toBe(1);
});

it('refuses what would wait too long, and takes items of any number when nothing waits', async () => {
  const { insert, next } = slowInsert();
  const add = groupedInserts(insert, { group: 2, atOnce: 1, waiting: 4 });
  const running = add([1, 2, 3, 4]);
  const waits = add([5, 6, 7]);
  await expect(add([8, 9])).rejects.toThrow(Overloaded);
  next()?.pass();
  await running;
  await turn();
  next()?.pass();
  expect(await waits).toBe(3);
});
