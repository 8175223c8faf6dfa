/** How long a request computes among 10,000 listings. */
import { expect, it } from 'vitest';
import { recommend } from '../../domain/recommendations/recommend.ts';
import { quickest } from '../kit/quickest.ts';
import { makeResort, NOW } from './histories.ts';
import { indexOf } from './judging.ts';

/** The goal is 30 on a quiet machine; what only a fault passes, such as a walk through all listings for each of them. */
const LIMIT_MS = 500;

it('computes recommendations among 10,000 listings', async () => {
  const { items, people } = makeResort(7, { items: 10_000, people: 4_000 });
  const index = indexOf({ items, people });
  const measure = async (person: (typeof people)[number] | undefined) => {
    const asker = { history: person?.history ?? [], month: 1, at: NOW };
    const begun = performance.now();
    expect(recommend(index, [...index.items()], asker, 20)).toHaveLength(20);
    return performance.now() - begun;
  };
  const longest = people.toSorted((a, b) => b.history.length - a.history.length)[0];
  const ms = await quickest(LIMIT_MS, () => measure(longest));
  expect(ms).toBeLessThan(LIMIT_MS);
});
