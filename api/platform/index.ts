/** How admins steer the apps: configuration, feature flags, segments, and which parts of the product are open. */
import { followConfig } from '../../projections/platform/config.ts';
import type { ApiModule } from '../http/module.ts';
import { configRoutes } from './config.ts';
import { explainRoutes } from './explain.ts';
import { adminFlagRoutes } from './flags.ts';
import { flagRoutes } from './me.ts';
import { guard, moduleRoutes } from './modules.ts';
import { segmentRoutes } from './segments.ts';

export const platform: ApiModule = {
  service: 'platform',
  routes: [...configRoutes, ...flagRoutes, ...moduleRoutes, ...adminFlagRoutes, ...explainRoutes, ...segmentRoutes],
  start: async (app) => {
    await followConfig(app);
    return { stop: async () => undefined };
  },
  guard,
};
