/** Calls for help on the mountain, the board of the rescuers, and who is on duty. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { helpRoutes } from './helpRequests.ts';
import { boardRoutes } from './rescuerBoard.ts';

export const sos: ApiModule = {
  service: 'calls',
  opens: appModule('sos', { alwaysOpen: true }),
  routes: [...helpRoutes, ...boardRoutes],
};
