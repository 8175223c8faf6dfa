import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { configRoutes } from './config.ts';
import { planRoutes } from './planDay.ts';

export const plans: ApiModule = {
  service: 'resort',
  opens: appModule('plans'),
  routes: [...planRoutes, ...configRoutes],
};
