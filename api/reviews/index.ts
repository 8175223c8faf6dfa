/** Reviews of completed bookings, answers of sellers, and moderation. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { moderationRoutes } from './moderation.ts';
import { reviewRoutes } from './reviews.ts';

export const reviews: ApiModule = {
  service: 'chat',
  opens: appModule('reviews'),
  routes: [...reviewRoutes, ...moderationRoutes],
};
