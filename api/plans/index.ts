/** A plan for a day on the mountain: which lifts and slopes when, with lunch and a way back. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { configRoutes } from './config.ts';
import { planRoutes } from './planDay.ts';

export const plans: ApiModule = {
  service: 'resort',
  opens: appModule('plans'),
  routes: [...planRoutes, ...configRoutes],
};
