/** What stands in the way of the end of an account: many of it, some of which has ended. */
import { expect, it } from 'vitest';
import { endAll, standing } from '../../api/http/deletionBlocker.ts';
import { Rejected } from '../../domain/core/decider.ts';

const ids = Array.from({ length: 250 }, (_, n) => `${n}`);
const pages = async function* () {
  for (let n = 0; n < ids.length; n += 100) yield ids.slice(n, n + 100);
};
const runs = { stopping: new AbortController().signal };

it('those that stand are found behind many that do not, and the first hundred are named', async () => {
  expect(await standing(pages(), async (id) => Number(id) >= 249)).toEqual(['249']);
  expect(await standing(pages(), async (id) => Number(id) % 2 === 1)).toEqual(
    ids.filter((id) => Number(id) % 2 === 1).slice(0, 100),
  );
});

it('all are ended, except those that have ended meanwhile', async () => {
  const ended: string[] = [];
  const end = async (id: string) => {
    if (id === '7') throw new Rejected('invalid_transition', 'It has ended.');
    ended.push(id);
  };
  expect(await endAll(runs, pages(), end, Infinity)).toBe(true);
  expect(ended).toEqual(ids.filter((id) => id !== '7'));
});

it('one that fails is told, and keeps no other from its end', async () => {
  const ended: string[] = [];
  const end = async (id: string) => {
    if (id === '7') throw new Rejected('conflict', 'no');
    ended.push(id);
  };
  await expect(endAll(runs, pages(), end, Infinity)).rejects.toThrow('no');
  expect(ended).toEqual(ids.filter((id) => id !== '7'));
});

it('none is begun after the time is over, or when the process stops, and some are left then', async () => {
  const ended: string[] = [];
  const end = async (id: string) => ended.push(id);
  expect(await endAll(runs, pages(), end, 0)).toBe(false);
  expect(await endAll({ stopping: AbortSignal.abort() }, pages(), end, Infinity)).toBe(false);
  expect(ended).toEqual([]);
});

it('what only failed until the time was over is a failure, and not a reason to go on at once', async () => {
  let until = Infinity;
  const fail = async () => {
    until = 0;
    throw new Rejected('conflict', 'no');
  };
  const stopping = {
    get aborted() {
      return until === 0;
    },
  } as AbortSignal;
  await expect(endAll({ stopping }, pages(), fail, Infinity)).rejects.toThrow('no');
});
