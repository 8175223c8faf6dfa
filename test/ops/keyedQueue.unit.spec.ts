import { describe, expect, it } from 'vitest';
import { createKeyedQueue, Overloaded } from '../../infra/keyedQueue.ts';

/** Work that ends when it is told to. */
const someWork = () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, work: () => ended };
};
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a keyed queue', () => {
  it('runs work of one key in order, and work of another key beside it', async () => {
    const queue = createKeyedQueue({ atOnce: 1 });
    const first = someWork();
    const log: string[] = [];
    const running = [
      queue.run('a', () => first.work().then(() => log.push('a1'))),
      queue.run('a', async () => log.push('a2')),
      queue.run('a', async () => log.push('a3')),
      queue.run('b', async () => log.push('b1')),
    ];
    await settle();
    expect(log).toEqual(['b1']);
    first.end();
    await Promise.all(running);
    expect(log).toEqual(['b1', 'a1', 'a2', 'a3']);
  });

  it('runs as much at once as it may', async () => {
    const queue = createKeyedQueue({ atOnce: 2 });
    let [running, most] = [0, 0];
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await settle();
      running -= 1;
    };
    await Promise.all(Array.from({ length: 7 }, () => queue.run('a', work)));
    expect({ running, most }).toEqual({ running: 0, most: 2 });
  });

  it('continues after work that failed', async () => {
    const queue = createKeyedQueue({ atOnce: 1 });
    const failed = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('refuses work when too much waits for that key', async () => {
    const queue = createKeyedQueue({ atOnce: 1, waiting: 1 });
    const first = someWork();
    const running = [queue.run('a', first.work), queue.run('a', async () => undefined)];
    await expect(queue.run('a', async () => undefined)).rejects.toThrow(Overloaded);
    expect(await queue.run('b', async () => 'free')).toBe('free');
    first.end();
    await Promise.all(running);
    expect(await queue.run('a', async () => 'free')).toBe('free');
  });

  it('refuses work that waited too long, without ever starting it', async () => {
    const queue = createKeyedQueue({ atOnce: 1, patienceMs: 20 });
    const first = someWork();
    const running = queue.run('a', first.work);
    let started = false;
    const late = queue.run('a', async () => {
      started = true;
    });
    await expect(late).rejects.toThrow('waited longer than 20 ms');
    first.end();
    await running;
    expect(started).toBe(false);
    expect(await queue.run('a', async () => 'free')).toBe('free');
  });
});
