/** The state of the read models for admins: lag, rebuilds, verifications, parked events. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { projectionRoutes } from './projections.ts';

export const operations: ApiModule = {
  service: 'platform',
  opens: appModule('operations'),
  routes: [...projectionRoutes],
};
