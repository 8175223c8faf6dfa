/** The recommendations for one person: scored, in a diverse order, with the reasons. Pure. */
import { diversified } from './diversity.ts';
import type { Item } from './item.ts';
import type { Reason } from './reasons.ts';
import { type Asker, createScorer, type Knowledge } from './score.ts';

export interface Recommended<I extends Item = Item> {
  readonly item: I;
  /** The strongest first; it may be empty. */
  readonly reasons: readonly Reason[];
}

/**
 * @param candidates what this person may be shown; it can be had on their dates, and they have not booked it
 * @param limit how many at most
 */
export const recommend = <I extends Item>(
  knowledge: Knowledge,
  candidates: readonly I[],
  asker: Asker,
  limit: number,
): Recommended<I>[] => {
  const scorer = createScorer(knowledge, candidates, asker);
  const scores = scorer.scores();
  const scored = candidates.map((item, n) => ({ item, score: scores[n] ?? 0 }));
  return diversified(scored, limit).map(({ item }) => ({ item, reasons: scorer.reasonsFor(item) }));
};
