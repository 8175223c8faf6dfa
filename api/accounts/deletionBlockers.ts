/** The last admin cannot leave: nobody could make another one. */

import { loadAccount } from '../../commands/accounts/accounts.ts';
import { listAccounts } from '../../projections/accounts/accounts.ts';
import type { DeletionBlocker } from '../http/deletionBlocker.ts';

export const adminBlockers: DeletionBlocker = {
  find: async (app, person) => {
    if ((await loadAccount(app, person)).role !== 'admin') return [];
    const {
      total: { count: admins },
    } = await listAccounts(app.db, { role: 'admin', page: 1, perPage: 1 });
    return admins > 1
      ? []
      : [{ reason: 'last_admin', detail: 'You are the last admin. Give somebody else this role first.', ids: [] }];
  },
};
