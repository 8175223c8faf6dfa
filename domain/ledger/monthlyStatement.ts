/** What happened in a month on the account from which an owner is paid out: the ledger account `available:<owner>`. */
import type { Recorded } from '../core/decider.ts';
import type { OwnerAccount, OwnerAccountEvent } from './ownerAccount.ts';

const statementLineTypes = ['credited', 'debited', 'payout', 'payout_failed'] as const;
export interface StatementLine {
  /** RFC 3339. */
  readonly at: string;
  readonly type: (typeof statementLineTypes)[number];
  /** Positive: more is available. */
  readonly amountMinor: number;
  /** What is available after it. */
  readonly balanceMinor: number;
}

export interface MonthlyStatement {
  readonly openingMinor: number;
  readonly closingMinor: number;
  /** Oldest first. */
  readonly lines: readonly StatementLine[];
}

type Change = Omit<StatementLine, 'balanceMinor'>;

/** What an event changes, as of the time that the ledger has for it. */
const changesOf = ({ at, ...event }: Recorded<OwnerAccountEvent>): Change[] => {
  switch (event.type) {
    case 'OwnerCredited':
      return [{ at: event.data.causedAt ?? at, type: 'credited', amountMinor: event.data.amountMinor }];
    case 'OwnerDebited':
      return [{ at: event.data.causedAt ?? at, type: 'debited', amountMinor: -event.data.amountMinor }];
    case 'PayoutRequested':
      return [{ at, type: 'payout', amountMinor: -event.data.amountMinor }];
    case 'PayoutFailed':
      return [{ at, type: 'payout_failed', amountMinor: event.data.amountMinor }];
    // Reservations are no movement, and a payout has left the account when it was requested.
    case 'PayoutPaid':
    case 'RefundReserved':
    case 'RefundReservationEnded':
      return [];
  }
};

/** What the ledger has on the account: a reservation leaves it there. */
export const ledgerBalanceOf = ({ availableMinor, reserved }: Pick<OwnerAccount, 'availableMinor' | 'reserved'>) =>
  [...reserved].reduce((sum, [, amountMinor]) => sum + amountMinor, availableMinor);

/**
 * The statement of `from` (included) to `to` (not included).
 * @param balanceMinor what is on the account after the newest event
 * @param newestFirst all events of the account since `from`
 */
export const statementBetween = (
  { from, to }: { readonly from: string; readonly to: string },
  balanceMinor: number,
  newestFirst: readonly Recorded<OwnerAccountEvent>[],
): MonthlyStatement => {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const changes = newestFirst
    .flatMap(changesOf)
    .filter(({ at }) => Date.parse(at) >= begin)
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  let openingMinor = balanceMinor;
  const lines: StatementLine[] = [];
  for (const change of changes) {
    if (Date.parse(change.at) < end) lines.unshift({ ...change, balanceMinor: openingMinor });
    openingMinor -= change.amountMinor;
  }
  return { openingMinor, closingMinor: lines.at(-1)?.balanceMinor ?? openingMinor, lines };
};
