import type { ApiModule } from '../http/module.ts';
import { insuranceRoutes } from './insurance.ts';
import { purchaseRoutes } from './purchases.ts';

export const purchases: ApiModule = {
  service: 'bookings',
  routes: [...insuranceRoutes, ...purchaseRoutes],
};
