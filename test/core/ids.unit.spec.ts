/** New ids: unique, of now, and in the order in which they were made. */
import { v5 } from 'uuid';
import { afterEach, expect, it, vi } from 'vitest';
import { derivedId, newId } from '../../infra/ids.ts';

afterEach(() => void vi.useRealTimers());

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

it('are of version 7, of now and all different, and grow', () => {
  const before = Date.now();
  const ids = Array.from({ length: 5_000 }, newId);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(timeOf(ids.at(-1) ?? '')).toBeGreaterThanOrEqual(before);
  expect(timeOf(ids.at(-1) ?? '')).toBeLessThanOrEqual(Date.now());
  // What is random in them, too, although it is asked for many at once.
  expect(new Set(ids.map((id) => id.slice(24))).size).toBe(ids.length);
});

it('grow also when the clock is set back', () => {
  const last = newId();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 });
  expect(newId() > last).toBe(true);
});

it('derive from their parts as version 5 of the standard', () => {
  const namespace = '6f2a1c52-6b9e-5b0e-9d53-0d5f6f0a7a11';
  for (const parts of [['a'], ['idempotency', 'anna', 'ключ', 7], ['']])
    expect(derivedId(...parts)).toBe(v5(parts.join('\u0000'), namespace));
});
