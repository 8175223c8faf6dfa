/** Recorded days on the mountain: points, statistics, targets, and sharing a track while it is recorded. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { pointRoutes } from './points.ts';
import { reviewRoutes } from './reviews.ts';
import { sessionRoutes } from './sessions.ts';
import { shareRoutes } from './shares.ts';
import { statsRoutes } from './stats.ts';
import { targetRoutes } from './targets.ts';

export const tracking: ApiModule = {
  service: 'resort',
  opens: appModule('tracking'),
  routes: [...sessionRoutes, ...pointRoutes, ...shareRoutes, ...statsRoutes, ...targetRoutes, ...reviewRoutes],
};
