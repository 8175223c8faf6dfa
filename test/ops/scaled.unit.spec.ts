import { describe, expect, it } from 'vitest';
import { scaled } from '../../infra/scaled.ts';

describe('a limit multiplied by the operator', () => {
  it.each([
    { limit: 30, factor: 1, left: 30 },
    { limit: 30, factor: 0.5, left: 15 },
    { limit: 30, factor: 0.05, left: 2 },
    { limit: 30, factor: 0.01, left: 1 },
    { limit: 30, factor: 0, left: 0 },
    { limit: 0, factor: 100, left: 0 },
  ])('$limit × $factor allows $left', ({ limit, factor, left }) => {
    expect(scaled(limit, factor)).toBe(left);
  });
});
