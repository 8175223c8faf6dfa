/** The double-entry ledger: balances, statements and payouts of sellers, settlements and corrections. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { adjustmentRoutes } from './adjustments.ts';
import { ledgerRoutes } from './ledger.ts';
import { payoutRoutes } from './payouts.ts';

export const ledger: ApiModule = {
  service: 'bookings',
  opens: appModule('ledger'),
  routes: [...payoutRoutes, ...ledgerRoutes, ...adjustmentRoutes],
};
