/** What people do in the apps: events that the apps send, funnels, and metrics for guests, sellers and admins. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { eventRoutes } from './events.ts';
import { funnelRoutes } from './funnel.ts';
import { metricRoutes } from './metrics.ts';

export const analytics: ApiModule = {
  service: 'analytics',
  opens: appModule('analytics'),
  routes: [...eventRoutes, ...metricRoutes, ...funnelRoutes],
};
