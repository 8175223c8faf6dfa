/** What is bought and holds no date: prices, payment, cancellation. Insurance is here, ski passes in `passes`. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { cancellationRoutes } from './cancellation.ts';
import { insuranceRoutes } from './insurance.ts';
import { purchaseRoutes } from './purchases.ts';

export const purchases: ApiModule = {
  service: 'bookings',
  opens: appModule('purchases'),
  routes: [...insuranceRoutes, ...purchaseRoutes, ...cancellationRoutes],
};
