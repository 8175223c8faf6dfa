/** Money between a seller and the platform stands in the way of the end of an account. */
import { sleep } from '../../infra/retry.ts';
import { balancesOf, type OwnerBalance } from '../../projections/ledger/balances.ts';
import type { DeletionBlocker } from '../http/deletionBlocker.ts';

const isDue = ({ available_minor, held_minor, in_payout_minor }: OwnerBalance): boolean =>
  available_minor > 0 || held_minor > 0 || in_payout_minor > 0;

/** What a seller owes. Nobody but them can settle it. */
export const debtBlockers: DeletionBlocker = {
  find: async ({ db }, person) =>
    (await balancesOf(db, person)).some(({ available_minor }) => available_minor < 0)
      ? [{ reason: 'money_owed', detail: 'You owe the platform money. Settle your balance first.', ids: [] }]
      : [],
};

/** So long a request waits for the refunds of what was just cancelled: providers answer within seconds. */
const REFUNDS_MS = 10_000;
const LOOK_MS = 250;
/** The dispute window is over by then, and the payouts are made: until then the bank account can be read. */
const PAID_OUT_WITHIN_DAYS = 30;

/** What is due to a seller. */
export const balanceBlockers: DeletionBlocker = {
  find: async ({ db }, person) =>
    (await balancesOf(db, person)).some(isDue)
      ? [
          {
            reason: 'balance_left',
            detail: 'Money is due to you. Wait until it is paid out, or delete the account with `settle=cancel`.',
            ids: [],
          },
        ]
      : [],
  resolve: async ({ db, stopping }, _, person) => {
    const end = performance.now() + REFUNDS_MS;
    while (performance.now() < end && !stopping.aborted && (await balancesOf(db, person)).some(isDue))
      await sleep(LOOK_MS, stopping);
    return true;
  },
  resolvedWithinDays: PAID_OUT_WITHIN_DAYS,
};
