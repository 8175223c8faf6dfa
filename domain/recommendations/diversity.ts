/** Puts what fits best into an order in which no kind and no seller crowds out the others. */
import type { Item } from './item.ts';

export interface Scored<I extends Item = Item> {
  readonly item: I;
  readonly score: number;
}

/** At most this many in a row, as long as there is something else. */
export const LONGEST_RUN = { kind: 3, seller: 2 };
/** What is left of a score for each item of the same kind, or of the same seller, that comes before it. */
const LEFT = { kind: 0.92, seller: 0.8 };

/** How many at the end of the list share a value. */
const runOf = <T>(values: readonly T[], value: T): number => {
  let run = 0;
  while (run < values.length && values.at(-1 - run) === value) run += 1;
  return run;
};

/** The highest score first; of equal ones the lower id, so that the order is always the same. */
const byScore = (a: Scored, b: Scored): number => b.score - a.score || (a.item.id < b.item.id ? -1 : 1);

/** The best `limit` of these, one after the other: each time the one that is best beside those that are chosen. */
export const diversified = <I extends Item>(scored: readonly Scored<I>[], limit: number): Scored<I>[] => {
  const left = new Set(scored.toSorted(byScore));
  const chosen: Scored<I>[] = [];
  const kinds: string[] = [];
  const sellers: (string | null)[] = [];
  const counts = new Map<string | null, number>();
  const crowded = ({ kind, sellerId }: Item): boolean =>
    runOf(kinds, kind) >= LONGEST_RUN.kind || (sellerId !== null && runOf(sellers, sellerId) >= LONGEST_RUN.seller);
  /** A negative score gets lower, too. */
  const worth = ({ item, score }: Scored<I>): number => {
    const share =
      LEFT.kind ** (counts.get(item.kind) ?? 0) *
      (item.sellerId === null ? 1 : LEFT.seller ** (counts.get(item.sellerId) ?? 0));
    return score >= 0 ? score * share : score / share;
  };
  const best = (among: Iterable<Scored<I>>, mayCrowd: boolean): Scored<I> | undefined => {
    let found: { readonly one: Scored<I>; readonly value: number } | undefined;
    for (const one of among) {
      if (found && one.score <= found.value) break; // the others are not better even by themselves
      if (!mayCrowd && crowded(one.item)) continue;
      const value = worth(one);
      if (!found || value > found.value) found = { one, value };
    }
    return found?.one;
  };
  while (chosen.length < limit) {
    const next = best(left, false) ?? best(left, true);
    if (!next) break;
    left.delete(next);
    chosen.push(next);
    kinds.push(next.item.kind);
    sellers.push(next.item.sellerId);
    for (const key of [next.item.kind, next.item.sellerId]) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return chosen;
};
