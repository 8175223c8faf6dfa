import type { ApiModule } from '../http/module.ts';
import { adjustmentRoutes } from './adjustments.ts';
import { ledgerRoutes } from './ledger.ts';
import { payoutRoutes } from './payouts.ts';

export const ledger: ApiModule = {
  service: 'bookings',
  routes: [...payoutRoutes, ...ledgerRoutes, ...adjustmentRoutes],
};
