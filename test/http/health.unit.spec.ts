/** The health of the stores is asked once, however many want to know it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cached } from '../../api/http/documents.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is asked once at a time, however long the answer takes, and again after 250 ms', async () => {
  const answers = ['ok', 'unavailable'] as const;
  let asked = 0;
  const health = cached(async () => {
    const answer = answers[asked++ % 2] ?? 'ok';
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    return answer;
  });
  const first = [health(), health()];
  await vi.advanceTimersByTimeAsync(1_900);
  const late = health();
  await vi.advanceTimersByTimeAsync(100);
  expect(await Promise.all([...first, late])).toEqual(['ok', 'ok', 'ok']);
  expect(asked).toBe(1);

  await vi.advanceTimersByTimeAsync(249);
  expect(await health()).toBe('ok');
  await vi.advanceTimersByTimeAsync(1);
  const second = health();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await second).toBe('unavailable');
  expect(asked).toBe(2);
});
