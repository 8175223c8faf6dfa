/** What a person may like to book, visit or ride, with the reasons. */
import { followRecommendations } from '../../projections/recommendations/followRecommendations.ts';
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { recommendationRoutes } from './recommendations.ts';

export const recommendations: ApiModule = {
  service: 'resort',
  opens: appModule('recommendations'),
  routes: [...recommendationRoutes],
  start: followRecommendations,
};
