/** The share of each booking that the platform keeps: rules for everybody, for roles and for single sellers. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { commissionRoutes } from './commissions.ts';

export const commissions: ApiModule = {
  service: 'bookings',
  opens: appModule('commissions'),
  routes: [...commissionRoutes],
};
