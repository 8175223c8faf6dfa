import type { ApiModule } from '../http/module.ts';
import { ledgerRoutes } from './ledger.ts';
import { payoutRoutes } from './payouts.ts';

export const ledger: ApiModule = {
  service: 'bookings',
  routes: [...payoutRoutes, ...ledgerRoutes],
};
