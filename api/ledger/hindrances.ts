/** Money between a seller and the platform stands in the way of the end of an account. */
import { balancesOf } from '../../projections/ledger/balances.ts';
import type { Hinders } from '../http/hindrance.ts';

export const balanceHindrances: Hinders = {
  find: async ({ db }, person) => {
    const found = await balancesOf(db, person);
    const owing = found.filter(({ available_minor }) => available_minor < 0);
    const owed = found.filter(
      ({ available_minor, held_minor, in_payout_minor }) =>
        available_minor > 0 || held_minor > 0 || in_payout_minor > 0,
    );
    return [
      ...(owing.length > 0
        ? [{ reason: 'money_owed', detail: 'You owe the platform money. Settle your balance first.', ids: [] }]
        : []),
      ...(owed.length > 0
        ? [{ reason: 'balance_left', detail: 'Money is due to you. Wait until it is paid out.', ids: [] }]
        : []),
    ];
  },
};
