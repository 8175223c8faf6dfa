import { expect, it } from 'vitest';
import { concurrentEach } from '../../infra/concurrentEach.ts';

const later = () => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

it('handles all items, never more than the limit at once', async () => {
  let working = 0;
  const seen: number[] = [];
  await concurrentEach([1, 2, 3, 4, 5], 2, async (n) => {
    working += 1;
    expect(working).toBeLessThanOrEqual(2);
    await Promise.resolve();
    working -= 1;
    seen.push(n);
  });
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

it('starts nothing after a failure, and throws it when the running work has ended', async () => {
  const slow = later();
  const begun: number[] = [];
  let ended = false;
  const all = concurrentEach([1, 2, 3, 4], 2, async (n) => {
    begun.push(n);
    if (n === 2) throw new Error('two failed');
    await slow.promise;
    ended = true;
  });
  const outcome = all.then(
    () => 'done',
    (error: Error) => `${error.message}, first ended: ${ended}`,
  );
  await Promise.resolve();
  slow.resolve();
  expect(await outcome).toBe('two failed, first ended: true');
  expect(begun).toEqual([1, 2]);
});
