/** Numbers as people read them. */
import { expect, it } from 'vitest';
import { rounded, share } from '../../domain/core/numbers.ts';

it.each([
  [0.1 + 0.2, 1, 0.3],
  [12.3456, 2, 12.35],
  [7, 1, 7],
  [null, 1, null],
])('%j has at most %i digits after the point', (value, digits, expected) => {
  expect(rounded(value, digits)).toBe(expected);
});

it('a share has no endless digits, and there is none of nothing', () => {
  expect([share(1, 3), share(2, 2), share(0, 0)]).toEqual([0.3333, 1, null]);
});
