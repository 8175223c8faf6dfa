/** News, promotions and events of the resort, who comes to an event, and calendars to subscribe to. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { adminPostRoutes } from './adminPosts.ts';
import { articleRoutes } from './articles.ts';
import { eventRoutes } from './events.ts';

export const content: ApiModule = {
  service: 'platform',
  opens: appModule('content'),
  routes: [...articleRoutes, ...eventRoutes, ...adminPostRoutes],
};
