/** Which passes of a purchase are blocked when the payer's bank takes back a part of its money. */
import { judge, refundOf, unitsLeft } from './admission.ts';
import type { ClosedDate } from './closures.ts';
import type { OpenPass } from './passState.ts';

/** What blocking a pass holds back, in minor units: the price of what can still be ridden with it. */
export const heldBackBy = (of: OpenPass, closed: readonly ClosedDate[], at: string): number => {
  const { reason } = judge({ ...of, blocked: false }, { at, serial: null, area: null }, closed);
  if (reason === 'refunded' || reason === 'expired' || reason === 'spent') return 0;
  return refundOf(of, unitsLeft(of, closed) || 1);
};

export interface Taken {
  readonly chargebackId: string;
  /** Of this chargeback, in minor units. */
  readonly amountMinor: number;
  /** What the purchase lacks of the money that its passes were sold for, by all its chargebacks. */
  readonly missingMinor: number;
}

/**
 * The numbers of the passes that hold back what a chargeback took: one where one is enough, the cheapest of those; otherwise
 * the dearest first. What other chargebacks have blocked counts; what an admin has unblocked since then does not, and is
 * not asked for again. Repeated, it blocks nothing more.
 */
export const passesToBlock = (
  passes: readonly OpenPass[],
  { chargebackId, amountMinor, missingMinor }: Taken,
  closed: readonly ClosedDate[],
  at: string,
): number[] => {
  const worthOf = (of: OpenPass): number => heldBackBy(of, closed, at);
  const sum = (some: readonly OpenPass[]): number => some.reduce((total, of) => total + worthOf(of), 0);
  const knows = ({ chargebacks }: OpenPass): boolean => chargebacks.includes(chargebackId);
  const byOthers = passes.filter((of) => of.blocked && of.chargebacks.length > 0 && !knows(of));
  const heldMinor = sum(byOthers);
  let neededMinor = Math.min(missingMinor, amountMinor + heldMinor) - heldMinor - sum(passes.filter(knows));
  const rest = passes
    .filter((of) => !knows(of) && !byOthers.includes(of) && worthOf(of) > 0)
    .toSorted((a, b) => worthOf(a) - worthOf(b) || b.number - a.number);
  const chosen: number[] = [];
  while (neededMinor > 0 && rest.length > 0) {
    const mostMinor = Math.max(...rest.map(worthOf));
    const next = rest.findIndex((of) => worthOf(of) >= Math.min(neededMinor, mostMinor));
    for (const of of rest.splice(next, 1)) {
      chosen.push(of.number);
      neededMinor -= worthOf(of);
    }
  }
  return chosen;
};
