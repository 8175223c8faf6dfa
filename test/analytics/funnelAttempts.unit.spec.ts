import { expect, it } from 'vitest';
import { foldAttempts } from '../../commands/analytics/funnelAttempts.ts';
import type { PackedSteps } from '../../commands/analytics/funnelSql.ts';
import { FunnelTally } from '../../commands/analytics/funnelTally.ts';
import type { FunnelQuery } from '../../commands/analytics/store.ts';

const FROM = '2026-10-01T00:00:00Z';
const WEEK_US = 7 * 86_400 * 1_000_000;
const asked: FunnelQuery = {
  steps: ['home', 'card'],
  windowS: 3_600,
  from: FROM,
  to: '2026-10-08T00:00:00Z',
  mode: 'any',
};

interface Step {
  readonly person: number;
  /** Microseconds after the begin. */
  readonly at: number;
}

/** Bytes of 8 for each, the most significant first. */
const longs = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [n, value] of values.entries()) bytes.writeBigInt64BE(BigInt(value), n * 8);
  return bytes;
};
const packed = (step: number, steps: readonly Step[]): PackedSteps => {
  const begin = (Date.parse(FROM) - Date.UTC(2000, 0, 1)) * 1_000;
  const at = longs(steps.map((each) => begin + each.at));
  const accounts = longs(steps.flatMap(({ person }) => [0, person]));
  return { part: 0, step, grp: null, accounts, at };
};

const reached = (slice: readonly PackedSteps[]): number[] | undefined => {
  const attempts = foldAttempts(asked);
  attempts.take(slice);
  const tally = new FunnelTally(asked.steps.length);
  attempts.countInto(tally);
  return tally.groups()[0]?.steps.map(({ count }) => count);
};

it('keeps the order of steps a microsecond apart, however many a week has', () => {
  const people = Array.from({ length: 40_000 }, (_, person) => ({ person, at: (person + 1) * (WEEK_US / 50_000) }));
  const isEven = ({ person }: Step) => person % 2 === 0;
  const after = people.filter(isEven).map(({ person, at }) => ({ person, at: at + 1 }));
  const before = people.filter((each) => !isEven(each)).map(({ person, at }) => ({ person, at: at - 1 }));
  expect(reached([packed(0, people), packed(1, [...after, ...before])])).toEqual([40_000, 20_000]);
  expect(reached([packed(1, [...after, ...before]), packed(0, people)])).toEqual([40_000, 20_000]);
});
