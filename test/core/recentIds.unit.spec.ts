import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { RecentIds } from '../../domain/core/recentIds.ts';

const day = (n: number): string => addMs('2030-01-01T00:00:00.000Z', n * DAY_MS);
const added = (...days: number[]): RecentIds =>
  days.reduce((ids, n) => ids.add(`id of day ${n}`, day(n)), RecentIds.empty());

it('an id is known for at least a month, and what is older is said to be forgotten', () => {
  const ids = added(0, 20, 31, 40, 62);
  expect(['20', '31', '62'].map((n) => ids.has(`id of day ${n}`))).toEqual([false, true, true]);
  expect([ids.remembers(day(30)), ids.remembers(day(31)), ids.remembers(undefined)]).toEqual([false, true, true]);
  expect(added(0, 31).has('id of day 0')).toBe(true);
  expect(added(5, 36).remembers(day(0))).toBe(true);
});

it('an id without a time is known, and forgotten with those of its time', () => {
  const ids = RecentIds.empty().add('old', undefined).add('id of day 0', day(0));
  expect(ids.has('old')).toBe(true);
  expect(ids.add('b', day(31)).add('c', day(70)).has('old')).toBe(false);
});

it('one time far in the future forgets nothing of today', () => {
  const ids = added(0, 400, 1, 2);
  expect([0, 1, 2].map((n) => ids.has(`id of day ${n}`))).toEqual([true, true, true]);
  expect(ids.remembers(day(0))).toBe(true);
});

it('every id that it says it remembers is known, in any order of times, and packing changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200), { maxLength: 60 }), (days) => {
      let ids = RecentIds.empty();
      for (const n of days) {
        ids = RecentIds.unpack(ids.add(`${n}`, day(n)).pack());
        expect(ids.has(`${n}`)).toBe(true);
      }
      for (const n of days) if (ids.remembers(day(n))) expect(ids.has(`${n}`)).toBe(true);
    }),
  );
});

it('the memory is bounded, however long the history is', () => {
  let ids = RecentIds.empty();
  for (let n = 0; n < 4_000; n += 1) ids = ids.add(`id ${n}`, day(n / 10));
  expect(ids.size).toBeLessThanOrEqual(600);
});
