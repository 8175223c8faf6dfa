/** Questions of one turn of the event loop are asked together. */
import { expect, it } from 'vitest';
import { gather, gatherBy } from '../../infra/gather.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('asks together what is asked within one turn, and never keeps an answer', async () => {
  const asked: number[][] = [];
  const double = gather(async (keys: readonly number[]) => {
    asked.push([...keys]);
    return keys.map((key) => key * 2);
  }, 100);
  expect(await Promise.all([double(1), double(2), double(1)])).toEqual([2, 4, 2]);
  await turn();
  expect(await double(1)).toBe(2);
  expect(asked).toEqual([[1, 2, 1], [1]]);
});

it('does not wait for an earlier question that has no answer yet', async () => {
  let answer: (values: string[]) => void = () => undefined;
  let first = true;
  const ask = gather((keys: readonly string[]) => {
    if (!first) return Promise.resolve(keys);
    first = false;
    return new Promise<readonly string[]>((resolve) => {
      answer = resolve;
    });
  }, 100);
  const slow = ask('slow');
  await turn();
  expect(await ask('quick')).toBe('quick');
  answer(['late']);
  expect(await slow).toBe('late');
});

it('asks no more than so many at once', async () => {
  const sizes: number[] = [];
  const ask = gather(async (keys: readonly number[]) => {
    sizes.push(keys.length);
    return keys;
  }, 2);
  expect(await Promise.all([1, 2, 3, 4, 5].map(ask))).toEqual([1, 2, 3, 4, 5]);
  expect(sizes).toEqual([2, 2, 1]);
});

it('asks together what had to wait for earlier questions', async () => {
  const asked: number[][] = [];
  const answers: (() => void)[] = [];
  const ask = gather(
    async (keys: readonly number[]) => {
      asked.push([...keys]);
      await new Promise<void>((resolve) => answers.push(resolve));
      return keys;
    },
    3,
    1,
  );
  const all = [ask(1)];
  for (const key of [2, 3, 4, 5]) {
    await turn();
    all.push(ask(key));
  }
  for (let n = 0; n < 3; n += 1) {
    await turn();
    answers[n]?.();
  }
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toEqual([[1], [2, 3, 4], [5]]);
});

it('fails for all that were asked together, and not for later ones', async () => {
  let fails = true;
  const ask = gather(async (keys: readonly number[]) => {
    if (fails) throw new Error('away');
    return keys;
  }, 100);
  const results = await Promise.allSettled([ask(1), ask(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await ask(3)).toBe(3);
});

it('asks each of several for its own', async () => {
  const asked: [string, number[]][] = [];
  const ask = gatherBy(async ({ name }: { name: string }, keys: readonly number[]) => {
    asked.push([name, [...keys]]);
    return keys.map((key) => `${name} ${key}`);
  }, 100);
  const [one, two] = [{ name: 'one' }, { name: 'two' }];
  expect(await Promise.all([ask(one, 1), ask(two, 1), ask(one, 2)])).toEqual(['one 1', 'two 1', 'one 2']);
  expect(asked).toEqual([
    ['one', [1, 2]],
    ['two', [1]],
  ]);
});
