/** Ski passes: tariffs, purchase, codes for gates with and without a connection, scans, giving back and blocking. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { passAdminRoutes } from './admin.ts';
import { gateRoutes } from './gates.ts';
import { passRoutes } from './passes.ts';
import { saleRoutes } from './sale.ts';
import { tariffRoutes } from './tariffs.ts';

export const passes: ApiModule = {
  service: 'pass',
  opens: appModule('passes'),
  routes: [...tariffRoutes, ...saleRoutes, ...passRoutes, ...passAdminRoutes],
};

/** Gates open also while the app shows no passes: nothing of theirs depends on what is open to people. */
export const gates: ApiModule = { service: 'pass', routes: gateRoutes };
