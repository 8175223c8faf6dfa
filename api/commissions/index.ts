import type { ApiModule } from '../http/module.ts';
import { commissionRoutes } from './commissions.ts';

export const commissions: ApiModule = {
  service: 'bookings',
  routes: [...commissionRoutes],
};
