/** What stands in the way of the end of an account: many of it, some of which has ended. */
import { expect, it } from 'vitest';
import { endAll, standing } from '../../api/http/deletionBlocker.ts';
import { Rejected } from '../../domain/core/decider.ts';

const ids = Array.from({ length: 250 }, (_, n) => `${n}`);

it('those that stand are found behind many that do not, and the first hundred are named', async () => {
  expect(await standing(ids, async (id) => Number(id) >= 249)).toEqual(['249']);
  expect(await standing(ids, async (id) => Number(id) % 2 === 1)).toEqual(
    ids.filter((id) => Number(id) % 2 === 1).slice(0, 100),
  );
});

it('all are ended, except those that have ended meanwhile', async () => {
  const ended: string[] = [];
  await endAll(
    ids,
    async (id) => {
      if (id === '7') throw new Rejected('invalid_transition', 'It has ended.');
      ended.push(id);
    },
    Infinity,
  );
  expect(ended).toEqual(ids.filter((id) => id !== '7'));
  await expect(endAll(ids, () => Promise.reject(new Rejected('conflict', 'no')), Infinity)).rejects.toThrow('no');
});

it('none is begun after the time is over', async () => {
  const ended: string[] = [];
  await endAll(ids, async (id) => ended.push(id), 0);
  expect(ended).toEqual([]);
});
