/** How items are scored, ordered and explained. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diversified, LONGEST_RUN } from '../../domain/recommendations/diversity.ts';
import { type Item, recommendedKinds } from '../../domain/recommendations/item.ts';
import { recommend } from '../../domain/recommendations/recommend.ts';
import { type Asker, seasonOf } from '../../domain/recommendations/score.ts';
import { createRecommendationIndex } from '../../projections/recommendations/recommendationIndex.ts';

const AT = '2027-01-15T12:00:00.000Z';
const itemOf = (id: string, more: Partial<Item> = {}): Item => ({
  ...{ id, kind: 'tour', sellerId: `seller of ${id}`, features: ['kind:tour'], rating: null, interest: null, ...more },
});
const booked = (itemId: string, at = '2027-01-01T00:00:00.000Z') => ({ itemId, at, startsOn: at.slice(0, 10) });
const asker = (...history: string[]): Asker => ({ history: history.map((id) => booked(id)), month: 0, at: AT });

const world = (items: readonly Item[], histories: readonly (readonly string[])[] = []) => {
  const index = createRecommendationIndex();
  index.setItems(items.map((item) => ({ ...item, offer: null })));
  for (const [n, history] of histories.entries())
    index.counts.set(
      `p${n}`,
      history.map((id) => booked(id)),
    );
  return index;
};
const ids = (found: readonly { readonly item: Item }[]) => found.map(({ item }) => item.id);

describe('the score', () => {
  const items = ['a', 'b', 'c', 'd'].map((id) => itemOf(id));

  it('puts first what others booked together with what the person booked', () => {
    const index = world(items, [['a', 'b'], ['a', 'b'], ['a', 'b'], ['c', 'd'], ['d'], ['d'], ['d'], ['d']]);
    const [first] = recommend(index, items.slice(1), asker('a'), 3);
    expect(first).toMatchObject({
      item: { id: 'b' },
      reasons: [{ code: 'booked_together', because: 'a' }, { code: 'popular' }],
    });
    expect(ids(recommend(index, items, asker(), 1))).toEqual(['d']);
  });

  it('does not tell what a single other person booked', () => {
    const index = world(items, [['a', 'b'], ['c'], ['c']]);
    const codes = recommend(index, items.slice(1), asker('a'), 3).flatMap(({ reasons }) =>
      reasons.map(({ code }) => code),
    );
    expect(codes).not.toContain('booked_together');
  });

  it('prefers what resembles the bookings by rare features, across kinds', () => {
    const [tour, lesson, other] = [
      itemOf('tour', { features: ['kind:tour', 'sport:freeride'] }),
      itemOf('lesson', { kind: 'instructor', features: ['kind:instructor', 'sport:freeride'] }),
      itemOf('other', { features: ['kind:tour', 'sport:hike'] }),
    ];
    const found = recommend(world([tour, lesson, other, ...items]), [lesson, other], asker('tour'), 2);
    expect(found[0]).toMatchObject({ item: lesson, reasons: [{ code: 'similar', features: ['sport:freeride'] }] });
  });

  it('prefers what is rated well, and says so', () => {
    const rated = itemOf('z', { rating: { sum: 49, reviews: 10 } });
    const found = recommend(world([...items, rated]), [...items, rated], asker(), 1);
    expect(found).toEqual([{ item: rated, reasons: [{ code: 'rated', average: 4.9 }] }]);
  });

  it('knows the season of what was booked often enough', () => {
    const only = (month: number, count: number) => Array.from({ length: 12 }, (_, n) => (n === month ? count : 0));
    expect(seasonOf(only(0, 20), 0)).toBeGreaterThan(0.5);
    expect(seasonOf(only(0, 20), 11)).toBeGreaterThan(0.5);
    expect(seasonOf(only(0, 20), 6)).toBeLessThan(-0.5);
    expect(seasonOf(only(0, 3), 0)).toBe(0);
  });
});

describe('the order', () => {
  const scored = fc
    .array(
      fc.record({
        kind: fc.constantFrom(...recommendedKinds),
        sellerId: fc.constantFrom('x', 'y', 'z', null),
        score: fc.double({ min: -1, max: 5, noNaN: true }),
      }),
      { maxLength: 40 },
    )
    .map((all) => all.map(({ score, ...more }, n) => ({ item: itemOf(`i${n}`, more), score })));
  const longest = (values: readonly unknown[]): number => {
    let [run, most] = [0, 0];
    for (const [n, value] of values.entries()) {
      run = n > 0 && values[n - 1] === value && value !== null ? run + 1 : 1;
      most = Math.max(most, run);
    }
    return most;
  };

  it('has no kind and no seller too often in a row while there is something else', () => {
    fc.assert(
      fc.property(scored, fc.integer({ min: 1, max: 20 }), (all, limit) => {
        const chosen = diversified(all, limit);
        const left = all.filter((one) => !chosen.includes(one)).map(({ item }) => item);
        expect(chosen).toHaveLength(Math.min(limit, all.length));
        expect(new Set(chosen).size).toBe(chosen.length);
        for (const [n, { item }] of chosen.entries()) {
          const before = chosen.slice(0, n).map((one) => one.item);
          const rest = [item, ...chosen.slice(n + 1).map((one) => one.item), ...left];
          const fits = (each: Item) => {
            const shown = [...before, each];
            const kinds = shown.slice(-LONGEST_RUN.kind - 1).map(({ kind }) => kind);
            const sellers = shown.slice(-LONGEST_RUN.seller - 1).map(({ sellerId }) => sellerId);
            return longest(kinds) <= LONGEST_RUN.kind && longest(sellers) <= LONGEST_RUN.seller;
          };
          expect(fits(item) || !rest.some(fits)).toBe(true);
        }
      }),
    );
  });

  it('does not depend on the order of the candidates', () => {
    fc.assert(
      fc.property(scored, (all) => {
        expect(diversified(all.toReversed(), 10)).toEqual(diversified(all, 10));
      }),
    );
  });

  it('begins with the best', () => {
    const [low, high] = [itemOf('a'), itemOf('b')];
    expect(
      diversified(
        [
          { item: low, score: 1 },
          { item: high, score: 2 },
        ],
        1,
      ),
    ).toEqual([{ item: high, score: 2 }]);
  });
});
