import { describe, expect, it } from 'vitest';
import { createDelays, type DelayLimits } from '../../commands/accounts/delays.ts';

const held = () => {
  let release: () => void = () => undefined;
  const wait = () =>
    new Promise<void>((resolve) => {
      release = resolve;
    });
  return { wait, release: () => release() };
};

describe('delayed answers', () => {
  type Place = (i: number) => readonly [subject: string, address: string];
  const cases: [string, DelayLimits, Place][] = [
    ['in all', { atOnce: 2, perSubject: 9, perPlace: 9 }, (i) => [`subject ${i}`, 'a']],
    ['for one subject', { atOnce: 9, perSubject: 2, perPlace: 9 }, (i) => ['anna', `address ${i}`]],
    ['for one subject from one address', { atOnce: 9, perSubject: 9, perPlace: 2 }, () => ['anna', 'a']],
  ];

  it.each(cases)('are bounded %s, and give their place back', async (_, limits, of) => {
    const delays = createDelays(limits);
    const waiting = [held(), held()];
    const results = waiting.map(({ wait }, i) => delays.wait(...of(i), wait));
    expect(await delays.wait(...of(2), async () => undefined)).toBe(false);
    waiting[0]?.release();
    expect(await results[0]).toBe(true);
    expect(await delays.wait(...of(2), async () => undefined)).toBe(true);
    waiting[1]?.release();
    expect(await results[1]).toBe(true);
  });

  it('of one subject leave room for others', async () => {
    const delays = createDelays({ atOnce: 9, perSubject: 1, perPlace: 1 });
    const anna = held();
    const first = delays.wait('anna', 'a', anna.wait);
    expect(await delays.wait('boris', 'a', async () => undefined)).toBe(true);
    anna.release();
    await first;
  });

  it('give their place back when waiting fails', async () => {
    const delays = createDelays({ atOnce: 1, perSubject: 1, perPlace: 1 });
    await expect(delays.wait('anna', 'a', () => Promise.reject(new Error('stopped')))).rejects.toThrow('stopped');
    expect(await delays.wait('anna', 'a', async () => undefined)).toBe(true);
  });
});
