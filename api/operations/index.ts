import type { ApiModule } from '../http/module.ts';
import { projectionRoutes } from './projections.ts';

export const operations: ApiModule = {
  service: 'platform',
  routes: [...projectionRoutes],
};
