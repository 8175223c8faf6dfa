/** Forums: categories, topics, posts and reactions; moderation with mutes, bans and appeals. */
import { appModule } from '../http/appModule.ts';
import type { ApiModule } from '../http/module.ts';
import { appealRoutes } from './appeals.ts';
import { categoryRoutes } from './categories.ts';
import { historyRoute } from './history.ts';
import { moderationRoutes } from './moderation.ts';
import { postRoutes } from './posts.ts';
import { readingRoutes } from './reading.ts';
import { topicRoutes } from './topics.ts';

export const forums: ApiModule = {
  service: 'social',
  opens: appModule('forums'),
  routes: [
    ...[...categoryRoutes, ...topicRoutes, ...postRoutes, historyRoute],
    ...[...readingRoutes, ...moderationRoutes, ...appealRoutes],
  ],
};
