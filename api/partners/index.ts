import type { ApiModule } from '../http/module.ts';
import { apiKeyRoutes } from './apiKeys.ts';
import { otaRoutes } from './ota.ts';

export const partners: ApiModule = {
  service: 'catalog',
  routes: [...otaRoutes, ...apiKeyRoutes],
};
