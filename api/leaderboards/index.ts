/** Leaderboards of recorded skiing, by day, week, month and season, for those who take part. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { boardRoutes } from './boards.ts';
import { nameModerationRoutes } from './moderation.ts';
import { participationRoutes } from './participation.ts';

export const leaderboards: ApiModule = {
  service: 'gamification',
  opens: appModule('leaderboards'),
  // `me` is no period.
  routes: [...participationRoutes, ...boardRoutes, ...nameModerationRoutes],
};
