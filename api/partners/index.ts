/** The interface of travel partners (`/ota`): hotels, rooms and availability by API key, and the keys themselves. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { apiKeyRoutes } from './apiKeys.ts';
import { otaRoutes } from './ota.ts';

export const partners: ApiModule = {
  service: 'catalog',
  opens: appModule('partners'),
  routes: [...otaRoutes, ...apiKeyRoutes],
};
