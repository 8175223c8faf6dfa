/** Pictures and videos that people show for a day, and stories of the resort. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { resortStoryRoutes } from './admin.ts';
import { storyModerationRoutes } from './moderation.ts';
import { storyRoutes } from './stories.ts';

export const stories: ApiModule = {
  service: 'stories',
  opens: appModule('stories'),
  routes: [...storyRoutes, ...storyModerationRoutes, ...resortStoryRoutes],
};
