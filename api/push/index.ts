/** Devices and browsers that get push messages, and messages of admins to many people. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { broadcastRoutes } from './broadcasts.ts';
import { deviceRoutes } from './devices.ts';

export const push: ApiModule = {
  service: 'platform',
  opens: appModule('push'),
  routes: [...deviceRoutes, ...broadcastRoutes],
};
