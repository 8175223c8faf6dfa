/** What people marked as favourites (listings, slopes, events, topics), and alerts about their prices. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { favoriteRoutes } from './favorites.ts';
import { withMarks } from './marks.ts';

export const favorites: ApiModule = {
  service: 'social',
  opens: appModule('favorites'),
  routes: favoriteRoutes,
  extend: withMarks,
};
