import type { ApiModule } from '../http/module.ts';
import { funnelRoutes } from './funnel.ts';
import { ledgerRoutes } from './ledger.ts';
import { payoutRoutes } from './payouts.ts';

export const ledger: ApiModule = {
  service: 'bookings',
  routes: [...payoutRoutes, ...ledgerRoutes, ...funnelRoutes],
};
