/** The last admin cannot leave: nobody could make another one. */

import { loadAccount } from '../../commands/accounts/accounts.ts';
import { listAccounts } from '../../projections/accounts/accounts.ts';
import type { Hinders } from '../http/hindrance.ts';

export const adminHindrances: Hinders = {
  find: async (app, person) => {
    if ((await loadAccount(app, person)).role !== 'admin') return [];
    const { total } = await listAccounts(app.db, { role: 'admin', page: 1, perPage: 1 });
    return total > 1
      ? []
      : [{ reason: 'last_admin', detail: 'You are the last admin. Give somebody else this role first.', ids: [] }];
  },
};
